import { describe, expect, it } from 'vitest';

import { routeOf } from './router.svelte';

describe('addresses', () => {
  it.each([
    ['/', '', { page: 'lobby' }],
    ['/guide/', '', { page: 'guide' }],
    ['/practice', '', { page: 'practice' }],
    ['/practice/daily', '', { page: 'puzzle', daily: true, profile: null }],
    ['/practice/puzzles', '?game=500-rum', { page: 'puzzle', daily: false, profile: '500-rum' }],
    ['/practice/none', '', { page: 'unknown', path: '/practice/none' }],
    ['/new', '', { page: 'new', who: 'friends', step: 'game' }],
    ['/new', '?for=anybody', { page: 'new', who: 'anybody', step: 'game' }],
    ['/new', '?for=nobody&step=none', { page: 'new', who: 'friends', step: 'game' }],
    ['/new', '?for=bots&step=table', { page: 'new', who: 'bots', step: 'table' }],
    ['/t/JX75oCyRaVGbSBCR9dVXMQ', '', { page: 'table', id: 'JX75oCyRaVGbSBCR9dVXMQ' }],
    ['/t/a_b-c/deal/12', '', { page: 'replay', id: 'a_b-c', deal: 12, review: false, step: null }],
    ['/t/a_b-c/deal/12/review', '?step=7', { page: 'replay', id: 'a_b-c', deal: 12, review: true, step: 7 }],
    ['/t/a_b-c/review', '', { page: 'review', id: 'a_b-c' }],
    [
      '/rules',
      '',
      { page: 'rules', profile: '500-rum', choices: [], players: null, target: null, deals: null },
    ],
    [
      '/rules/rummy-500',
      '?house=H1,H6&variations=jokers-1&players=3&target=300&deals=9',
      {
        page: 'rules',
        profile: 'rummy-500',
        choices: ['H1', 'H6', 'jokers-1'],
        players: 3,
        target: 300,
        deals: 9,
      },
    ],
    [
      '/rules/rummy-500',
      '?players=x',
      { page: 'rules', profile: 'rummy-500', choices: [], players: null, target: null, deals: null },
    ],
    ['/t/a/b', '', { page: 'unknown', path: '/t/a/b' }],
    ['/t/a/deal/one', '', { page: 'unknown', path: '/t/a/deal/one' }],
  ])('%s%s', (path, query, route) => {
    expect(routeOf(path, query)).toEqual(route);
  });
});
