/** The deeds in words, and the page that shows the proof of one. */
import { reviewPath } from '$lib/net/api';
import type { DeedProgress } from '$lib/net/protocol';
import type { IconName } from '$lib/icons/shapes';
import { named } from '$lib/text/named';

const ICONS: Readonly<Record<string, IconName>> = {
  whole_pile: 'most',
  bait: 'replay',
  all_at_once: 'exit',
  far_behind: 'trophy',
  good_partner: 'people',
  seven_high: 'sort',
  deciding_deal: 'flag',
  rummy: 'sound',
  four_jokers: 'smile',
  clean_sheet: 'shield',
  seven_days: 'clock',
  ahead_of_club: 'play',
};

export const deedIcon = (name: string): IconName => ICONS[name] ?? 'check';
export const deedTitle = (name: string): string => named('progress_deed_', name)?.({}) ?? name;
export const deedLine = (name: string): string => named('progress_deed_', `${name}_line`)?.({}) ?? '';

/** Return the page that shows the play that proves a deed; null if there is none, or its table was removed. */
export function proofPath({ name, table, deal, frame }: DeedProgress): string | null {
  if (table === null) return null;
  if (name === 'clean_sheet') return reviewPath(table, deal);
  return `/t/${table}/deal/${deal}${frame ? `?step=${frame}` : ''}`;
}

/** Return the deeds that were done, the latest first, and then the others in their order. */
export const inOrder = (deeds: readonly DeedProgress[]): DeedProgress[] =>
  [...deeds].sort((one, other) => (other.at ?? 0) - (one.at ?? 0));
