/** The text of a line of the score sheet beside its cards. */

import { m } from '$lib/paraglide/messages';

import type { ScoreSheetLine } from '$lib/net/protocol';
import { num, possessive } from '$lib/text/sentences';

/** Names for the sheet: a seat's name, and which seat is the reader's own. */
export interface Naming {
  name: (seat: number) => string;
  you: number | null;
}

const ENDS: Readonly<Record<string, () => string>> = {
  stock: m.pages_sheet_stock,
  passes: m.pages_sheet_passes,
  no_progress: m.pages_sheet_no_progress,
  target: m.pages_end_reason_target,
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
  if (line.owner === null) return '';
  const owner = name(line.owner);
  const who = possessive(line.owner, owner, you, seat);
  return m.words_target({ who, kind: line.meld_kind ?? 'run', name: owner });
}

/** Return why a deal ended. */
export function endSentence(reason: string, out: number | null, { name, you }: Naming): string {
  if (reason !== 'out') return ENDS[reason]?.() ?? '';
  if (out === null) return '';
  return out === you ? m.pages_sheet_out_you() : m.pages_sheet_out({ name: name(out) });
}
