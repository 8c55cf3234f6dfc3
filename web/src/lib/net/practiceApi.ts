/** Practice over HTTP: puzzles, the guest's own mistakes and drills. The guest is made known before the first question. */

import { ask, me } from './api';
import type {
  DrillAnswer,
  DrillPlace,
  MistakeAnswer,
  MistakeName,
  PositionQuestion,
  PuzzleVote,
} from './protocol';

/** How far the guest is with puzzles, and the games that there are puzzles of. */
export const puzzleStanding = () => ask('GET /api/puzzles');

/** The puzzle of the day in UTC. */
export const dailyPuzzle = () => me().then(() => ask('GET /api/puzzles/daily'));

/** A puzzle that the guest has not answered: of this game, if one is named, and not the one that is put off. */
export const nextPuzzle = (profile: string | null, after: string | null) =>
  me().then(() => ask('GET /api/puzzles/next', { profile, after }));

/** What the rules say about the position of a puzzle. */
export const askPuzzle = (puzzle: string, question: PositionQuestion) =>
  ask('POST /api/puzzles/{puzzle}/ask', { puzzle }, question);

/** Answer a puzzle by a play, as its code or in notation. */
export const answerPuzzle = (puzzle: string, play: string) =>
  ask('POST /api/puzzles/{puzzle}/answer', { puzzle }, { play });

/** Vote whether a puzzle is good (1) or bad (-1), or neither. */
export const votePuzzle = (puzzle: string, vote: PuzzleVote['vote']) =>
  ask('POST /api/puzzles/{puzzle}/vote', { puzzle }, { vote });

/** The guest's answers to puzzles as a file. */
export const PUZZLE_ANSWERS = '/api/puzzles/answers.csv';

const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** How many of the guest's own mistakes come back today, and the next one. */
export const mistakesToday = () => me().then(() => ask('GET /api/mistakes', { zone: zone() }));

/** What the rules say about the position of a mistake. */
export const askMistake = (name: MistakeName, question: PositionQuestion) =>
  ask('POST /api/mistakes/ask', {}, { ...name, question });

/** A hint; a right answer after it counts as hard. */
export const mistakeHint = (name: MistakeName) => ask('POST /api/mistakes/hint', {}, name);

/** What the guest plays now. */
export const answerMistake = (answer: Omit<MistakeAnswer, 'zone'>) =>
  ask('POST /api/mistakes/answer', {}, { ...answer, zone: zone() });

/** A question of a drill. */
export const drillQuestion = ({ kind, profile, players, seed, number }: DrillPlace) =>
  me().then(() =>
    ask('GET /api/drills/{kind}/{profile}/{players}/{seed}/{number}', {
      kind,
      profile,
      players,
      seed,
      number,
    }),
  );

/** What the rules say about the position of a drill. */
export const askDrill = (place: DrillPlace, question: PositionQuestion) =>
  ask('POST /api/drills/ask', {}, { ...place, question });

/** How good an answer is. */
export const answerDrill = (answer: DrillAnswer) => ask('POST /api/drills/answer', {}, answer);
