import { describe, expect, it } from 'vitest';

import { pageAt } from './pages';

describe('addresses', () => {
  it.each([
    ['/', '', { name: 'lobby', props: {} }],
    ['/guide/', '', { name: 'guide', props: {} }],
    ['/practice', '', { name: 'practice', props: {} }],
    ['/practice/daily', '', { name: 'puzzle', props: { daily: true, profile: null } }],
    ['/practice/puzzles', '?game=500-rum', { name: 'puzzle', props: { daily: false, profile: '500-rum' } }],
    ['/practice/none', '', { name: 'unknown', props: { whole: true } }],
    ['/new', '', { name: 'new', props: { company: 'friends', step: 'game' } }],
    ['/new', '?for=anybody', { name: 'new', props: { company: 'anybody', step: 'game' } }],
    ['/new', '?for=nobody&step=none', { name: 'new', props: { company: 'friends', step: 'game' } }],
    ['/new', '?for=bots&step=table', { name: 'new', props: { company: 'bots', step: 'table' } }],
    ['/t/JX75oCyRaVGbSBCR9dVXMQ', '', { name: 'table', props: { id: 'JX75oCyRaVGbSBCR9dVXMQ' } }],
    ['/t/a_b-c/deal/12', '', { name: 'replay', props: { id: 'a_b-c', deal: 12, review: false, step: null } }],
    [
      '/t/a_b-c/deal/12/review',
      '?step=7',
      { name: 'replay', props: { id: 'a_b-c', deal: 12, review: true, step: 7 } },
    ],
    ['/t/a_b-c/review', '', { name: 'review', props: { id: 'a_b-c' } }],
    [
      '/rules',
      '',
      { name: 'rules', props: { profile: '500-rum', choices: [], players: null, target: null, deals: null } },
    ],
    [
      '/rules/rummy-500',
      '?house=H1,H6&variations=jokers-1&players=3&target=300&deals=9',
      {
        name: 'rules',
        props: { profile: 'rummy-500', choices: ['H1', 'H6', 'jokers-1'], players: 3, target: 300, deals: 9 },
      },
    ],
    [
      '/rules/rummy-500',
      '?players=x',
      {
        name: 'rules',
        props: { profile: 'rummy-500', choices: [], players: null, target: null, deals: null },
      },
    ],
    ['/t/a/b', '', { name: 'unknown', props: { whole: true } }],
    ['/t/a/deal/one', '', { name: 'unknown', props: { whole: true } }],
  ])('%s%s', (path, query, page) => {
    const { name, props } = pageAt(path, query);
    expect({ name, props }).toEqual(page);
  });
});
