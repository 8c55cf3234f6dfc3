/** Practice over HTTP: puzzles, the guest's own mistakes and drills. */

import { ask, me, segment } from './api';
import type {
  DrillAnswer,
  DrillPlace,
  DrillQuestion,
  DrillResult,
  MistakeAnswer,
  MistakeHint,
  MistakeName,
  MistakeResult,
  MistakesToday,
  PositionAdvice,
  PositionQuestion,
  PuzzleAnswered,
  PuzzleShown,
  PuzzleStanding,
  PuzzleVote,
} from './protocol';

/** How far the guest is with puzzles, and the games that there are puzzles of. */
export const puzzleStanding = () => ask<PuzzleStanding>('GET', '/api/puzzles');

/** The puzzle of the day in UTC. */
export const dailyPuzzle = () => me().then(() => ask<PuzzleShown>('GET', '/api/puzzles/daily'));

/** A puzzle that the guest has not answered: of this game, if one is named, and not the one that is put off. */
export function nextPuzzle(profile: string | null, after: string | null): Promise<PuzzleShown> {
  const query = new URLSearchParams({ ...(profile && { profile }), ...(after && { after }) });
  return me().then(() => ask<PuzzleShown>('GET', `/api/puzzles/next${query.size ? `?${query}` : ''}`));
}

/** What the rules say about the position of a puzzle. */
export const askPuzzle = (id: string, question: PositionQuestion) =>
  ask<PositionAdvice>('POST', `/api/puzzles/${segment(id)}/ask`, question);

/** Answer a puzzle by a play, as its code or in notation. */
export const answerPuzzle = (id: string, play: string) =>
  ask<PuzzleAnswered>('POST', `/api/puzzles/${segment(id)}/answer`, { play });

/** Say whether a puzzle is good (1) or bad (-1), or neither. */
export const votePuzzle = (id: string, vote: PuzzleVote['vote']) =>
  ask<PuzzleVote>('POST', `/api/puzzles/${segment(id)}/vote`, { vote });

/** The guest's answers to puzzles as a file. */
export const PUZZLE_ANSWERS = '/api/puzzles/answers.csv';

const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** How many of the guest's own mistakes come back today, and the next one. */
export async function mistakesToday(): Promise<MistakesToday> {
  await me();
  return ask<MistakesToday>('GET', `/api/mistakes?zone=${segment(zone())}`);
}

/** What the rules say about the position of a mistake. */
export const askMistake = (name: MistakeName, question: PositionQuestion) =>
  ask<PositionAdvice>('POST', '/api/mistakes/ask', { ...name, question });

/** A hint; a right answer after it counts as hard. */
export const mistakeHint = (name: MistakeName) => ask<MistakeHint>('POST', '/api/mistakes/hint', name);

/** What the guest plays now. */
export const answerMistake = (answer: Omit<MistakeAnswer, 'zone'>) =>
  ask<MistakeResult>('POST', '/api/mistakes/answer', { ...answer, zone: zone() });

/** A question of a drill. */
export async function drillQuestion({
  kind,
  profile,
  players,
  seed,
  number,
}: DrillPlace): Promise<DrillQuestion> {
  await me();
  return ask<DrillQuestion>('GET', `/api/drills/${kind}/${segment(profile)}/${players}/${seed}/${number}`);
}

/** What the rules say about the position of a drill. */
export const askDrill = (place: DrillPlace, question: PositionQuestion) =>
  ask<PositionAdvice>('POST', '/api/drills/ask', { ...place, question });

/** How good an answer is. */
export const answerDrill = (answer: DrillAnswer) => ask<DrillResult>('POST', '/api/drills/answer', answer);
