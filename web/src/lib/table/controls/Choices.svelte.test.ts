import { screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import type { SuggestedPlay } from '$lib/net/protocol';
import { atTable, meld as placedMeld, OWN, placed, read, type FakeServer } from '../../../testing/table';

/** A table that offers these plays, whichever cards are selected. */
function offering(options: SuggestedPlay[], hand = OWN.hand!): Promise<FakeServer> {
  return atTable({ you: { ...OWN, hand, drawn: null, discards: {} } }, ({ about }) => ({
    options: about === 'cards' ? options : [],
  }));
}

const meld = (
  play: string,
  cards: string,
  points: number,
  more: Partial<SuggestedPlay> = {},
): SuggestedPlay => ({
  play,
  kind: 'meld',
  cards: cards.split(' ').map((card) => {
    const [shown = '', place = null] = card.split('=');
    return placed(shown, 0, 8, place);
  }),
  points,
  meld_kind: 'set',
  ...more,
});
const lay = (play: string, on: number, kind: string, more: Partial<SuggestedPlay> = {}): SuggestedPlay => ({
  play,
  kind: 'lay',
  cards: [placed('QD', 0)],
  points: 10,
  meld: on,
  owner: 2,
  meld_kind: kind,
  ...more,
});

/** The question between the two melds that the table begins with. */
const QUESTION = 'On Carl’s 9–J♦ or Carl’s three queens?';

const played = (server: FakeServer): string[] => server.requests('play').map(({ play }) => play);

async function select(...names: RegExp[]): Promise<void> {
  for (const name of names) await userEvent.click(screen.getByRole('option', { name }));
}

/** Two runs of one player. */
const TWO_RUNS = [placedMeld(0, 'run', 2, '9D 10D JD'), placedMeld(1, 'run', 2, '4D 5D 6D 7D 8D')];

describe('on which meld', () => {
  const both = [lay('on the run', 0, 'run'), lay('on the set', 1, 'set')];

  test('is asked, and answered by mouse', async () => {
    const server = await offering(both);
    await select(/^queen of diamonds/);
    await userEvent.click(screen.getByRole('button', { name: /^Lay off 2 ways|^Lay off/ }));
    const question = await screen.findByRole('group', { name: QUESTION });
    const options = within(question).getAllByRole('button').slice(1);
    expect(options.map(read)).toEqual([
      '1 queen of diamonds on Carl’s run +10',
      '2 queen of diamonds on Carl’s set +10',
    ]);
    expect(options[0]).toHaveFocus();
    await userEvent.click(options[1]!);
    await expect.poll(() => played(server)).toEqual(['on the set']);
    expect(screen.queryByRole('group', { name: QUESTION })).toBeNull();
  });

  test('is answered by a digit, and taken back by Escape or a press', async () => {
    const server = await offering(both);
    const question = (): HTMLElement | null => screen.queryByRole('group', { name: QUESTION });
    await select(/^queen of diamonds/);
    await userEvent.keyboard('l');
    await expect.poll(question).not.toBeNull();
    await userEvent.keyboard('{Escape}');
    expect(question()).toBeNull();
    await userEvent.keyboard('l');
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(question()).toBeNull();
    expect(played(server)).toEqual([]);
    await userEvent.keyboard('l');
    await expect.poll(question).not.toBeNull();
    await userEvent.keyboard('2');
    await expect.poll(() => played(server)).toEqual(['on the set']);
  });

  test('shows the cards of melds that have the same name', async () => {
    const options = [lay('on the first', 0, 'run'), lay('on the second', 1, 'run')];
    await atTable(
      { shared: { melds: TWO_RUNS }, you: { ...OWN, drawn: null, discards: {} } },
      ({ about }) => ({
        options: about === 'cards' ? options : [],
      }),
    );
    await select(/^queen of diamonds/);
    await userEvent.click(screen.getByRole('button', { name: /^Lay off/ }));
    const question = await screen.findByRole('group', { name: 'On Carl’s 9–J♦ or Carl’s 4–8♦?' });
    expect(within(question).getAllByRole('button').slice(1).map(read)).toEqual([
      '1 queen of diamonds on Carl’s run 9 of diamonds 10 of diamonds jack of diamonds +10',
      '2 queen of diamonds on Carl’s run 4 of diamonds … 8 of diamonds +10',
    ]);
  });

  test('is not asked if the player points at it', async () => {
    const server = await offering(both);
    await select(/^queen of diamonds/);
    await userEvent.click(await screen.findByRole('button', { name: /^Lay off here: Carl’s set/ }));
    await expect.poll(() => played(server)).toEqual(['on the set']);
  });
});

describe('the card that a joker represents', () => {
  test('is asked', async () => {
    const hand = 'JK JK 5S 6S 8H 8C KD'.split(' ');
    const ways = [
      meld('below', '5S 6S JK=4S', 26, { meld_kind: 'run' }),
      meld('above', '5S 6S JK=7S', 26, { meld_kind: 'run' }),
    ];
    const server = await offering(ways, hand);
    await select(/^5 of spades/, /^6 of spades/);
    await userEvent.click(screen.getAllByRole('option', { name: /^joker/ })[0]!);
    await userEvent.click(screen.getByRole('button', { name: /^Meld/ }));
    const question = await screen.findByRole('group', { name: 'What does the joker stand for?' });
    const options = within(question).getAllByRole('button').slice(1);
    expect(options.map(read)).toEqual([
      expect.stringMatching(/joker as 4 of spades/),
      expect.stringMatching(/joker as 7 of spades/),
    ]);
    await userEvent.click(options[1]!);
    await expect.poll(() => played(server)).toEqual(['above']);
  });
});

describe('three of four that would double', () => {
  const hand = '8S 8H 8D 8C 2S 4D QH'.split(' ');
  const three = meld('three', '8S 8H 8D', 24, { fourth: true });
  const four = meld('four', '8S 8H 8D 8C', 64, { doubled: true });

  async function asked(): Promise<[FakeServer, HTMLElement[]]> {
    const server = await atTable({ you: { ...OWN, hand, drawn: null, discards: {} } }, ({ about }) => ({
      options: about === 'cards' ? [three] : [four],
    }));
    await select(/^8 of spades/, /^8 of hearts/, /^8 of diamonds/);
    await screen.findByText(/With the fourth too, it counts double/, { selector: '[role=status]' });
    await userEvent.click(screen.getByRole('button', { name: /^Meld/ }));
    const question = await screen.findByRole('group', { name: /^You hold the fourth as well/ });
    return [server, within(question).getAllByRole('button').slice(1)];
  }

  test('are pointed out', async () => {
    const [server, [all, only]] = await asked();
    expect(read(all!)).toMatch(/^1 All four .*8 of clubs.* \+64$/);
    expect(read(only!)).toMatch(/^2 Only three .* \+24$/);
    await userEvent.click(all!);
    await expect.poll(() => played(server)).toEqual(['four']);
  });

  test('may be laid all the same', async () => {
    const [server, [, only]] = await asked();
    await userEvent.click(only!);
    await expect.poll(() => played(server)).toEqual(['three']);
  });
});

test('a refusal takes the question away', async () => {
  const server = await offering([lay('on the run', 0, 'run'), lay('on the set', 1, 'set')]);
  server.refuse = ({ type }) => (type === 'play' ? { reason: { code: 'play.stale' } } : null);
  await select(/^queen of diamonds/);
  await userEvent.keyboard('l');
  await userEvent.click((await screen.findAllByRole('button', { name: /queen of diamonds on/ }))[0]!);
  expect(await screen.findByRole('alert')).toBeInTheDocument();
  expect(screen.queryByRole('group', { name: QUESTION })).toBeNull();
});
