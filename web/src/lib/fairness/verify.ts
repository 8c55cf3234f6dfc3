/**
 * Checks in the browser, without the server, that a deck follows from its seeds, as `docs/fair-deals.md` describes. It
 * has its own hash function, because a page on plain http has no `crypto.subtle`. Import it only on demand.
 */

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { m } from '$lib/paraglide/messages';

/** The inputs from which the order of a pack was derived. */
interface Seeds {
  shuffle: number;
  context: string;
  commitment: string;
  seed: string;
  seats: string[];
}

/** What the server sends about a shuffle once its deal has ended. */
export interface Proof extends Seeds {
  pack: string[];
  cut: number;
  cut_by: string;
  deck: string[];
  restocks?: string[][];
}

/** What the server sends about the pack that was spread for the draw for deal. `drawn`: positions, from 0, and cards. */
export interface DrawProof extends Seeds {
  pack: string[];
  drawn: [number, string][];
}

/** What this browser stored about the shuffle: the commitment that it received, and the seed that it gave. */
export interface Own {
  commitment: string;
  value: string;
}

/** What the server sends about a deal of the day once the day is over. */
export interface DayProof {
  players: number;
  context: string;
  pack: string[];
  commitment: string;
  seed: string;
}

export interface Step {
  step: 'table' | 'commitment' | 'noted' | 'own' | 'cut' | 'order' | 'restock';
  ok: boolean;
  text: string;
}

export interface Verdict {
  ok: boolean;
  steps: Step[];
}

// --- the derivation ------------------------------------------------------------------------------------

/** Return the SHA-256 by which the server commits itself to its seed. */
export const commitment = (seed: string): string => bytesToHex(sha256(hexToBytes(seed)));

/** Return what identifies a table in contexts. */
export const tableLabel = (table: string): string =>
  bytesToHex(sha256(utf8ToBytes(`rum500 table ${table}`))).slice(0, 16);

/** Generate the stream's two-byte numbers, endlessly. */
function* stream(seed: string, seats: string[], context: string): Generator<number, never> {
  const message = ['rum500 fair 1', context, String(seats.length), ...seats, ''].join('\n');
  const key = hexToBytes(seed);
  for (let block = 0; ; block++) {
    const bytes = hmac(sha256, key, utf8ToBytes(`${message}${block}\n`));
    for (let at = 0; at < bytes.length; at += 2) yield (bytes[at]! << 8) | bytes[at + 1]!;
  }
}

/** Return the stream's next number from 0 to bound - 1, all equally likely. */
function below(numbers: Generator<number, never>, bound: number): number {
  const limit = 0x10000 - (0x10000 % bound);
  let value: number;
  do value = numbers.next().value;
  while (value >= limit);
  return value % bound;
}

/** Return one number below a bound for this context. */
export const fairBelow = (seed: string, seats: string[], context: string, bound: number): number =>
  below(stream(seed, seats, context), bound);

const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];

/** Return a card's position in a sorted pack: spades, hearts, diamonds, clubs, ace to king, jokers last. */
const place = (card: string): number =>
  card === 'JK' ? 52 : 'SHDC'.indexOf(card.slice(-1)) * 13 + RANKS.indexOf(card.slice(0, -1));

/** Return the order of these cards that follows from the seeds. */
export function fairOrder(seed: string, seats: string[], context: string, cards: string[]): string[] {
  const order = [...cards].sort((a, b) => place(a) - place(b));
  const numbers = stream(seed, seats, context);
  for (let last = order.length - 1; last > 0; last--) {
    const other = below(numbers, last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

// --- the verdict ---------------------------------------------------------------------------------------

const same = (ours: string[], theirs: string[]): boolean =>
  ours.length === theirs.length && ours.every((card, at) => card === theirs[at]);

function cutFits({ seed, seats, context, cut, cut_by, pack }: Proof): boolean {
  if (!Number.isInteger(cut) || cut < 1 || cut >= pack.length) return false;
  if (cut_by === 'middle') return cut === Math.floor(pack.length / 2);
  if (cut_by === 'stream') return cut === 1 + fairBelow(seed, seats, `${context}/cut`, pack.length - 1);
  return cut_by === 'seat';
}

function orderFits({ seed, seats, context, cut, pack, deck }: Proof): boolean {
  const order = fairOrder(seed, seats, `${context}/deal`, pack);
  return same([...order.slice(cut), ...order.slice(0, cut)], deck);
}

function drawFits({ seed, seats, context, pack, drawn }: DrawProof): boolean {
  const order = fairOrder(seed, seats, `${context}/draw`, pack);
  return drawn.every(([place, card]) => order[place] === card);
}

type Say = (inputs: { ok: string }) => string;

function step(step: Step['step'], say: Say, holds: () => boolean): Step {
  let ok = false;
  try {
    ok = holds();
  } catch {
    // a proof that cannot be parsed fails
  }
  return { step, ok, text: say({ ok: ok ? 'yes' : 'no' }) };
}

/** Return whether the seeds are those that were committed to and given. */
function seedSteps(proof: Seeds, own?: Own | null, table?: string): Step[] {
  const steps: Step[] = [];
  if (table != null)
    steps.push(
      step('table', m.words_fair_table, () => proof.context === `${tableLabel(table)}/${proof.shuffle}`),
    );
  steps.push(
    step(
      'commitment',
      m.words_fair_commitment,
      () =>
        proof.seed.length === 64 &&
        commitment(proof.seed) === proof.commitment &&
        (!own || own.commitment === proof.commitment),
    ),
  );
  if (own) steps.push(step('own', m.words_fair_own, () => proof.seats.includes(own.value)));
  return steps;
}

const verdict = (steps: Step[]): Verdict => ({ ok: steps.every(({ ok }) => ok), steps });

/** Check a shuffle; with `own` also that this browser's seed is in it, with `table` that it belongs to this table. */
export function verifyShuffle(proof: Proof, own?: Own | null, table?: string): Verdict {
  const steps = seedSteps(proof, own, table);
  steps.push(step('cut', m.words_fair_cut, () => cutFits(proof)));
  steps.push(step('order', m.words_fair_order, () => orderFits(proof)));
  const restocks = proof.restocks ?? [];
  if (restocks.length)
    steps.push(
      step('restock', m.words_fair_restock, () =>
        restocks.every((stock, at) =>
          same(fairOrder(proof.seed, proof.seats, `${proof.context}/restock/${at + 1}`, stock), stock),
        ),
      ),
    );
  return verdict(steps);
}

/** Check the seeds of a deal that was given up, whose cards nobody is shown. */
export const verifySeeds = (seeds: Seeds, own?: Own | null, table?: string): Verdict =>
  verdict(seedSteps(seeds, own, table));

/** Check a draw for deal: the cards that were drawn were at the positions that follow from the seeds. */
export function verifyDraw(proof: DrawProof, own?: Own | null, table?: string): Verdict {
  const steps = seedSteps(proof, own, table);
  return verdict([...steps, step('order', m.words_fair_order, () => drawFits(proof))]);
}

/** Return whether these hands are dealt from a day's deck: one card at a time from seat 0 on. */
function handsFit(
  { seed, players, context, pack }: DayProof,
  hands: readonly (readonly string[])[],
): boolean {
  const deck = fairOrder(seed, Array<string>(players).fill(''), `${context}/deal`, pack);
  return hands.every((hand, seat) =>
    same([...hand].sort(), hand.map((_, at) => deck[at * players + seat]!).sort()),
  );
}

/**
 * Check a deal of the day: that its seed fits the commitment, that `noted`, the commitment which this browser stored
 * before the end of the day, is the same, and that the `hands` as they were dealt at a table follow from the seed.
 */
export function verifyDay(
  proof: DayProof,
  noted: string | null,
  hands: readonly (readonly string[])[] | null,
): Verdict {
  const steps = [step('commitment', m.day_checked, () => commitment(proof.seed) === proof.commitment)];
  if (noted !== null) steps.push(step('noted', m.day_checked_noted, () => noted === proof.commitment));
  if (hands) steps.push(step('order', m.day_checked_cards, () => handsFit(proof, hands)));
  return verdict(steps);
}
