import { screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { HintInfo, HintWay, ReviewCandidate, ReviewPlay } from '$lib/net/protocol';
import { atTable, bot, OWN, placed, plate, read, type FakeServer } from '../../../testing/table';

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

const way = (name: HintWay['way'], best: string, second: string): HintWay => ({
  way: name,
  best: discard(best),
  second: discard(second),
  gain: 12,
  half: 5,
  evidence: 'clear',
  chances: [0.44, 0.51],
});

const SAID: Record<HintInfo['depth'], HintInfo> = {
  possible: { depth: 'possible', plays: [discard('KD'), discard('QD')] },
  reason: {
    depth: 'reason',
    choice: discard('KD'),
    evidence: 'clear',
    ways: [way('hold', 'KD', 'QD'), way('lay', 'KD', 'QD')],
    reasons: [{ code: 'thumb.loose', cards: ['KD'] }, { code: 'thumb.of_another_version' }],
  },
  numbers: {
    depth: 'numbers',
    choice: discard('KD'),
    evidence: 'clear',
    ways: [way('hold', 'KD', 'QD'), way('lay', 'KD', 'QD')],
    candidates: [compared('KD', 0, true), compared('QD', -12, false), compared('2S', -19, false)],
    worlds: 400,
  },
};

const DEPENDS: HintInfo = {
  depth: 'numbers',
  ways: [way('hold', 'KD', '2S'), way('lay', '2S', 'KD')],
  worlds: 400,
};

/** The play with the most points. */
const SHORTCUT = {
  play: 'lay QD KD',
  kind: 'lay' as const,
  cards: [placed('QD', 0), placed('KD', 0)],
  points: 20,
  meld: 0,
  owner: 2,
};
const golden = (): (string | null)[] =>
  [...document.querySelectorAll('.act .primary')].map((button) => button.getAttribute('data-action'));

async function opened(options = {}, said: Partial<typeof SAID> = {}): Promise<FakeServer> {
  const server = await atTable({
    shared: { seats },
    options: { hints: 'numbers', hints_a_deal: 3, ...options },
    you: { ...OWN, hints: 1 },
  });
  server.advise = ({ about, depth }) =>
    about === 'hint' ? { hint: { ...SAID, ...said }[depth ?? 'possible'] } : { options: [SHORTCUT] };
  await userEvent.click(await screen.findByRole('button', { name: 'Hint' }));
  return server;
}

test('a hint and the most points now have their own signs and names', async () => {
  await atTable({ shared: { seats }, options: { hints: 'numbers' } });
  const hint = await screen.findByRole('button', { name: 'Hint' });
  const most = screen.getByRole('button', { name: 'Lay the most points' });
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

test('the coach’s play becomes the gold button until other cards are selected', async () => {
  const server = await opened();
  await expect.poll(golden).toEqual(['lay']);
  await userEvent.click(await screen.findByRole('tab', { name: 'Reason' }));
  expect(await screen.findByText('Clearly the best')).toBeInTheDocument();
  expect(screen.getByText('The same whether you hold melds back or lay at once afterwards.')).toBeVisible();
  await expect.poll(golden).toEqual(['discard']);
  expect(screen.getByRole('button', { name: /^Discard/ })).toHaveTextContent('K♦, the coach’s play');
  await userEvent.click(screen.getByRole('button', { name: /^Discard/ }));
  await expect.poll(() => server.requests('play').map(({ play }) => play)).toEqual(['discard KD']);
  await userEvent.click(screen.getByRole('option', { name: /^2 of spades/ }));
  await expect.poll(golden).toEqual([]);
});

test('numbers name what the next best play costs, and the chance to win before and after', async () => {
  await opened();
  await userEvent.click(await screen.findByRole('tab', { name: 'Numbers' }));
  expect(await screen.findByText(/44% after the next best play, 51% after this one/)).toBeInTheDocument();
  expect(screen.getAllByRole('listitem').filter((one) => one.dataset.play)).toHaveLength(3);
});

test.each([
  ['it depends on how one plays on', { numbers: DEPENDS }, 'It depends on how you go on.'],
  [
    'no difference was found',
    { numbers: { ...SAID.numbers, evidence: 'none' as const } },
    /^No difference found/,
  ],
])('no button is gold where %s', async (_, said, words) => {
  await opened({}, said);
  await userEvent.click(await screen.findByRole('tab', { name: 'Numbers' }));
  expect(await screen.findByText(words)).toBeInTheDocument();
  await expect.poll(golden).toEqual([]);
});

test('both ways have their best play where it depends', async () => {
  await opened({}, { numbers: DEPENDS });
  await userEvent.click(await screen.findByRole('tab', { name: 'Numbers' }));
  const hold = (await screen.findByText('If you hold melds back afterwards')).closest('section')!;
  const lay = screen.getByText('If you lay at once whatever you can').closest('section')!;
  expect(read(hold)).toMatch(/Discard king of diamonds.*2 of spades costs 12 ± 5 points/);
  expect(read(lay)).toMatch(/Discard 2 of spades.*king of diamonds costs 12 ± 5 points/);
});

test('a hint is asked for once a decision, and forgotten with the next one', async () => {
  const server = await opened();
  const asked = (): number => server.requests('ask').filter(({ about }) => about === 'hint').length;
  await userEvent.click(await screen.findByRole('tab', { name: 'Reason' }));
  await screen.findByText('Clearly the best');
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: 'Hint' }));
  await userEvent.click(await screen.findByRole('tab', { name: 'Reason' }));
  await screen.findByText('Clearly the best');
  expect(asked()).toBe(2);
  await server.update({ shared: { asked: 99 } });
  await expect.poll(golden).toEqual(['lay']);
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
