import { screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { HintInfo, ReviewCandidate, ReviewPlay } from '$lib/net/protocol';
import { atTable, bot, OWN, plate, type FakeServer } from '../../../testing/table';

const seats = [plate('Nora'), bot('Bo'), bot('Carl')];

const discard = (card: string): ReviewPlay => ({
  code: card,
  kind: 'discard',
  text: `discard ${card}`,
  cards: [{ card, place: null, seat: 0, points: 0 }],
});

const compared = (card: string, lead: number, good: boolean): ReviewCandidate => ({
  play: discard(card),
  lead,
  half: lead ? 2 : 0,
  as_good: good,
});

const SAID: Record<HintInfo['depth'], HintInfo> = {
  possible: { depth: 'possible', plays: [discard('KD'), discard('QD')] },
  reason: {
    depth: 'reason',
    choice: discard('KD'),
    reasons: [{ code: 'thumb.loose', cards: ['KD'] }, { code: 'thumb.of_another_version' }],
  },
  numbers: {
    depth: 'numbers',
    choice: discard('KD'),
    candidates: [compared('KD', 0, true), compared('QD', -0.5, true), compared('2S', -9, false)],
    worlds: 400,
  },
};

async function opened(options = {}): Promise<FakeServer> {
  const server = await atTable({
    shared: { seats },
    options: { hints: 'numbers', hints_a_deal: 3, ...options },
    you: { ...OWN, hints: 1 },
  });
  server.advise = ({ about, depth }) => (about === 'hint' ? { hint: SAID[depth ?? 'possible'] } : {});
  await userEvent.click(await screen.findByRole('button', { name: 'Hint' }));
  return server;
}

test('a hint and the most points now have their own signs and names', async () => {
  await atTable({ shared: { seats }, options: { hints: 'numbers' } });
  const hint = await screen.findByRole('button', { name: 'Hint' });
  const most = screen.getByRole('button', { name: 'Show the most points now' });
  const [one, other] = [hint, most].map((button) => button.querySelector('path')!.getAttribute('d'));
  expect(one).not.toBe(other);
});

test('each depth is requested separately, and logged before it is shown', async () => {
  const server = await opened();
  const panel = within(await screen.findByRole('dialog', { name: 'Hint' }));
  expect(await panel.findByText('What you can play, in no order of quality:')).toBeInTheDocument();
  expect(panel.getByText('1 of 3 used this deal')).toBeInTheDocument();
  expect(server.requests('hint').map(({ depth }) => depth)).toEqual(['possible']);
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(() => panel.getByRole('tabpanel').textContent).toMatch(/fits nothing else in your hand/);
  expect(panel.getByRole('tab', { name: 'Reason' })).toHaveFocus();
  await userEvent.click(panel.getByRole('tab', { name: 'Possible' }));
  expect(server.requests('hint').map(({ depth }) => depth)).toEqual(['possible', 'reason']);
});

test('of two plays that are as good none is recommended', async () => {
  await opened();
  await userEvent.click(await screen.findByRole('tab', { name: 'Numbers' }));
  expect(await screen.findByText('Both are as good, as far as anyone can know.')).toBeInTheDocument();
  expect(screen.getAllByText('as good')).toHaveLength(2);
  expect(screen.queryByText('club would play it')).toBeNull();
});

test('a table offers no more than its host chose, and a refusal is shown', async () => {
  const server = await atTable({ shared: { seats }, options: { hints: 'reason', hints_a_deal: null } });
  server.refuse = ({ type }) => (type === 'hint' ? { reason: { code: 'hint.only' } } : null);
  await userEvent.click(await screen.findByRole('button', { name: 'Hint' }));
  expect(await screen.findByText('There is only one play now: nothing to decide.')).toBeInTheDocument();
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Possible', 'Reason']);
});

test('it closes with the next play, and by Escape, which gives the focus back', async () => {
  const server = await opened();
  await screen.findByRole('dialog', { name: 'Hint' });
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog', { name: 'Hint' })).toBeNull();
  const button = screen.getByRole('button', { name: 'Hint' });
  expect(button).toHaveFocus();
  await userEvent.click(button);
  await screen.findByRole('dialog', { name: 'Hint' });
  await server.update({ shared: { asked: 99 } });
  expect(screen.queryByRole('dialog', { name: 'Hint' })).toBeNull();
});

test.each([
  ['no hints are allowed', { hints: 'none' as const }, seats],
  ['another person plays', { hints: 'numbers' as const }, [plate('Nora'), plate('Bo'), bot('Carl')]],
])('there is no button where %s', async (_, options, others) => {
  await atTable({ shared: { seats: others }, options });
  await screen.findByRole('button', { name: /^Discard/ });
  expect(screen.queryByRole('button', { name: 'Hint' })).toBeNull();
});
