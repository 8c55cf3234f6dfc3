import { expect, test } from 'vitest';

import { placeText } from './placeText';

const START = 'By all your matches in this game, those with people included, you';

test.each([
  [4.2, 1.1, `${START} play about like level 4.2 of 10 (between 3.1 and 5.3).`],
  [1.3, 0.9, `${START} play about like level 1.3 of 10 (between 1 and 2.2).`],
  [0.4, 0.9, `${START} play about like level 1 of 10 (between 1 and 1.3).`],
  [-0.4, 0.9, `${START} do not play as well as level 1 yet.`],
  [11.8, 0.9, `${START} play better than level 10.`],
])('place %s ± %s', (level, half, words) => {
  expect(placeText({ level, half })).toBe(words);
});
