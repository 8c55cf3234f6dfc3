/** Which page an address shows. Addresses are real paths, so that every page can be linked, reloaded and shared. */

import type { DrillPlace } from '$lib/net/protocol';

/** Who may come to a new table. */
export type Who = 'bots' | 'friends' | 'anybody';

export type Route =
  | { page: 'lobby' }
  | { page: 'new'; who: Who; step: 'game' | 'table' }
  | { page: 'table'; id: string }
  | { page: 'replay'; id: string; deal: number; review: boolean; step: number | null }
  | { page: 'review'; id: string }
  | {
      page: 'rules';
      profile: string;
      choices: string[];
      players: number | null;
      target: number | null;
      deals: number | null;
    }
  | { page: 'history' }
  | { page: 'practice' }
  | { page: 'mistakes' }
  | { page: 'drills' }
  | { page: 'drill'; kind: DrillPlace['kind']; profile: string; players: number }
  | { page: 'puzzle'; daily: boolean; profile: string | null }
  | { page: 'guide' }
  | { page: 'tips' }
  | { page: 'settings' }
  | { page: 'about' }
  | { page: 'unknown'; path: string };

const FIXED: Readonly<Record<string, Route>> = {
  '/': { page: 'lobby' },
  '/history': { page: 'history' },
  '/practice': { page: 'practice' },
  '/practice/mistakes': { page: 'mistakes' },
  '/practice/drills': { page: 'drills' },
  '/practice/daily': { page: 'puzzle', daily: true, profile: null },
  '/guide': { page: 'guide' },
  '/tips': { page: 'tips' },
  '/settings': { page: 'settings' },
  '/about': { page: 'about' },
};

/** The page at this address. */
export function routeOf(path: string, query = ''): Route {
  const plain = path.length > 1 ? path.replace(/\/+$/, '') : path;
  const asked = new URLSearchParams(query);
  const fixed = FIXED[plain];
  if (fixed) return fixed;
  if (plain === '/new') return newRoute(asked);
  const drill = /^\/practice\/drills\/(draw|lay|discard|count|who)\/([\w-]{1,60})\/([2-8])$/.exec(plain);
  if (drill) return drillRoute(drill);
  if (plain === '/practice/puzzles') return { page: 'puzzle', daily: false, profile: asked.get('game') };
  const rules = /^\/rules(?:\/([\w-]+))?$/.exec(plain);
  if (rules) return rulesRoute(rules[1] ?? '500-rum', asked);
  const replay = /^\/t\/([\w-]{1,64})\/deal\/(\d{1,4})(\/review)?$/.exec(plain);
  if (replay) return replayRoute(replay, asked);
  const review = /^\/t\/([\w-]{1,64})\/review$/.exec(plain);
  if (review) return { page: 'review', id: review[1] ?? '' };
  const table = /^\/t\/([\w-]{1,64})$/.exec(plain);
  if (table) return { page: 'table', id: table[1] ?? '' };
  return { page: 'unknown', path };
}

function replayRoute([, id = '', deal, review]: RegExpExecArray, asked: URLSearchParams): Route {
  const step = Number(asked.get('step'));
  return {
    page: 'replay',
    id,
    deal: Number(deal),
    review: review !== undefined,
    step: Number.isInteger(step) && step > 0 ? step : null,
  };
}

function drillRoute([, kind, profile = '', players]: RegExpExecArray): Route {
  return { page: 'drill', kind: kind as DrillPlace['kind'], profile, players: Number(players) };
}

function newRoute(asked: URLSearchParams): Route {
  const who = asked.get('for');
  return {
    page: 'new',
    who: who === 'bots' || who === 'anybody' ? who : 'friends',
    step: asked.get('step') === 'table' ? 'table' : 'game',
  };
}

function rulesRoute(profile: string, asked: URLSearchParams): Route {
  const names = (key: string): string[] => (asked.get(key) ?? '').split(',').filter(Boolean);
  const number = (key: string, least: number): number | null => {
    const value = Number(asked.get(key));
    return Number.isInteger(value) && value >= least ? value : null;
  };
  return {
    page: 'rules',
    profile,
    choices: [...names('house'), ...names('variations')],
    players: number('players', 2),
    target: number('target', 1),
    deals: number('deals', 1),
  };
}

class Router {
  route = $state.raw<Route>({ page: 'lobby' });
  /** The number of pages visited; on a change App.svelte moves the focus to the new page's heading. */
  moves = $state(0);

  constructor() {
    if (typeof location !== 'undefined') this.route = routeOf(location.pathname, location.search);
  }

  /** Go to another page of this site. */
  go(path: string, { replace = false } = {}): void {
    if (path === location.pathname + location.search + location.hash) return;
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.#arrive();
    if (!replace && !path.includes('#')) scrollTo(0, 0);
  }

  /** Handle the browser's back and forward and links within the site. Return a function that stops this. */
  listen(): () => void {
    const back = () => this.#arrive();
    const click = (event: MouseEvent) => this.#follow(event);
    addEventListener('popstate', back);
    document.addEventListener('click', click);
    return () => {
      removeEventListener('popstate', back);
      document.removeEventListener('click', click);
    };
  }

  #arrive(): void {
    this.route = routeOf(location.pathname, location.search);
    this.moves += 1;
  }

  #follow(event: MouseEvent): void {
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !plain || !(event.target instanceof Element)) return;
    const anchor = event.target.closest('a');
    if (!anchor || anchor.target || anchor.hasAttribute('download') || anchor.origin !== location.origin)
      return;
    const here = anchor.hash !== '' && anchor.pathname === location.pathname;
    if (here || /^\/(api|assets)\//.test(anchor.pathname)) return;
    event.preventDefault();
    this.go(anchor.pathname + anchor.search + anchor.hash);
  }
}

/** The router of this page. */
export const router = new Router();

/** Go to another page of this site. */
export const go = (path: string, options: { replace?: boolean } = {}): void => router.go(path, options);
