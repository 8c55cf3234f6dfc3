import { describe, expect, it } from 'vitest';

import { levelTitle, stepOf } from './labels';
import { levelLine, nextLine } from './levelLine';

describe('levels of bots', () => {
  it.each([
    ['level3', 3, 'Level 3', 'One of 10 levels'],
    ['club', null, 'Club', 'Plays by rules of thumb'],
    ['mine', null, 'mine', 'A bot of this server.'],
  ])('%s has a title and a line', (level, step, title, line) => {
    expect(stepOf(level)).toBe(step);
    expect(levelTitle(level)).toBe(title);
    expect(levelLine(level).startsWith(line)).toBe(true);
  });

  it.each([
    [0.46, null, 'Plays like a newcomer in 46 of 100 turns, and at random in the others.'],
    [1.7, null, 'Plays like the bot Club in 70 of 100 turns.'],
    [2.35, null, 'Plays like the bot Club, and in 35 of 100 turns like Expert.'],
    [2, 'club', 'Plays by rules of thumb'],
  ])('a level at %s says how it plays', (position, also, line) => {
    const info = { name: 'level3', number: 3, also, position };
    expect(levelLine('level3', info).startsWith(line)).toBe(true);
  });

  it.each([
    ['first', 'Your first opponent: Level 4.'],
    ['up', 'Next for you: Level 4. You won 2 of 3 matches against Level 3.'],
    ['same', 'Next for you: Level 4 again. You won 2 of 3 matches so far.'],
    ['down', 'Better for you now: Level 4. You won 2 of 3 matches against Level 3.'],
    ['top', 'Nobody is above Level 4. You won 2 of 3 matches.'],
  ] as const)('the next opponent is given with the reason: %s', (why, line) => {
    expect(nextLine({ level: 'level4', why, against: 'level3', won: 2, played: 3 })).toBe(line);
  });
});
