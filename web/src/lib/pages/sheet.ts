/** What a line of the score sheet says beside its cards. */

import { m } from '$lib/paraglide/messages';

import type { SheetLine } from '../protocol';
import { num } from '../words';

/** Names for the sheet: how a seat is called, and which seat is the reader's own. */
export interface Naming {
  name: (seat: number) => string;
  you: number | null;
}

const ON: Readonly<Record<string, readonly [(name: string) => string, () => string, () => string]>> = {
  run: [
    (name) => m.pages_sheet_on_run({ name }),
    () => m.pages_sheet_on_run_you(),
    () => m.pages_sheet_on_run_own(),
  ],
  set: [
    (name) => m.pages_sheet_on_set({ name }),
    () => m.pages_sheet_on_set_you(),
    () => m.pages_sheet_on_set_own(),
  ],
  jokers: [
    (name) => m.pages_sheet_on_jokers({ name }),
    () => m.pages_sheet_on_jokers_you(),
    () => m.pages_sheet_on_jokers_own(),
  ],
};

/** The note beside a line's cards: the sum they make, the meld they were laid on, or why they count. */
export function note(line: SheetLine, seat: number, naming: Naming): string {
  switch (line.kind) {
    case 'meld':
      return line.doubled
        ? m.pages_sheet_at_once({ sum: num(line.each.reduce((sum, points) => sum + points, 0)) })
        : line.each.map((points) => num(points)).join(' + ');
    case 'lay':
      return laidOn(line, seat, naming);
    case 'hand':
      return m.pages_sheet_hand();
    case 'collected':
      return m.pages_sheet_collected();
    case 'bonus':
      return m.pages_sheet_bonus();
  }
}

function laidOn(line: SheetLine, seat: number, { name, you }: Naming): string {
  const words = ON[line.meld_kind ?? 'run'];
  if (!words || line.owner === null) return '';
  if (line.owner === you) return words[1]();
  return line.owner === seat ? words[2]() : words[0](name(line.owner));
}

/** Why a deal ended. */
export function endSentence(reason: string, out: number | null, { name, you }: Naming): string {
  switch (reason) {
    case 'out':
      if (out === null) return '';
      return out === you ? m.pages_sheet_out_you() : m.pages_sheet_out({ name: name(out) });
    case 'stock':
      return m.pages_sheet_stock();
    case 'passes':
      return m.pages_sheet_passes();
    case 'no_progress':
      return m.pages_sheet_no_progress();
    case 'target':
      return m.pages_sheet_target();
    default:
      return '';
  }
}
