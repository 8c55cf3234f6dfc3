import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { SPECTATOR } from '../../net/blank';
import type { TableInfo, You, Snapshot, ScoreSheet as SheetData, ScoreSheetLine } from '../../net/protocol';
import { bot, OPTIONS, OWN, placed, plate, read, SHARED } from '../../../testing/table';
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

const account = (name: string): HTMLElement => screen.getByRole('heading', { name }).parentElement!;

test('every card’s points can be read, and why they count', () => {
  show();
  const rows = within(account('You')).getAllByRole('row').slice(1);
  expect(rows.map((row) => read(row).replace(/[\u2066\u2069]/g, ''))).toEqual([
    expect.stringMatching(/four at once, \(8 \+ 8 \+ 8 \+ 8\) × 2\s*64$/),
    expect.stringMatching(/on Carl’s run\s*10$/),
    expect.stringMatching(/in hand · 6 \+ 6\s*−12$/),
    expect.stringMatching(/^This deal\s*62$/),
  ]);
  expect(
    within(rows[0]!).getByRole('img', { name: /^8 of spades, 8 of hearts.* and 8 of clubs$/ }),
  ).toBeInTheDocument();
  expect(read(account('Emmy'))).toMatch(/Going out ?25/);
  expect(read(account('Carl'))).toMatch(/nothing laid ?0/);
});

test('who went out and who deals next stand above it', () => {
  show();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Deal 2');
  expect(screen.getByText(/^Emmy went out\.\s*Next dealer: Emmy\.$/)).toBeInTheDocument();
  expect(screen.getByText('The match goes to 500.')).toBeInTheDocument();
});

test('points carried over are shown if there were any', () => {
  show({ sheet: { accounts: [62, 43, -20] } });
  expect(account('You')).toHaveTextContent(/Carried over\s*100\s*Total\s*162/);
  expect(account('Emmy')).not.toHaveTextContent('Carried over');
});

test('partners share an account, one table for each of them', () => {
  const seats = [plate('Nora'), plate('Ben'), plate('Cy'), plate('Dee')];
  const sides = {
    accounts: [105, 43],
    totals: [105, 43],
    lines: [...SHEET.lines, []],
    points: [62, 43, 43, 0],
  };
  show({ sheet: sides, shared: { seats }, options: { players: 4, sides: 2, match: 'deals' } });
  expect(within(account('We')).getAllByRole('table')).toHaveLength(2);
  expect(account('They')).toHaveTextContent(/Ben.*Dee/);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/Deal 2 of 2/);
});

describe('what comes next', () => {
  test('is asked for, and the others are waited for', async () => {
    const next = vi.fn();
    show({}, next);
    await userEvent.click(screen.getByRole('button', { name: 'Next deal' }));
    expect(next).toHaveBeenCalledOnce();
  });

  test('waits for those who are not ready', () => {
    show({ shared: { seats: [plate('Nora', { ready: true }), plate('Bo'), bot('Carl')] } });
    expect(screen.queryByRole('button', { name: 'Next deal' })).toBeNull();
    expect(screen.getByRole('status')).toHaveTextContent('Waiting for Bo.');
  });

  test('is the match’s result after the last deal', () => {
    show({ shared: { status: 'over' } }, () => undefined);
    expect(screen.getByRole('button', { name: 'Result of the match' })).toBeInTheDocument();
    expect(screen.queryByText(/Next dealer/)).toBeNull();
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
