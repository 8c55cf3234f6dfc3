import { describe, expect, it } from 'vitest';

import { routeOf } from './router.svelte';

describe('addresses', () => {
  it.each([
    ['/', '', { page: 'lobby' }],
    ['/guide/', '', { page: 'guide' }],
    ['/new', '?for=friends', { page: 'new', private: true }],
    ['/new', '', { page: 'new', private: false }],
    ['/t/JX75oCyRaVGbSBCR9dVXMQ', '', { page: 'table', id: 'JX75oCyRaVGbSBCR9dVXMQ' }],
    ['/t/a_b-c/deal/12', '', { page: 'replay', id: 'a_b-c', deal: 12 }],
    ['/rules', '', { page: 'rules', profile: '500-rum', house: [], players: null }],
    [
      '/rules/rummy-500',
      '?house=H1,H6&players=3',
      { page: 'rules', profile: 'rummy-500', house: ['H1', 'H6'], players: 3 },
    ],
    ['/rules/rummy-500', '?players=x', { page: 'rules', profile: 'rummy-500', house: [], players: null }],
    ['/t/a/b', '', { page: 'unknown', path: '/t/a/b' }],
    ['/t/a/deal/one', '', { page: 'unknown', path: '/t/a/deal/one' }],
  ])('%s%s', (path, query, route) => {
    expect(routeOf(path, query)).toEqual(route);
  });
});
