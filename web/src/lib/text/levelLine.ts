/** What to expect from the levels of bots; only pages that are loaded with their words import this. */
import { HOLD_BACK } from '$lib/net/protocol';
import { m } from '$lib/paraglide/messages';

import { named } from './named';

/** Return what to expect from a bot level. */
export function levelLine(level: string): string {
  const line = named('pages_level_', `${level}_line`)?.({}) ?? m.pages_level_other_line();
  return HOLD_BACK.includes(level) ? `${line} ${m.pages_level_holds_back()}` : line;
}
