/** The puzzle of the day without a network: the browser has stored it with its answers. */
import { ask, ApiError } from '$lib/net/api';
import type {
  OfflineMove,
  OfflinePlay,
  OfflinePuzzle,
  PositionAdvice,
  PositionQuestion,
  PuzzleAnswered,
  PuzzleResult,
  PuzzleShown,
} from '$lib/net/protocol';
import { recall, remember } from '$lib/app/settings.svelte';

/** A 95 % interval reaches this many standard errors to each side. */
const Z = 1.96;
const STORE = 'rum500.puzzle';
const NO_ADVICE: PositionAdvice = { options: [], groups: [], reason: null, refused: {} };
/** What only the server knows. */
const NO_STANDING = {
  answers: 0,
  solved: 0,
  puzzle_rating: 0,
  puzzle_provisional: true,
  before: null,
  rating: 0,
  provisional: true,
  streak: 0,
  vote: 0,
} as const;

/** An answer that was given without a network: the plays of the moves. */
interface Given {
  puzzle: string;
  plays: string[];
}

/** Whether nobody answers, or only something before the server. */
export const isAway = (reason: unknown): boolean =>
  reason instanceof ApiError && (reason.offline || reason.maintenance);

/** The puzzle of the day from what is stored, with the result of an answer that was given here. Throws `ApiError`. */
export async function storedPuzzle(): Promise<PuzzleShown> {
  const puzzle = await ask('GET /api/puzzles/daily/answers');
  const { id, day, retired, moves } = puzzle;
  const given = answerGiven();
  const result = given?.puzzle === id ? judged(puzzle, given.plays).result : null;
  return { id, day, retired, moves: moves.length, position: moves[0]!.position, result };
}

/** What the rules allow in the position after these plays. */
export async function storedAdvice(
  { about, cards, count }: PositionQuestion,
  before: readonly string[],
): Promise<PositionAdvice> {
  const move = (await ask('GET /api/puzzles/daily/answers')).moves[before.length];
  if (!move) return NO_ADVICE;
  if (about === 'turn') return move.turn;
  if (about === 'take') return move.takes[count ?? 0] ?? NO_ADVICE;
  return move.cards[[...(cards ?? [])].sort().join(' ')] ?? NO_ADVICE;
}

/** Judge the plays of the puzzle's moves as the server would. The answer is kept until the server has it. */
export async function storedAnswer(id: string, plays: string[]): Promise<PuzzleAnswered> {
  const puzzle = await ask('GET /api/puzzles/daily/answers');
  if (puzzle.id !== id) throw new ApiError('offline', 'another puzzle is stored', 0);
  const found = judged(puzzle, plays);
  if (found.result && answerGiven()?.puzzle !== id) keepAnswer({ puzzle: id, plays });
  return found;
}

/** Send the server the answer that was given without it. Throws `ApiError` if it cannot be reached. */
export async function sendAnswer(): Promise<void> {
  const given = answerGiven();
  if (!given) return;
  const before = given.plays.slice(0, -1);
  const play = given.plays.at(-1)!;
  try {
    await ask('POST /api/puzzles/{puzzle}/answer', { puzzle: given.puzzle }, { play, before });
  } catch (reason) {
    if (isAway(reason)) throw reason; // else the server does not want it
  }
  keepAnswer(null);
}

function answerGiven(): Given | null {
  try {
    const found = JSON.parse(recall(STORE) ?? 'null') as Partial<Given> | null;
    const { puzzle, plays } = found ?? {};
    return typeof puzzle === 'string' && Array.isArray(plays) && plays.length ? { puzzle, plays } : null;
  } catch {
    return null;
  }
}

const keepAnswer = (given: Given | null): void => remember(STORE, JSON.stringify(given));

/** Return the result of these plays, codes or in notation, or the next move; other words are refused. */
export function judged(puzzle: OfflinePuzzle, plays: readonly string[]): PuzzleAnswered {
  const at = plays.length - 1;
  const move = puzzle.moves[at]!;
  const said = plays[at]!.trim().replace(/\s+/g, ' ').toLowerCase();
  const own = move.plays.find(({ code, text }) => code === said || text.toLowerCase() === said);
  if (!own) return { result: null, next: null, refused: { code: 'connection.lost' }, column: null };
  const next = own.right ? puzzle.moves[at + 1] : undefined;
  const result = next ? null : resultOf(puzzle, move, at, own);
  return { result, next: next?.position ?? null, refused: null, column: null };
}

const rounded = (points: number): number => Math.round(points * 100) / 100;

function resultOf(puzzle: OfflinePuzzle, move: OfflineMove, at: number, own: OfflinePlay): PuzzleResult {
  const explained = own.right ? move.plays.find(({ right }) => !right)! : own;
  return {
    right: own.right,
    quiet: puzzle.quiet,
    move: at + 1,
    moves: puzzle.moves.length,
    position: move.position,
    played: own.play,
    best: move.plays[0]!.play,
    loss: own.loss,
    error: own.error,
    candidates: move.plays.map(({ code, play, right, loss, error }) => ({
      play,
      lead: rounded(own.loss - loss),
      half: code === own.code ? 0 : rounded(Z * Math.hypot(own.error, error)),
      as_good: right,
    })),
    why: explained.why,
    why_of: explained.play,
    plan: explained.plan,
    levels: move.levels,
    ...NO_STANDING,
  };
}
