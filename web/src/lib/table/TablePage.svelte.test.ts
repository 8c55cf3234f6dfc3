import { screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import type { TableEvent } from '$lib/net/protocol';
import { settings } from '$lib/app/settings.svelte';
import { SPECTATOR } from '$lib/net/blank';
import { atTable, bot, OWN, placed, plate } from '../../testing/table';

const log = (): HTMLElement => screen.getByRole('log', { name: 'What happens at the table' });
const event = (kind: string, more: Partial<TableEvent> = {}): TableEvent => ({
  number: 19,
  kind,
  seat: 0,
  ...more,
});

describe('what happens', () => {
  test('is in the log with the names of cards', async () => {
    const server = await atTable();
    await server.update({ events: [event('discard', { card: 'KD' })] });
    await server.update({
      events: [
        event('meld', {
          seat: 1,
          laid: ['8S', '8H', '8D', '8C'].map((card) => placed(card, 1)),
          points: 64,
          doubled: true,
        }),
        event('lay', { laid: [placed('QD', 0)], meld: 1, owner: 2, meld_kind: 'set', points: 10 }),
        event('call', { seat: 2, cards: ['7S'] }),
        event('restock', { seat: null, stock: 25, count: 25 }),
      ],
    });
    expect(within(log()).getByText('You discarded king of diamonds.')).toBeInTheDocument();
    expect(log()).toHaveTextContent(/Emmy melded .*8 of clubs\. Four at once: doubled\. 64 points\./);
    expect(log()).toHaveTextContent('You laid off queen of diamonds on Carl’s set. 10 points.');
    expect(log()).toHaveTextContent('Carl called “Rummy!” and took 7 of spades');
  });

  test('interrupts if it starts the player’s turn', async () => {
    const you = { ...OWN, may: [], discards: {} };
    const server = await atTable({ shared: { actor: 1, turn: 1, phase: 'draw' }, you });
    await server.update({ shared: { actor: 0, turn: 0 }, you: { may: ['draw'], plays: { draw: 'draw' } } });
    const urgent = document.querySelector('[aria-live=assertive]')!;
    expect(urgent).toHaveTextContent('Your turn: draw, or take from the pile.');
  });
});

describe('a seat', () => {
  test('is named with hand, points, dealer, turn and known cards', async () => {
    await atTable({ shared: { known: [[], ['QC', '2D'], []], totals: [10, 20, 30], actor: 1, turn: 1 } });
    expect(screen.getByRole('region', { name: /^Emmy/ })).toHaveAccessibleName(
      /^Emmy, 20 points, bot, Dealer, to play, 7 cards; holds queen of clubs and 2 of diamonds$/,
    );
    expect(screen.getByRole('region', { name: /^Carl/ })).toHaveAccessibleName(/1 card\b/);
  });

  test('is shown as away, and when a bot will play', async () => {
    const away = plate('Bo', { here: false, bot_in_ms: 30_000 });
    const server = await atTable({ shared: { seats: [plate('Nora'), away, bot('Carl')] } });
    expect(screen.getByRole('region', { name: /^Bo/ })).toHaveTextContent('away, bot in 30 s');
    await server.update({ shared: { seats: [plate('Nora'), { ...away, bot_in_ms: 0 }, bot('Carl')] } });
    expect(screen.getByRole('region', { name: /^Bo/ })).toHaveTextContent('away, bot plays');
  });
});

describe('clocks', () => {
  test('run from the server’s time, and stop while disconnected', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const server = await atTable({
        options: { turn_s: 60, bank_s: 90 },
        shared: {
          clock: { seat: 0, turn_ms: 59_500, bank_ms: 90_000, running: true },
          banks: [90_000, 80_000, 70_000],
        },
      });
      const own = within(screen.getByRole('region', { name: 'Your place' }));
      expect(own.getByText(/^(1:00|0:59)/)).toBeInTheDocument();
      await vi.advanceTimersByTimeAsync(30_000);
      expect(own.getByText(/^0:(30|29)/)).toBeInTheDocument();
      expect(screen.getByRole('region', { name: /^Emmy/ })).toHaveTextContent('bank 1:20');
      await server.cut();
      const stopped = own.getByText(/^0:(30|29|28)/).textContent;
      await vi.advanceTimersByTimeAsync(10_000);
      expect(own.getByText(/^0:(30|29|28)/).textContent).toBe(stopped);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a clock of days', () => {
  const DAY_MS = 86_400_000;
  const days = {
    options: { turn_s: 86_400, bank_s: 2 * 86_400 },
    shared: {
      actor: 1,
      turn: 1,
      clock: { seat: 1, turn_ms: DAY_MS - 1000, bank_ms: 2 * DAY_MS, running: true },
      banks: [DAY_MS, 2 * DAY_MS, 2 * DAY_MS],
      seats: [plate('Nora'), plate('Bo', { here: false }), plate('Cy', { here: false })],
    },
  };

  test('is shown in days and hours, and nobody is away', async () => {
    await atTable(days);
    const bo = screen.getByRole('region', { name: /^Bo/ });
    expect(bo).toHaveTextContent(/23h 59m bank 2d/);
    expect(bo).not.toHaveTextContent('away');
    expect(bo).not.toHaveAccessibleName(/away/);
    expect(screen.getByRole('region', { name: /^Cy/ })).toHaveTextContent('bank 2d');
    expect(screen.getByRole('region', { name: 'Your place' })).toHaveTextContent('bank 1d');
  });

  test('does not stop while all are away', async () => {
    const seats = days.shared.seats.map((each) => ({ ...each, here: false }));
    await atTable({ ...days, you: SPECTATOR, shared: { ...days.shared, seats } });
    expect(screen.queryByText(/^Away:/)).toBeNull();
  });
});

describe('a spectator who has lost the cookie', () => {
  const seats = [plate('Ada'), plate('Ben', { here: false, ask_in_ms: 0 }), bot('Cy')];
  const asked = { number: 7, seat: 1, words: 'blue lantern', mine: true, outcome: null };

  test('asks the table for the seat of somebody who is away', async () => {
    const server = await atTable({ you: SPECTATOR, shared: { seats } });
    expect(await screen.findByRole('heading', { name: 'Is one of these seats yours?' })).toHaveFocus();
    expect(screen.getAllByRole('radio')).toHaveLength(1);
    expect(screen.getByRole('radio', { name: 'Ben: this is me' })).toBeChecked();
    await userEvent.click(screen.getByRole('button', { name: 'Ask the table' }));
    await expect.poll(() => server.requests('ask_for_seat')).toMatchObject([{ seat: 1 }]);
    await server.update({ you: { seat_request: asked } });
    expect(screen.getByText('blue lantern')).toBeInTheDocument();
    expect(screen.getByText(/^Asked: Ada\. One yes is enough/)).toBeInTheDocument();
    await server.update({ you: { seat_request: { ...asked, outcome: 'unanswered' } } });
    expect(screen.getByText('Nobody answered.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Ask again' })).toBeInTheDocument();
    await server.update({ you: { seat_request: { ...asked, outcome: 'refused' } } });
    expect(screen.getByText(/^The table said no\./)).toBeInTheDocument();
  });

  test('has to wait until the person has been away for a while', async () => {
    const soon = [plate('Ada'), plate('Ben', { here: false, ask_in_ms: 30_000 }), bot('Cy')];
    await atTable({ you: SPECTATOR, shared: { seats: soon } });
    expect(await screen.findByText(/^No seat can be asked for now/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Ask the table' })).toBeNull();
  });

  test('may only watch, and come back to the question', async () => {
    await atTable({ you: SPECTATOR, shared: { seats } });
    await userEvent.click(await screen.findByRole('button', { name: 'Only watch' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Is this you?' }));
    expect(await screen.findByRole('heading', { name: 'Is one of these seats yours?' })).toBeVisible();
  });

  test.each([
    [
      'at a public table',
      { private: false },
      [plate('Ada'), plate('Ben', { here: false }), bot('Cy')],
      /^Everybody/,
    ],
    ['with bots alone', {}, [plate('Ada', { here: false }), bot('Ben'), bot('Cy')], /^Only bots play here/],
  ])('shows %s why the table cannot help', async (_, options, plates, sentence) => {
    await atTable({ you: SPECTATOR, options, shared: { seats: plates } });
    await userEvent.click(await screen.findByRole('button', { name: 'Is this you?' }));
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Ask the table' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Recovery words' })).toBeInTheDocument();
  });

  test('shows on the old device that the seat has moved', async () => {
    await atTable({ you: { ...SPECTATOR, lost_seat: 1 }, shared: { seats } });
    expect(await screen.findByText(/^Your seat at this table has moved/)).toBeInTheDocument();
  });
});

describe('a question about a seat', () => {
  const seats = [plate('Nora'), plate('Ben', { here: false, ask_in_ms: 0, asked_for: 7 }), plate('Cy')];
  const request = { number: 7, seat: 1, words: 'blue lantern', mine: false, outcome: null };

  test.each([
    ['Not Ben', false],
    ['Give Ben the seat', true],
  ])('is answered by a player: %s', async (name, yes) => {
    const server = await atTable({ shared: { seats }, you: { ...OWN, seat_request: request } });
    await userEvent.click(await screen.findByRole('button', { name: 'Ben’s seat: answer' }));
    expect(await screen.findByText('blue lantern')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name }));
    await expect.poll(() => server.requests('answer_seat')).toMatchObject([{ request: 7, yes }]);
  });

  test('is answered by the seat’s own device', async () => {
    const server = await atTable({ you: { ...OWN, seat_request: { ...request, seat: 0 } } });
    expect(await screen.findByText(/^Another device asks for your seat/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Your seat: answer' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Not mine' }));
    await expect.poll(() => server.requests('answer_seat')).toMatchObject([{ yes: false }]);
  });
});

test('a spectator sees that all players have left', async () => {
  const away = { here: false };
  await atTable({ you: SPECTATOR, shared: { seats: [plate('Ada', away), bot('Ben'), plate('Cy', away)] } });
  expect(screen.getByText(/Away: Ada and Cy\./)).toBeInTheDocument();
});

test('a lost connection is shown, and what was missed meanwhile', async () => {
  const server = await atTable();
  await server.cut();
  expect(screen.getByText(/connection/i, { selector: '[role=status]' })).toBeInTheDocument();
  expect(within(screen.getByRole('listbox', { name: /^Your hand/ })).getAllByRole('option')).toHaveLength(8);
  server.next = {
    missed: [event('discard', { seat: 1, card: '2C' }), event('draw', { seat: 2 })],
    gap: true,
  };
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }));
  expect(await screen.findByText(/2 plays/)).toBeInTheDocument();
});

describe('before the deal', () => {
  test('the pack is spread for a player that draws by hand', async () => {
    settings.cutMyself = true;
    const server = await atTable({
      shared: {
        waiting_for: 'draw',
        phase: null,
        deal: 0,
        positions: [2, 3, 4],
        drawn: [[], [], []],
        hand_sizes: [],
      },
      you: { ...OWN, hand: [], may: [], discards: {} },
    });
    expect(await screen.findByRole('heading', { name: 'Draw a card' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('option', { name: 'Card 1 of 5, face down' }));
    expect(server.requests('pick')).toEqual([]);
    const third = screen.getByRole('option', { name: 'Card 3 of 5, face down' });
    third.focus();
    await userEvent.keyboard('{Home}');
    expect(third).toHaveFocus();
    await userEvent.keyboard('{ArrowRight}{Enter}');
    await expect.poll(() => server.requests('pick').map(({ position }) => position)).toEqual([3]);
    await server.update({ shared: { actor: 1 } });
    expect(screen.getByRole('heading', { name: 'Emmy draws a card' })).toBeInTheDocument();
    await server.update({ shared: { actor: null, waiting_for: 'shuffle' } });
    expect(screen.getByRole('heading', { name: 'The cards are being shuffled' })).toBeInTheDocument();
  });

  test('the pack is cut where the player chooses', async () => {
    settings.cutMyself = true;
    const server = await atTable({
      shared: { waiting_for: 'cut', phase: null, deal: 0, positions: [4, 48], hand_sizes: [] },
      you: { ...OWN, hand: [], may: [], discards: {} },
    });
    expect(await screen.findByRole('heading', { name: 'Cut the pack' })).toBeInTheDocument();
    expect(screen.getByText('After card 26')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Cut here' }));
    await expect.poll(() => server.requests('pick').map(({ position }) => position)).toEqual([26]);
  });

  test('both are done at once, by chance, for other players', async () => {
    const server = await atTable({
      shared: { waiting_for: 'draw', phase: null, deal: 0, positions: [2, 3, 4], hand_sizes: [] },
      you: { ...OWN, hand: [], may: [], discards: {} },
    });
    await expect.poll(() => server.requests('pick').length).toBe(1);
    expect([2, 3, 4]).toContain(server.requests('pick')[0]!.position);
  });
});
