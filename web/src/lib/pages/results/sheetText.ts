/** The text of a line of the score sheet beside its cards. */

import { m } from '$lib/paraglide/messages';

import type { ScoreSheetLine } from '../../net/protocol';
import { num } from '../../text';

/** Names for the sheet: a seat's name, and which seat is the reader's own. */
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

/** Return the points of cards in their order, left to right in every script, as cards are. */
function sum(each: readonly number[]): string {
  return `\u2066${each.map((points) => num(points)).join(' + ')}\u2069`;
}

/** Add the sum of several cards to a text; the points of one card are those of the line. */
const withSum = (each: readonly number[], words: string): string =>
  each.length > 1 ? [words, sum(each)].filter(Boolean).join(m.words_between()) : words;

/** Return the note beside a line's cards: their sum, the meld they were laid on, or why they count. */
export function note(line: ScoreSheetLine, seat: number, naming: Naming): string {
  switch (line.kind) {
    case 'meld':
      return line.doubled ? m.pages_sheet_at_once({ sum: `(${sum(line.each)})` }) : sum(line.each);
    case 'lay':
      return withSum(line.each, laidOn(line, seat, naming));
    case 'hand':
      return withSum(line.each, m.pages_sheet_hand());
    case 'collected':
      return m.pages_sheet_collected();
    case 'bonus':
      return m.pages_sheet_bonus();
  }
}

function laidOn(line: ScoreSheetLine, seat: number, { name, you }: Naming): string {
  const words = ON[line.meld_kind ?? 'run'];
  if (!words || line.owner === null) return '';
  if (line.owner === you) return words[1]();
  return line.owner === seat ? words[2]() : words[0](name(line.owner));
}

/** Return why a deal ended. */
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
