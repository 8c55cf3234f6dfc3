import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import {
  answer,
  decides,
  gamesThatDiffer,
  likeMelds,
  QUARRELS,
  sentencesOf,
  type Answer,
  type Quarrel,
  type Question,
} from './referee';
import { plain, type Game, type Refusal } from './meldRules';
import { games, rulesOf } from './scoring';

interface Vector {
  profile: string;
  choices: string[];
  packs: number;
  question?: Question;
  verdict?: 'yes' | 'no';
  why?: Refusal & { message?: string };
  sentences?: [string, string[]][];
}

/** The file of questions with the engine's answers; the full test run names a longer one. */
const FILE =
  process.env.REFEREE_VECTORS ?? new URL('../../../../../tests/referee_vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(FILE, 'utf8')) as Vector[];
const asked = vectors.filter(({ question }) => question);

const gameOf = ({ profile, choices, packs }: Vector): Game => ({
  rules: rulesOf({ profile, choices, options: {} }),
  packs,
});
const game = (profile: string, choices: string[] = [], packs = 1): Game =>
  gameOf({ profile, choices, packs });

/** A refusal without its message and without the order of its cards. */
function bare({ code, rule, card, parts }: Refusal): unknown {
  const rows = Object.entries(parts ?? {}).map(([name, part]) => [
    name,
    Array.isArray(part) ? [...part].sort() : part,
  ]);
  return { code, rule, card: card ?? null, parts: Object.fromEntries(rows) };
}

test('every question is answered as the engine answers it, with a rule and its sentence', () => {
  for (const vector of asked) {
    const own = gameOf(vector);
    const found = answer(own, vector.question!);
    const about = JSON.stringify(vector);
    expect(found.verdict, about).toBe(vector.verdict);
    expect(found.rule, about).toMatch(/^(R-[A-Z]+-\d+|H\d|D\d+a?)$/);
    expect(found.sentences.length, about).toBeGreaterThan(0);
    expect(own.rules.source).toMatch(/^[GFHR]$/);
    // The engine cannot read a joker that could have no meaning, which has no rule.
    if (vector.why && !vector.why.code.startsWith('notation'))
      if (found.why) expect(bare(found.why), about).toEqual(bare(vector.why));
  }
});

test('the sentences that hold, and what they cite, are those of the engine', () => {
  const listed = vectors.filter(({ sentences }) => sentences);
  expect(listed.length).toBeGreaterThan(50);
  for (const vector of listed)
    expect(sentencesOf(gameOf(vector)), JSON.stringify(vector)).toEqual(vector.sentences);
});

test('the questions are about every game, and of every kind with both answers', () => {
  expect(asked.length).toBeGreaterThanOrEqual(500);
  expect(new Set(asked.map(({ profile }) => profile))).toEqual(new Set(games));
  const kinds = new Set(asked.map(({ question, verdict }) => `${question!.ask} ${verdict}`));
  for (const ask of ['lay', 'lay_off', 'take', 'go_out', 'rummy'])
    for (const verdict of ['yes', 'no']) expect(kinds).toContain(`${ask} ${verdict}`);
});

describe('what the player does not show', () => {
  test.each<[string, string[], Question, Answer['verdict'], string]>([
    [
      '500-rum',
      [],
      { ask: 'take', pile: ['KD', '6H', '9C', '4S'], count: 3, empty: false },
      'if',
      'R-DRAW-3',
    ],
    ['500-rum', [], { ask: 'take', pile: ['4S'], count: 1, empty: false }, 'if', 'R-DRAW-4'],
    ['rummy-500', [], { ask: 'take', pile: ['4S'], count: 1, empty: false }, 'yes', 'R-DRAW-4'],
    ['rummy-500', ['H1'], { ask: 'take', pile: ['4S'], count: 1, empty: false }, 'if', 'H1'],
    ['rummy-500', [], { ask: 'take', pile: ['4S'], count: 1, empty: true }, 'if', 'D5'],
    ['500-rum', [], { ask: 'take', pile: ['6H', '6S', '6D'], count: 3, empty: false }, 'yes', 'R-DRAW-3'],
    ['500-rum', ['H2'], { ask: 'go_out', by: 'discard', floats: true }, 'if', 'H2'],
    ['500-rum', ['H6'], { ask: 'rummy', pile: ['4S'], count: 1, own: false }, 'if', 'H6'],
  ])('%s %j: %j is answered %s', (profile, choices, question, verdict, rule) => {
    const found = answer(game(profile, choices), question);
    expect([found.verdict, found.rule]).toEqual([verdict, rule]);
  });
});

test('what would be right, and which games differ', () => {
  const corner: Question = { ask: 'lay', cards: ['KS', 'AS', '2S'] };
  const rum = game('500-rum');
  expect(likeMelds(rum, corner.cards)).toEqual([
    ['AS', '2S', '3S'],
    ['QS', 'KS', 'AS'],
  ]);
  expect(gamesThatDiffer(rum, corner, answer(rum, corner))).toEqual([]);
  const low: Question = { ask: 'lay', cards: ['AS', '2S', '3S'] };
  expect(gamesThatDiffer(rum, low, answer(rum, low))).toEqual(['persian-rummy-gamerules']);
  const off: Question = { ask: 'lay_off', cards: ['KD'], meld: plain(['QS', 'QH', 'QC']) };
  expect(answer(rum, off).why).toMatchObject({ code: 'lay.no_fit', parts: { takes: ['QD'] } });
});

test('every quarrel is decided in every game, or only by a house rule', () => {
  for (const profile of games)
    for (const quarrel of Object.keys(QUARRELS) as Quarrel[]) {
      const found = decides(game(profile), quarrel);
      const own = rulesOf({ profile, choices: [], options: {} });
      const silent =
        (quarrel === 'float' && own.go_out !== 'discard') || (quarrel === 'four' && own.doubles === 'none');
      expect(found.length > 0, `${profile} ${quarrel}`).toBe(!silent);
    }
});
