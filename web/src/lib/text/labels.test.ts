import { describe, expect, it } from 'vitest';

import { levelTitle, stepOf } from './labels';
import { levelLine } from './levelLine';

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
});
