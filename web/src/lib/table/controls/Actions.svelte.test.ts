import { screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';

import type { Snapshot, You } from '$lib/net/protocol';
import { settings } from '$lib/app/settings.svelte';
import {
  atTable,
  bot,
  meld,
  OWN,
  placed,
  plate,
  read,
  TO_DRAW,
  type TableSetup,
} from '../../../testing/table';

const action = (name: RegExp): HTMLElement => screen.getByRole('button', { name });
const closed = (name: RegExp): string | null => {
  const button = action(name);
  return button.getAttribute('aria-disabled') === 'true' ? button.querySelector('small')!.textContent : null;
};
const plays = (server: Awaited<ReturnType<typeof atTable>>): string[] =>
  server.requests('play').map(({ play }) => play);

let user = userEvent.setup();
beforeEach(() => {
  user = userEvent.setup();
});

describe('a turn that begins', () => {
  test('offers to draw, or to point at a card to take', async () => {
    const server = await atTable(TO_DRAW);
    expect(
      within(screen.getByRole('group', { name: 'What you can do' })).getAllByRole('button'),
    ).toHaveLength(2);
    await expect.poll(() => closed(/^Take/)).toBe('point at a card');
    await expect.poll(() => closed(/^Draw/)).toBeNull();
    await user.click(action(/^Draw/));
    await expect.poll(() => plays(server)).toEqual(['draw']);
  });

  test('takes the chosen card, or shows why it may not be taken', async () => {
    const server = await atTable(TO_DRAW, ({ about, count }) => {
      if (about !== 'take') return {};
      const lay = {
        play: 'x',
        kind: 'lay' as const,
        cards: [placed('7S', 0, 7)],
        points: 7,
        meld: 0,
        owner: 2,
      };
      const take = {
        play: 'take 1',
        kind: 'take' as const,
        cards: [placed('7S', 0, 0)],
        points: 7,
        count: 1,
      };
      if (count === 1) return { options: [{ ...take, then: { ...lay, meld_kind: 'run' } }] };
      return { reason: { code: 'take.useless', rule: 'R-DRAW-3', card: 'QC', parts: { kind: 'card' } } };
    });
    await user.click(screen.getByRole('option', { name: /^queen of clubs, 1 of 2/ }));
    await expect.poll(() => closed(/^Take 2/)).toBe('no use for it');
    const strip = (name: RegExp): HTMLElement => screen.getByRole('option', { name });
    await expect.poll(() => strip(/^queen of clubs, 1 of 2/)).toHaveClass('up', 'shut');
    await user.click(action(/^Take 2/));
    await expect.poll(() => screen.getByRole('alert').textContent).toMatch(/must be used at once/);
    expect(plays(server)).toEqual([]);
    await user.click(screen.getByRole('option', { name: /^7 of spades, 2 of 2/ }));
    expect(await screen.findByText(/^Take 7 of spades: .*on Carl’s run.*\+7$/)).toBeInTheDocument();
    await expect.poll(() => strip(/^7 of spades, 2 of 2/)).toHaveClass('up');
    expect(strip(/^7 of spades, 2 of 2/)).not.toHaveClass('shut');
    await user.click(action(/^Take 1/));
    await expect.poll(() => plays(server)).toEqual(['take 1']);
  });

  test('shows why a card may not be taken if pressed before the answer arrives', async () => {
    let answer = (): void => undefined;
    const reason = { code: 'take.useless', rule: 'R-DRAW-3', card: 'QC', parts: { kind: 'card' } } as const;
    await atTable(TO_DRAW, ({ about }) =>
      about === 'take' ? new Promise((answered) => (answer = () => answered({ reason }))) : {},
    );
    await user.click(screen.getByRole('option', { name: /^queen of clubs, 1 of 2/ }));
    await user.click(action(/^Take 2/));
    answer();
    await expect.poll(() => screen.getByRole('alert').textContent).toMatch(/must be used at once/);
  });

  test('shows where the next card comes from, or that there is none', async () => {
    await atTable({ ...TO_DRAW, shared: { ...TO_DRAW.shared, stock: 0 } });
    await expect.poll(() => action(/^Draw/)).toHaveTextContent('the pile is shuffled again');
  });

  test('offers the end, or to pass, where the stock is empty', async () => {
    const you: You = { ...TO_DRAW.you!, may: ['take', 'end'], plays: { end: 'end' } };
    const server = await atTable({ ...TO_DRAW, you, shared: { ...TO_DRAW.shared, stock: 0 } });
    expect(screen.queryByRole('button', { name: /^Draw/ })).toBeNull();
    await user.click(action(/^End the deal/));
    await server.update({ you: { may: ['take', 'pass'], plays: { pass: 'pass' } } });
    await user.click(action(/^Pass/));
    await expect.poll(() => plays(server)).toEqual(['end', 'pass']);
  });
});

describe('without a connection', () => {
  const buttons = (): string[] =>
    within(screen.getByRole('group', { name: 'What you can do' }))
      .getAllByRole('button')
      .map((button) => button.querySelector('.label')!.textContent!);
  const ALONE: TableSetup['shared'] = { speed: 'normal' };

  test.each<[string, TableSetup]>([
    ['to draw', { ...TO_DRAW, shared: { ...TO_DRAW.shared, ...ALONE } }],
    ['to lay', { shared: ALONE }],
    ['to pass', { ...TO_DRAW, shared: ALONE, you: { ...TO_DRAW.you!, may: ['take', 'pass'] } }],
    ['to call', { shared: ALONE, you: { ...OWN, may: ['call', 'let_go'], calls: { '1': 'call 1' } } }],
  ])('the buttons of a turn %s stay, closed, and say why', async (_, setup) => {
    const server = await atTable(setup);
    const before = buttons();
    await server.cut();
    expect(buttons()).toEqual(before);
    expect(screen.queryByRole('radiogroup', { name: 'Speed of the bots' })).toBeNull();
    expect(screen.getAllByText('no connection')).toHaveLength(before.length);
    await user.click(screen.getAllByText('no connection')[0]!);
    await expect.poll(() => screen.getByRole('alert').textContent).toMatch(/^Connection lost/);
    expect(plays(server)).toEqual([]);
  });

  test('the speed of bots stays and cannot be changed', async () => {
    const server = await atTable({ shared: { ...ALONE, actor: 1, turn: 1 }, you: { ...OWN, may: [] } });
    await server.cut();
    for (const speed of screen.getAllByRole('radio')) expect(speed).toBeDisabled();
    expect(screen.getByRole('button', { name: /^To my turn/ })).toBeDisabled();
  });
});

describe('the middle of a turn', () => {
  const best = {
    play: 'lay QD KD',
    kind: 'lay' as const,
    cards: [placed('QD', 0), placed('KD', 0)],
    points: 20,
    meld: 0,
    owner: 2,
    meld_kind: 'run',
  };

  test('has what the rules suggest on its buttons, and Enter plays it', async () => {
    const server = await atTable({}, () => ({ options: [best] }));
    await expect
      .poll(() => action(/^Lay off/))
      .toHaveTextContent(/most points now: .*Q♦ K♦ .*on Carl’s run.*\+20/);
    await expect.poll(() => closed(/^Meld/)).toBe('select cards');
    await user.keyboard('{Enter}');
    await expect.poll(() => plays(server)).toEqual(['lay QD KD']);
  });

  test('shows the points of a meld alone, whose cards are raised, and names the cards', async () => {
    await atTable({}, () => ({ options: [{ ...best, kind: 'meld' as const, meld: undefined }] }));
    await expect.poll(() => action(/^Meld/).querySelector('small')).toHaveTextContent('most points now: +20');
    expect(action(/^Meld most points now: .*Q♦ K♦ .*\+20/)).toBeInTheDocument();
  });

  test('suggests nothing if the player turned suggestions off', async () => {
    settings.suggestions = false;
    await atTable({}, () => ({ options: [best] }));
    expect([closed(/^Meld/), closed(/^Lay off/), closed(/^Discard/)]).toEqual([
      'select cards',
      'select cards',
      'select a card',
    ]);
  });

  test('is labelled as the most points, and can be switched off there', async () => {
    await atTable({}, () => ({ options: [best] }));
    const most = screen.getByRole('button', { name: 'Lay the most points' });
    expect(most).toHaveAttribute('aria-pressed', 'true');
    expect(most).toHaveAttribute('title', expect.stringMatching(/often that is not the best play/i));
    await user.click(most);
    await expect.poll(() => closed(/^Lay off/)).toBe('select cards');
    expect(most).toHaveAttribute('aria-pressed', 'false');
    await user.click(most);
    await expect.poll(() => action(/^Lay off/)).toHaveTextContent(/most points now/);
  });

  test('does not call what the player selected anything', async () => {
    await atTable({}, ({ about }) => ({ options: about === 'cards' ? [best] : [] }));
    await user.click(screen.getByRole('option', { name: /^queen of diamonds/ }));
    await expect.poll(() => action(/^Lay off(?! here)/).textContent).toMatch(/\+20/);
    expect(action(/^Lay off(?! here)/)).not.toHaveTextContent(/most points/);
  });

  test('shows what cards lack for a meld, also if they could be laid off', async () => {
    await atTable({}, ({ about }) =>
      about === 'cards'
        ? {
            options: [{ ...best, play: 'lay QD', cards: [placed('QD', 0)], points: 10 }],
            refused: {
              meld: { code: 'meld.alone', rule: 'R-MELD-1', card: 'QD', parts: { ranks: 'Q', suit: 'D' } },
            },
          }
        : {},
    );
    await user.click(screen.getByRole('option', { name: /^queen of diamonds/ }));
    await user.click(action(/^Meld/));
    expect(read(await screen.findByRole('alert'))).toBe(
      'queen of diamonds alone is not a meld: it takes two more queens, or two neighbours in diamonds.',
    );
  });

  test('discards the one card that is selected', async () => {
    const server = await atTable();
    const card = screen.getByRole('option', { name: /^king of diamonds/ });
    await user.click(card);
    expect(card).toHaveAttribute('aria-selected', 'true');
    await expect.poll(() => action(/^Discard/)).toHaveTextContent('K♦');
    await user.click(screen.getByRole('option', { name: /^2 of spades/ }));
    await expect.poll(() => closed(/^Discard/)).toBe('select one card');
    await user.click(action(/^Discard/));
    expect(await screen.findByRole('alert')).toHaveTextContent('Only one card is discarded');
    await user.click(screen.getByRole('option', { name: /^2 of spades/ }));
    await user.click(action(/^Discard/));
    await expect.poll(() => plays(server)).toEqual(['discard KD']);
  });

  test('asks what the selected cards can do, and shows what they make', async () => {
    const server = await atTable({}, ({ about }) =>
      about === 'cards'
        ? { options: [{ ...best, play: 'lay QD', cards: [placed('QD', 0)], points: 10 }] }
        : {},
    );
    await user.click(screen.getByRole('option', { name: /^queen of diamonds/ }));
    expect(await screen.findByRole('button', { name: /Lay off here: Carl’s run/ })).toBeInTheDocument();
    await expect.poll(() => server.requests('ask').at(-1)).toMatchObject({ about: 'cards', cards: ['QD'] });
    await expect.poll(() => closed(/^Meld/)).toBe('no meld');
    await user.click(screen.getByRole('button', { name: /Lay off here: Carl’s run/ }));
    await expect.poll(() => plays(server)).toEqual(['lay QD']);
  });

  test('waits with the discard for a card that must be used', async () => {
    const server = await atTable(
      { shared: { phase: 'use', must_use: '7H' }, you: { ...OWN, may: ['lay'], discards: {} } },
      () => ({ refused: { discard: { code: 'use.first', card: '7H' } } }),
    );
    expect(read(screen.getByText('You must use', { exact: false }))).toBe(
      'You must use 7 of hearts now: meld it or lay it off.',
    );
    expect(screen.getByRole('option', { name: /^7 of hearts.*must be used now/ })).toBeInTheDocument();
    await expect.poll(() => action(/^Discard, unavailable:/)).toHaveTextContent('first use 7♥');
    await user.click(screen.getByRole('option', { name: /^king of diamonds/ }));
    await user.click(action(/^Discard/));
    expect(read(await screen.findByRole('alert'))).toMatch(/^You must use 7 of hearts now/);
    expect(plays(server)).toEqual([]);
  });

  test('shows the same refusal again', async () => {
    await atTable();
    await user.keyboard('x');
    const first = await screen.findByRole('alert');
    expect(first).toHaveTextContent('Select the card to discard first.');
    await user.keyboard('x');
    await expect.poll(() => screen.getByRole('alert') !== first).toBe(true);
    expect(screen.getByRole('alert')).toHaveTextContent('Select the card to discard first.');
  });

  test('names the card that was taken alone and may not be thrown', async () => {
    const why = { code: 'discard.taken', rule: 'R-DISC-1', card: '2D' };
    await atTable({ you: { ...OWN, discards: { ...OWN.discards, '2D': undefined! } } }, () => ({
      refused: { '2D': why },
    }));
    await user.click(screen.getByRole('option', { name: /^2 of diamonds/ }));
    await expect.poll(() => closed(/^Discard/)).toMatch(/2♦/);
    await user.click(action(/^Discard/));
    expect(read(await screen.findByRole('alert'))).toMatch(/2 of diamonds/);
  });

  test('takes back a play where that is allowed', async () => {
    const server = await atTable();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    await server.update({ you: { undo: 2 } });
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await expect.poll(() => server.requests('undo')).toHaveLength(1);
  });
});

describe('another’s turn', () => {
  test('names the player, and allows no play', async () => {
    const you = { ...OWN, may: [], discards: {} };
    const server = await atTable({ shared: { actor: 1, turn: 1 }, you });
    expect([closed(/^Meld/), closed(/^Discard/)]).toEqual(['Emmy’s turn', 'Emmy’s turn']);
    await user.keyboard('m');
    await user.keyboard('{Enter}');
    expect(plays(server)).toEqual([]);
    await server.update({ shared: { status: 'paused' } });
    await expect.poll(() => closed(/^Meld/)).toBe('paused');
    await server.cut();
    await expect.poll(() => closed(/^Meld/)).toBe('no connection');
  });
});

describe('single keys', () => {
  const three = { play: 'meld', kind: 'meld' as const, points: 15, meld_kind: 'run' };
  const run = { ...three, cards: ['5C', '6C', '7H'].map((card) => placed(card, 0, 5)) };

  test.each([
    ['d', TO_DRAW, 'draw'],
    ['m', {}, 'meld'],
  ])('%s', async (key, setup, play) => {
    const server = await atTable(setup, ({ about }) => ({ options: about === 'turn' ? [run] : [] }));
    await user.keyboard(key);
    await expect.poll(() => plays(server)).toEqual([play]);
  });

  const company: [string, Partial<Snapshot>][] = [
    ['a person sits there', { seats: [plate('Nora'), plate('Emmy'), bot('Carl')] }],
    ['somebody watches', { watching: 1 }],
  ];

  test.each(company)('ask before they lay cards that nobody selected where %s', async (_, shared) => {
    const server = await atTable({ shared }, ({ about }) => ({ options: about === 'turn' ? [run] : [] }));
    for (const key of ['m', '{Enter}']) {
      await user.keyboard(key);
      const question = await screen.findByRole('group', { name: /it cannot be taken back/ });
      expect(plays(server)).toEqual([]);
      await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    }
    await user.keyboard('m');
    await screen.findByRole('group', { name: /it cannot be taken back/ });
    await user.keyboard('1');
    await expect.poll(() => plays(server)).toEqual(['meld']);
  });

  test('ask nothing where the others are away', async () => {
    const seats = [plate('Nora'), plate('Emmy', { here: false }), bot('Carl')];
    const server = await atTable({ shared: { seats } }, ({ about }) => ({
      options: about === 'turn' ? [run] : [],
    }));
    await user.keyboard('m');
    await expect.poll(() => plays(server)).toEqual(['meld']);
  });

  test('ask nothing of cards that were selected', async () => {
    const seats = [plate('Nora'), plate('Emmy'), bot('Carl')];
    const server = await atTable({ shared: { seats } }, () => ({ options: [run] }));
    await user.click(screen.getByRole('option', { name: /^5 of clubs/ }));
    await user.keyboard('m');
    await expect.poll(() => plays(server)).toEqual(['meld']);
  });

  test('do nothing where they are turned off', async () => {
    settings.keys = false;
    const server = await atTable(TO_DRAW);
    await user.keyboard('d');
    expect(plays(server)).toEqual([]);
  });

  test('are listed', async () => {
    await atTable();
    await user.keyboard('?');
    const panel = await screen.findByRole('dialog', { name: 'Keyboard' });
    expect(await within(panel).findByText('Walk through hand or pile')).toBeInTheDocument();
    await user.click(within(panel).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

test('partners have one account, and what lies on the table counts for both', async () => {
  await atTable({
    options: { players: 4, sides: 2, profile: 'persian-rummy', title: 'Persian Rummy', match: 'deals' },
    shared: {
      seats: [plate('Nora'), plate('Ben'), plate('Cy'), plate('Dee')],
      accounts: [120, 80],
      laid: [10, 0, 59, 5],
      hand_sizes: [8, 7, 1, 7],
      known: [[], [], [], []],
      melds: [meld(0, 'run', 2, '9D 10D JD')],
    },
  });
  const scores = screen.getByRole('group', { name: 'Scores' });
  expect(scores).toHaveTextContent(/We\s*120\s*\+69/);
  expect(scores).toHaveTextContent(/They\s*80\s*\+5/);
});
