import { cleanup, render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { SPECTATOR } from '$lib/net/blank';
import type { TableInfo, You, Snapshot, ScoreSheet as SheetData, ScoreSheetLine } from '$lib/net/protocol';
import { bot, OPTIONS, OWN, placed, plate, read, SHARED, triedDay } from '../../../testing/table';
import ScoreSheet from './ScoreSheet.svelte';

function line(
  kind: ScoreSheetLine['kind'],
  cards: string,
  points: number,
  more: Partial<ScoreSheetLine> = {},
): ScoreSheetLine {
  const laid = cards ? cards.split(' ').map((card) => placed(card, 0)) : [];
  const each = laid.map(() => Math.abs(points) / laid.length / (more.doubled ? 2 : 1));
  return { kind, cards: laid, each, points, doubled: false, owner: null, meld_kind: null, ...more };
}

const SHEET: SheetData = {
  number: 2,
  reason: 'out',
  out: 1,
  lines: [
    [
      line('meld', '8S 8H 8D 8C', 64, { doubled: true, meld_kind: 'set' }),
      line('lay', 'QD', 10, { owner: 2, meld_kind: 'run' }),
      line('hand', 'KD 2S', -12),
    ],
    [line('meld', '5C 6C 7C', 18), line('bonus', '', 25)],
    [],
  ],
  points: [62, 43, 0],
  accounts: [162, 43, -20],
  totals: [162, 43, -20],
};

afterEach(() => vi.unstubAllGlobals());

type More = {
  sheet?: Partial<SheetData>;
  shared?: Partial<Snapshot>;
  options?: Partial<TableInfo>;
  you?: You;
  plain?: boolean;
};

function show({ sheet, shared, options, you = OWN, plain }: More = {}, onnext?: () => void): void {
  render(ScoreSheet, {
    table: 't',
    sheet: { ...SHEET, ...sheet },
    shared: { ...SHARED, waiting_for: 'next', ...shared },
    options: { ...OPTIONS, ...options },
    you,
    onnext,
    ...(plain ? { plain } : {}),
  });
}

const account = (name: string): HTMLElement =>
  screen.getByRole('heading', { name }).closest<HTMLElement>('.account')!;

/** The standings, one text for each. */
const standings = (): string[] =>
  within(screen.getByRole('list', { name: 'Standings' }))
    .getAllByRole('listitem')
    .map(read);

/** Show the page in a window of this width. */
function windowOf(width: number): void {
  vi.stubGlobal('innerWidth', width);
  window.dispatchEvent(new Event('resize'));
}

test('every card’s points can be read, and why they count', () => {
  show();
  const rows = within(account('You')).getAllByRole('row').slice(1);
  expect(rows.map(read)).toEqual([
    expect.stringMatching(/four at once, \(8 \+ 8 \+ 8 \+ 8\) × 2\s*64$/),
    expect.stringMatching(/on Carl’s run\s*10$/),
    expect.stringMatching(/in hand · 6 \+ 6\s*−12$/),
    expect.stringMatching(/^This deal\s*\+62$/),
  ]);
  expect(
    within(rows[0]!).getByRole('img', { name: /^8 of spades, 8 of hearts.* and 8 of clubs$/ }),
  ).toBeInTheDocument();
  expect(read(account('Emmy'))).toMatch(/Going out ?25/);
  expect(read(account('Carl'))).toMatch(/nothing laid ?0/);
});

test('the player that went out and the next dealer are named above it', () => {
  show();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Deal 2');
  expect(screen.getByText(/^Emmy went out\.\s*Next dealer: Emmy\.$/)).toBeInTheDocument();
});

describe('the standings', () => {
  test('show place, total, this deal and the points missing, best first', () => {
    show({ sheet: { totals: [162, 43, 317], accounts: [62, 43, -20] } });
    expect(standings()).toEqual([
      'C Carl Place 1 Total 317 before 337 · −20 this deal 183 to go',
      'Y You Place 2 Total 162 before 100 · +62 this deal 338 to go',
      'E Emmy Place 3 Total 43 +43 this deal 457 to go',
    ]);
    expect(screen.getAllByRole('heading', { level: 2 }).map(read)).toEqual(['Carl', 'You', 'Emmy']);
  });

  test('give equal totals the same place, the viewer’s own first', () => {
    show({ sheet: { totals: [43, 43, 100] } });
    expect(standings().map((text) => /\S+ Place \d/.exec(text)?.[0])).toEqual([
      'Carl Place 1',
      'You Place 2',
      'Emmy Place 2',
    ]);
  });

  test('say nothing of a target where deals are counted, or where it is reached', () => {
    show({ options: { match: 'deals' } });
    expect(screen.queryByText(/to go/)).toBeNull();
  });

  test('show a loss as its own part, and nothing below zero', () => {
    show({ sheet: { totals: [400, 80, -60], accounts: [100, -20, -30] } });
    const bars = [...document.querySelectorAll('.bar')].map((bar) =>
      [...bar.children].map((part) => [part.classList[0], (part as HTMLElement).style.inlineSize]),
    );
    expect(bars).toEqual([
      [
        ['before', '60%'],
        ['now', '20%'],
      ],
      [
        ['before', '16%'],
        ['lost', '4%'],
      ],
      [
        ['before', '0%'],
        ['lost', '0%'],
      ],
    ]);
  });
});

/** A table of so many single players. */
function singles(count: number): More {
  const points = Array.from({ length: count }, (_, seat) => 10 * (seat + 1));
  return {
    sheet: { lines: points.map(() => []), points, accounts: points, totals: points },
    shared: { seats: points.map((_, seat) => (seat ? bot(`P${seat}`) : plate('Nora'))) },
    options: { players: count },
  };
}

describe('the columns', () => {
  const columns = (): string =>
    document.querySelector<HTMLElement>('.paper')!.style.getPropertyValue('--columns');

  test.each([
    [1440, 2, '2'],
    [1440, 4, '4'],
    [1440, 5, '3'],
    [1440, 6, '3'],
    [1440, 7, '4'],
    [1440, 8, '4'],
    [768, 4, '2'],
    [360, 4, '1'],
    [360, 8, '2'],
  ])('in a window of %i for %i players are %s', (width, players, wanted) => {
    windowOf(width);
    show(singles(players));
    expect(columns()).toBe(wanted);
    expect(standings()).toHaveLength(players);
    expect(document.querySelectorAll('.account')).toHaveLength(players);
  });

  test('are two for sides, with a part for each partner', () => {
    windowOf(1440);
    const seats = [plate('Nora'), plate('Ben'), plate('Cy'), plate('Dee')];
    show({
      sheet: { accounts: [105, 43], totals: [105, 43], lines: [...SHEET.lines, []], points: [62, 43, 43, 0] },
      shared: { seats },
      options: { players: 4, sides: 2, match: 'deals' },
    });
    expect(columns()).toBe('2');
    const parts = within(account('We')).getAllByRole('table');
    expect(parts.map((part) => read(part.querySelector('caption')!))).toEqual(['You +62', 'Cy +43']);
    expect(within(account('We')).queryByText('This deal')).toBeNull();
  });

  test('are folded on a phone except the viewer’s own, which is first', async () => {
    windowOf(360);
    show(singles(4));
    const folded = [...document.querySelectorAll<HTMLDetailsElement>('.columns details')];
    expect(folded.map((each) => [read(each.querySelector('summary')!), each.open])).toEqual([
      ['Y You +10', true],
      ['P3 P3 +40', false],
      ['P2 P2 +30', false],
      ['P P1 +20', false],
    ]);
  });
});

test('the shuffle is verified unasked; what cannot be loaded is asked for again by a press', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  show();
  const again = await screen.findByRole('button', { name: 'The deal could not be loaded. Try again.' });
  vi.stubGlobal('fetch', async () => Response.json({ fairness: null, draw: null }));
  await userEvent.click(again);
  const line = await screen.findByRole('button', { name: 'There is no stored proof of this shuffle.' });
  await userEvent.click(line);
  expect(line).toHaveAttribute('aria-expanded', 'true');
  expect(screen.getByText(/^Before each deal the server commits to a secret seed\./)).toBeInTheDocument();
});

describe('what comes next', () => {
  test('is requested, then waits for the others', async () => {
    const next = vi.fn();
    show({}, next);
    await userEvent.click(screen.getByRole('button', { name: 'Next deal' }));
    expect(next).toHaveBeenCalledOnce();
  });

  test('waits for players that are not ready', () => {
    show({ shared: { seats: [plate('Nora', { ready: true }), plate('Bo'), bot('Carl')] } });
    expect(screen.queryByRole('button', { name: 'Next deal' })).toBeNull();
    expect(screen.getByRole('status')).toHaveTextContent('Waiting for Bo.');
  });

  test('is the match’s result after the last deal', () => {
    show({ shared: { status: 'over' } }, () => undefined);
    expect(screen.getByRole('button', { name: 'Result of the match' })).toBeInTheDocument();
    expect(screen.queryByText(/Next dealer/)).toBeNull();
  });

  test('is the day’s result after a deal of the day', () => {
    show({ shared: { status: 'over' }, options: { tried: triedDay('2026-11-27') } }, () => undefined);
    expect(screen.getByRole('link', { name: 'See the result' })).toHaveAttribute('href', '/day/2026-11-27');
    expect(screen.queryByRole('button', { name: 'Result of the match' })).toBeNull();
  });

  test('may be the table again', async () => {
    const table = vi.fn();
    render(ScoreSheet, {
      table: 't',
      sheet: SHEET,
      shared: SHARED,
      options: OPTIONS,
      you: OWN,
      ontable: table,
    });
    await userEvent.click(screen.getByRole('button', { name: 'See the table' }));
    expect(table).toHaveBeenCalledOnce();
  });

  test('the deal can be seen again, but not from its own replay', () => {
    show();
    expect(screen.getByRole('link', { name: 'Replay' })).toHaveAttribute('href', '/t/t/deal/2');
  });
});

test('in a replay it is the paper alone', () => {
  show({ plain: true, you: SPECTATOR });
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.queryByText(/Next dealer/)).toBeNull();
});

test('the scorekeeper is named if the rules name one', () => {
  show();
  expect(screen.queryByText(/keeps score/)).toBeNull();
  cleanup();
  show({ shared: { scorer: 1 } });
  expect(screen.getByText(/Emmy.* keeps score\./)).toBeInTheDocument();
});
