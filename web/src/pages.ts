/**
 * Every page, declared once. The router, the header, the titles, the server's list of addresses and the files that it
 * names early derive from this; `plugins/early.ts` reads `path` and `view` from the text of this file.
 */
import type { Component } from 'svelte';

import { m } from '$lib/paraglide/messages';

import ErrorNotice from '$lib/components/ErrorNotice.svelte';
import { DRILLS, drillTitle, type DrillKind } from '$lib/pages/practice/drillText';
import type { Company } from '$lib/pages/lobby/tableDraft.svelte';
import { num } from '$lib/text/cards';
import { profileTitle } from '$lib/text/profiles';

type Parts = Readonly<Record<string, string | undefined>>;

interface Page<Props> {
  /** The address. `:name` matches a part of it; `:name?` at the end may be left out. */
  path: string;
  /** The component, which is loaded on demand. */
  view: () => Promise<{ default: Component<any> }>;
  title: (props: Props) => string;
  /** Return the component's properties, by default the parts of the address; null if there is no such page. */
  props?: (parts: Parts, query: URLSearchParams) => Props | null;
  /** The page of the site's menu that this one belongs to, if not itself. */
  menu?: 'lobby' | 'practice' | 'history';
  /** The width of the site's header above it, if not the usual one. */
  width?: (props: Props) => 'replay' | 'review';
  /** Whether the page draws its own header, or has none. */
  bare?: boolean;
  /** Whether the page needs none of the messages that are loaded late. */
  early?: boolean;
}

const page = <Props = object>(declared: Page<Props>): Page<Props> => declared;

export const PAGES = {
  lobby: page({
    path: '/',
    view: () => import('./lib/pages/lobby/Lobby.svelte'),
    title: m.words_play,
    early: true,
  }),
  new: page<{ company: Company; step: 'game' | 'table' }>({
    path: '/new',
    view: () => import('./lib/pages/lobby/NewTable.svelte'),
    title: m.pages_new_title,
    props: (_, query) => {
      const company = query.get('for');
      return {
        company: company === 'bots' || company === 'anybody' ? company : 'friends',
        step: query.get('step') === 'table' ? 'table' : 'game',
      };
    },
    menu: 'lobby',
  }),
  table: page({
    path: '/t/:id',
    view: () => import('./lib/table/TablePage.svelte'),
    title: m.words_table,
    bare: true,
    early: true,
  }),
  review: page({
    path: '/t/:id/review',
    view: () => import('./lib/pages/review/MatchReview.svelte'),
    title: m.review_match_title,
  }),
  replay: page<{ id: string; deal: number; review: boolean; step: number | null }>({
    path: '/t/:id/deal/:deal/:review?',
    view: () => import('./lib/pages/replay/Replay.svelte'),
    title: ({ deal, review }) => (review ? m.review_title({ n: num(deal) }) : m.pages_title_replay({ deal })),
    props: ({ id = '', deal = '', review }, query) =>
      /^\d{1,4}$/.test(deal) && (review ?? 'review') === 'review'
        ? { id, deal: Number(deal), review: review !== undefined, step: whole(query, 'step', 1) }
        : null,
    width: ({ review }) => (review ? 'review' : 'replay'),
  }),
  rules: page<{
    profile: string;
    choices: string[];
    players: number | null;
    target: number | null;
    deals: number | null;
  }>({
    path: '/rules/:profile?',
    view: () => import('./lib/rules/Rules.svelte'),
    title: ({ profile }) => m.pages_rules_title({ title: profileTitle(profile, profile) }),
    props: ({ profile = '500-rum' }, query) => ({
      profile,
      choices: ['house', 'variations'].flatMap((key) => (query.get(key) ?? '').split(',').filter(Boolean)),
      players: whole(query, 'players', 2),
      target: whole(query, 'target', 1),
      deals: whole(query, 'deals', 1),
    }),
  }),
  history: page({
    path: '/history',
    view: () => import('./lib/pages/history/History.svelte'),
    title: m.pages_nav_history,
  }),
  progress: page<{ part: 'deeds' | null }>({
    path: '/progress/:part?',
    view: () => import('./lib/pages/progress/Progress.svelte'),
    title: m.pages_nav_progress,
    props: ({ part }) =>
      part === undefined || part === 'deeds' ? { part: part === 'deeds' ? 'deeds' : null } : null,
  }),
  people: page({
    path: '/people',
    view: () => import('./lib/pages/people/People.svelte'),
    title: m.people_title,
    menu: 'history',
  }),
  league: page({
    path: '/league/:id',
    view: () => import('./lib/pages/people/League.svelte'),
    title: m.people_league_title,
    menu: 'history',
  }),
  practice: page({
    path: '/practice',
    view: () => import('./lib/pages/practice/Practice.svelte'),
    title: m.pages_nav_practice,
  }),
  mistakes: page({
    path: '/practice/mistakes',
    view: () => import('./lib/pages/practice/Mistakes.svelte'),
    title: m.mistakes_title,
    menu: 'practice',
    bare: true,
  }),
  drills: page({
    path: '/practice/drills',
    view: () => import('./lib/pages/practice/Drills.svelte'),
    title: m.drills_title,
    menu: 'practice',
  }),
  drill: page<{ kind: DrillKind; profile: string; players: number }>({
    path: '/practice/drills/:kind/:profile/:players',
    view: () => import('./lib/pages/practice/Drill.svelte'),
    title: ({ kind }) => drillTitle(kind),
    props: ({ kind: name, profile = '', players = '' }) => {
      const kind = DRILLS.find((one) => one === name);
      return kind && /^[2-8]$/.test(players) ? { kind, profile, players: Number(players) } : null;
    },
    menu: 'practice',
    bare: true,
  }),
  day: page<{ day: string | null }>({
    path: '/day/:day?',
    view: () => import('./lib/pages/day/Days.svelte'),
    title: m.day_card_title,
    menu: 'lobby',
  }),
  puzzle: page<{ daily: boolean; profile: string | null }>({
    path: '/practice/:which',
    view: () => import('./lib/pages/practice/Puzzle.svelte'),
    title: ({ daily }) => (daily ? m.words_daily_puzzle() : m.practice_puzzles()),
    props: ({ which }, query) =>
      which === 'daily' || which === 'puzzles'
        ? { daily: which === 'daily', profile: which === 'daily' ? null : query.get('game') }
        : null,
    menu: 'practice',
    bare: true,
  }),
  lessons: page({
    path: '/lessons/:lesson?',
    view: () => import('./lib/pages/learn/Lessons.svelte'),
    title: m.lessons_title,
    menu: 'practice',
    bare: true,
  }),
  pad: page({
    path: '/pad',
    view: () => import('./lib/pages/pad/Pad.svelte'),
    title: m.pad_title,
    bare: true,
  }),
  referee: page<{ game: string | null }>({
    path: '/pad/may-i',
    view: () => import('./lib/pages/pad/MayI.svelte'),
    title: m.referee_title,
    props: (_, query) => ({ game: query.get('game') }),
    bare: true,
  }),
  guide: page({
    path: '/guide',
    view: () => import('./lib/pages/learn/Guide.svelte'),
    title: m.words_learn,
    bare: true,
  }),
  tips: page({
    path: '/tips',
    view: () => import('./lib/pages/learn/Tips.svelte'),
    title: m.pages_nav_tips,
  }),
  settings: page({
    path: '/settings',
    view: () => import('./lib/pages/settings/Settings.svelte'),
    title: m.pages_nav_settings,
  }),
  devices: page({
    path: '/devices',
    view: () => import('./lib/pages/identity/Devices.svelte'),
    title: m.identity_devices_title,
  }),
  here: page<{ words: boolean }>({
    path: '/here',
    view: () => import('./lib/pages/identity/Here.svelte'),
    title: m.identity_here_title,
    props: () => ({ words: false }),
  }),
  back: page<{ words: boolean }>({
    path: '/back',
    view: () => import('./lib/pages/identity/Here.svelte'),
    title: m.identity_here_title,
    props: () => ({ words: true }),
  }),
  words: page({
    path: '/words',
    view: () => import('./lib/pages/identity/Words.svelte'),
    title: m.identity_words_title,
  }),
  data: page({
    path: '/data',
    view: () => import('./lib/pages/identity/MyData.svelte'),
    title: m.identity_data_title,
  }),
  about: page({
    path: '/about',
    view: () => import('./lib/pages/learn/About.svelte'),
    title: m.pages_about_title,
  }),
};

/** Return a parameter of the query as a whole number; null if it is none, or less than `least`. */
function whole(query: URLSearchParams, key: string, least: number): number | null {
  const value = Number(query.get(key));
  return Number.isInteger(value) && value >= least ? value : null;
}

/** A page with the properties of its component. */
export interface Shown {
  name: string;
  page: Page<any>;
  props: Record<string, unknown>;
}

const UNKNOWN: Shown = {
  name: 'unknown',
  page: page({ path: '', view: async () => ({ default: ErrorNotice }), title: m.pages_trouble_unknown }),
  props: { whole: true },
};

const PATTERNS = Object.entries<Page<any>>(PAGES).map(([name, declared]) => {
  const pattern = declared.path.replace(/\/:(\w+)(\??)/g, '(?:/(?<$1>[\\w-]{1,64}))$2');
  return [name, declared, new RegExp(`^${pattern}/*$`)] as const;
});

/** Return the page at an address. */
export function pageAt(path: string, query = ''): Shown {
  for (const [name, declared, pattern] of PATTERNS) {
    const found = pattern.exec(path);
    if (!found) continue;
    const parts = { ...found.groups };
    const props = declared.props ? declared.props(parts, new URLSearchParams(query)) : parts;
    if (props) return { name, page: declared, props };
  }
  return UNKNOWN;
}
