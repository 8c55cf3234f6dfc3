/** A server's answers over HTTP for the components' tests. */
import { vi } from 'vitest';

import type { DayToday, HistoryRow, Me, MyTable, Profile, RuleChoice, TableSummary } from '$lib/net/protocol';
import { plate } from './table';

/** A request that the page has made. */
export type Request = { method: string; path: string; body: unknown };

type Reply = unknown | ((asked: Request) => unknown);

/** An answer that refuses. */
export class Refusal {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {}
}

export const ME: Me = {
  id: 'nora',
  name: 'Nora',
  named: true,
  guest_since: 0,
  levels: ['random', 'greedy', 'casual', 'club', 'strong', 'expert'],
  level_usual: 'greedy',
};

/** A game of the family, by default like 500 Rum. */
export function profile(name: string, title: string, more: Partial<Profile> = {}): Profile {
  return {
    name,
    aliases: [],
    title,
    summary: '',
    source: 'H',
    players: [2, 3, 4, 5, 6, 7, 8],
    players_usual: 4,
    sides: 0,
    target: 500,
    match: 'target',
    deals: 2,
    jokers: 0,
    joker_kind: 'none',
    house_rules: [],
    differs: [],
    ...more,
  };
}

export const PROFILES: Profile[] = [
  profile('500-rum', '500 Rum', {
    house_rules: [
      { id: 'H2', title: 'One must discard to go out' },
      { id: 'H5', title: 'The pile becomes a new stock' },
      { id: 'H6', title: 'Anyone may call “Rummy!”' },
    ],
  }),
  profile('persian-rummy', 'Persian Rummy', {
    players: [4],
    sides: 2,
    match: 'deals',
    jokers: 4,
    joker_kind: 'rank',
  }),
  profile('rummy-500', 'Rummy 500', { players: [2, 3, 4, 5, 6], jokers: 2, joker_kind: 'wild' }),
];

/** A table in a list: open, with one seat taken of two. */
export function summary(id: string, more: Partial<TableSummary> = {}): TableSummary {
  return {
    id,
    house_rules: [],
    variations: [],
    target: null,
    deals: null,
    created: 0,
    updated: 0,
    status: 'open',
    private: false,
    profile: '500-rum',
    title: '500 Rum',
    players: 2,
    people: ['Cy'],
    seats: [plate('Cy'), plate('', { kind: 'empty', here: false })],
    seats_free: 1,
    clocked: false,
    turn_s: null,
    host: 'Cy',
    mine: false,
    ...more,
  };
}

/** One of the guest's own tables, at which it is the guest's turn in the second deal. */
export function myTable(id: string, more: Partial<MyTable> = {}): MyTable {
  return {
    table: summary(id, { status: 'playing', seats_free: 0, mine: true }),
    my_turn: true,
    alone: true,
    put_away: false,
    asked: Date.now() - 12 * 60_000,
    due: null,
    deal: 2,
    seat: 1,
    names: ['Cy', 'Nora'],
    scores: [287, 312],
    ...more,
  };
}

/** Today's deal, which the guest has not played. */
export function today(more: Partial<DayToday> = {}): DayToday {
  return {
    day: '2026-11-26',
    number: 330,
    profile: '500-rum',
    title: '500 Rum',
    players: 4,
    level: 'club',
    status: 'new',
    table: null,
    points: null,
    left_s: 14_400,
    played: 9,
    place: null,
    club: null,
    streak: 0,
    commitment: '0'.repeat(64),
    next_commitment: '1'.repeat(64),
    on_device: false,
    progress: null,
    ...more,
  };
}

/** One moment for all rows, so that their order does not depend on the clock. */
const DAYS_AGO = Date.now() - 3 * 86_400_000;

/** An ended match: won against one bot. */
export function ended(table: string, more: Partial<HistoryRow> = {}): HistoryRow {
  return {
    table,
    ended: DAYS_AGO,
    status: 'over',
    profile: '500-rum',
    title: '500 Rum',
    players: 2,
    deals: 5,
    place: 1,
    won: true,
    points: 512,
    margin: 36,
    partners: [],
    opponents: ['Ada'],
    with_people: false,
    bot_turns: 0,
    level: 'club',
    hints: 0,
    review: { marks: 'none', deals: 5, reviewed: 0, a_deal: -14, half: 9, tally: null },
    ...more,
  };
}

const USUAL: Record<string, Reply> = {
  'GET /api/me': ME,
  'GET /api/profiles': PROFILES,
  'GET /api/invitations': [],
};

/** What can be added to 500 Rum, as the server says it. */
export const CHOICES: RuleChoice[] = (
  [
    ['H2', 'house'],
    ['H3', 'house'],
    ['H5', 'house'],
    ['H6', 'house'],
    ['jokers-1', 'variation'],
    ['jokers-2', 'variation'],
  ] as const
).map(([id, kind]) => ({ id, kind, title: id, source: 'R', refused: null }));

/** Answer the page's requests by method and path, others with "not found". Return the list of requests. */
export function answering(replies: Record<string, Reply> = {}): Request[] {
  const asked: Request[] = [];
  const known: Record<string, Reply> = { ...USUAL, ...replies };
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    const request = { method, path, body: body ? (JSON.parse(body as string) as unknown) : undefined };
    asked.push(request);
    const found = known[`${method} ${path}`] ?? known[`${method} ${path.split('?')[0]}`];
    const reply: unknown = await (typeof found === 'function'
      ? (found as (asked: Request) => unknown)(request)
      : found);
    if (reply instanceof Refusal) return Response.json(reply.body, { status: reply.status });
    if (reply === undefined)
      return Response.json({ code: 'http.404', message: 'not found' }, { status: 404 });
    return Response.json(reply);
  });
  return asked;
}
