import { screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { SuggestedPlay } from '$lib/net/protocol';
import { atTable, meld, OWN, placed, read, type FakeServer } from '../../../testing/table';

function call(count: number, cards: string[], points: number): SuggestedPlay {
  const then: SuggestedPlay = {
    play: 'lay',
    kind: 'lay',
    cards: cards.map((card) => placed(card, 0)),
    points,
    meld: 0,
    owner: 2,
    meld_kind: 'run',
  };
  return { play: `call ${count}`, kind: 'call', cards: then.cards, points, count, then };
}

/** Nora may call the seven alone, or the three below it with the seven. */
function window(seats = [0, 1], blind = false): Promise<FakeServer> {
  return atTable(
    {
      options: { claim: true, blind_claims: blind, house_rules: ['H6'], claim_s: 60 },
      shared: {
        waiting_for: 'claim',
        actor: null,
        phase: 'claim',
        turn: 2,
        pile: ['3S', '7S'],
        melds: [meld(0, 'run', 2, '4S 5S 6S')],
        claim: { seats, left_ms: 60_000, total_ms: 60_000, counts: [1, 2] },
      },
      you: {
        ...OWN,
        hand: '6H JH KH 3D 10D 2C 9C'.split(' '),
        drawn: null,
        may: ['call', 'let_go'],
        plays: { let_go: 'let go' },
        calls: { '1': 'call 1', '2': 'call 2' },
        discards: {},
      },
    },
    () => ({ options: blind ? [] : [call(2, ['3S', '7S'], 10), call(1, ['7S'], 7)] }),
  );
}

const played = (server: FakeServer): string[] => server.requests('play').map(({ play }) => play);

test('the best call is offered, with what it brings and how long there is for it', async () => {
  const server = await window();
  const claim = await screen.findByRole('region', { name: 'Rummy!' });
  expect(read(claim)).toMatch(/3 of spades in the pile can be played\. You take it and the card on it\./);
  expect(read(claim)).toMatch(/3 of spades 7 of spades on Carl’s run \+10/);
  expect(within(claim).getByRole('timer')).toHaveAccessibleName(/^(60|59) seconds left$/);
  await userEvent.click(screen.getByRole('button', { name: 'Rummy!' }));
  await expect.poll(() => played(server)).toEqual(['call 2']);
});

test('by a clock of days it is open for hours', async () => {
  const server = await window();
  const claim = { seats: [0, 1], left_ms: 7 * 3_600_000, total_ms: 86_400_000, counts: [1, 2] };
  await server.update({ shared: { claim } });
  const timer = within(await screen.findByRole('region', { name: 'Rummy!' })).getByRole('timer');
  expect(timer).toHaveAccessibleName('7 hours left');
  expect(timer).toHaveTextContent(/^7h$/);
});

test('of several cards the one pointed at is called', async () => {
  const server = await window();
  const claim = await screen.findByRole('region', { name: 'Rummy!' });
  expect(claim).toHaveTextContent('Another card can be called too: point at it in the pile.');
  await userEvent.click(screen.getByRole('option', { name: /^7 of spades, 2 of 2/ }));
  expect(read(claim)).toMatch(/7 of spades on the pile can be played\./);
  await userEvent.keyboard('r');
  await expect.poll(() => played(server)).toEqual(['call 1']);
});

test('it may be let go, and then nothing more is asked', async () => {
  const server = await window();
  await userEvent.click(await screen.findByRole('button', { name: 'Let it go' }));
  await expect.poll(() => played(server)).toEqual(['let go']);
  await server.update({
    shared: { claim: { seats: [1], left_ms: 50_000, total_ms: 60_000, counts: [1, 2] } },
    you: { may: [], plays: {}, calls: {} },
  });
  expect(screen.queryByRole('region', { name: 'Rummy!' })).toBeNull();
});

test('with blind claims, a card is chosen, and a wrong claim shows the reason and may be repeated', async () => {
  const server = await window([0, 1], true);
  server.refuse = ({ type }) =>
    type === 'play'
      ? { reason: { code: 'call.count', rule: 'R-CLAIM-2', parts: { most: 2, count: 3 } } }
      : null;
  const claim = await screen.findByRole('region', { name: 'Rummy!' });
  expect(claim).toHaveTextContent('Is there something to call? Point at a card of the pile');
  expect(claim).not.toHaveTextContent('can be played');
  await userEvent.click(screen.getByRole('option', { name: /^3 of spades, 1 of 2/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Rummy!' }));
  await expect.poll(() => played(server)).toEqual(['call 2']);
  expect(await screen.findByRole('alert')).toHaveTextContent('The pile holds 2 cards');
  await userEvent.click(screen.getByRole('option', { name: /^7 of spades, 2 of 2/ }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(claim).toHaveTextContent('Is there something to call?');
  await userEvent.click(screen.getByRole('button', { name: 'Rummy!' }));
  await expect.poll(() => played(server)).toEqual(['call 2', 'call 1']);
});
