import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import type { Company } from './tableDraft.svelte';
import { settings, usualPlay, type LastPlay } from '$lib/app/settings.svelte';
import { answering, CHOICES, type Request } from '../../../testing/http';
import type { RuleChoice } from '$lib/net/protocol';
import NewTable from './NewTable.svelte';

const choose = (group: string, name: string | RegExp): Promise<void> =>
  userEvent.click(within(screen.getByRole('radiogroup', { name: group })).getByRole('radio', { name }));

const press = (name: string | RegExp): Promise<void> => userEvent.click(screen.getByRole('button', { name }));

/** The page at its second step. */
async function open(replies: Record<string, unknown> = {}, company: Company = 'friends'): Promise<Request[]> {
  const asked = answering({
    'POST /api/tables': { id: 'new' },
    'GET /api/choices/500-rum': CHOICES,
    'GET /api/choices/persian-rummy': CHOICES.slice(0, 1),
    ...replies,
  });
  render(NewTable, { company, step: 'table' });
  await screen.findByRole('button', { name: 'Make the table' });
  return asked;
}

/** The checkbox of a house rule or variation. */
async function box(id: string): Promise<HTMLInputElement> {
  const all = await screen.findAllByRole<HTMLInputElement>('checkbox');
  return all.find((each) => each.value === id)!;
}

async function made(asked: Request[], button = 'Make the table'): Promise<unknown> {
  await press(button);
  await expect.poll(() => asked.some(({ method }) => method === 'POST')).toBe(true);
  return asked.find(({ method }) => method === 'POST')!.body;
}

const last = (profile: string, more: Partial<LastPlay> = {}): LastPlay => ({
  ...usualPlay(profile),
  ...more,
});

test('what is not changed is as usual, and private', async () => {
  const asked = await open();
  expect(await made(asked)).toEqual({
    profile: '500-rum',
    house_rules: [],
    variations: [],
    players: 4,
    target: null,
    deals: null,
    private: true,
    turn_s: null,
    bank_s: null,
    claim_s: null,
    level: 'greedy',
    seats_drawn: false,
    leaver_s: 0,
  });
  await expect.poll(() => location.pathname).toBe('/t/new');
});

test('a game of four shows its sides, and no points where it goes by deals', async () => {
  settings.last = last('persian-rummy', { players: 3 });
  const asked = await open();
  expect(screen.getByRole('radio', { name: '4, two sides' })).toBeChecked();
  await press('2 deals');
  expect(screen.queryByLabelText('Points to win')).toBeNull();
  expect(screen.getByLabelText('Number of deals')).toHaveAttribute('placeholder', '2');
  expect(await made(asked)).toMatchObject({ profile: 'persian-rummy', players: 4, target: null });
});

test('the bots are the next opponent, also where the table is made at the first step', async () => {
  const next = { level: 'level2', why: 'up', against: 'level1', won: 3, played: 3 };
  const levels = ['level1', 'level2'].map((name) => ({ name, number: null, also: null, position: null }));
  const asked = answering({
    'GET /api/levels/500-rum': { levels, next },
    'POST /api/tables': { id: 'new' },
  });
  const { rerender } = render(NewTable);
  await screen.findByRole('radiogroup', { name: 'Which game?' });
  expect(await made(asked, 'Play bots at once')).toMatchObject({ level: 'level2' });
  expect(settings.last.level).toBeNull();
  await rerender({ step: 'table' });
  const bots = () => within(screen.getByRole('radiogroup', { name: 'Bots' }));
  expect(bots().getByRole('radio', { name: '2' })).toBeChecked();
  await choose('Bots', '1');
  expect(bots().getByRole('radio', { name: '1' })).toBeChecked();
  await press('Make the table');
  await expect.poll(() => settings.last.level).toBe('level1');
});

test('against bots alone there is no clock to choose, and the match begins at once', async () => {
  const asked = await open({}, 'bots');
  expect(screen.getByRole('radio', { name: 'Only bots' })).toBeChecked();
  expect(screen.queryByRole('radiogroup', { name: 'Clock' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Seats and absence' })).toBeNull();
  expect(await made(asked)).toEqual({
    profile: '500-rum',
    house_rules: [],
    variations: [],
    players: 4,
    target: null,
    deals: null,
    level: 'greedy',
    hints: 'none',
    hints_a_deal: null,
    private: true,
    start: true,
  });
});

test('a clock of days has its own bank, and asks nothing that needs all to be there', async () => {
  const asked = await open();
  await press('House rules: none');
  await userEvent.click(await box('H6'));
  expect(screen.getByRole('radiogroup', { name: 'Time to call “Rummy!”' })).toBeVisible();
  await choose('Clock', '2 days');
  expect(screen.getByText(/^Players need not be there at the same time\. .* plus 2 days/)).toBeVisible();
  const absent = (name: string) => expect(screen.queryByRole('radiogroup', { name })).toBeNull();
  absent('Bank for the match');
  absent('Time to call “Rummy!”');
  await press('Seats and absence');
  expect(screen.getByRole('radiogroup', { name: 'Seats' })).toBeVisible();
  absent('A bot plays for someone who leaves after');
  const two = { turn_s: 2 * 86_400, bank_s: null, claim_s: null };
  expect(await made(asked)).toMatchObject(two);
});

/** The server's answer, with H3 refused as long as there are no jokers. */
function needy({ path }: Request): RuleChoice[] {
  const refused = path.includes('jokers') ? null : { code: 'option.h3_no_wild_jokers', message: '' };
  return CHOICES.map((each) => (each.id === 'H3' ? { ...each, refused } : each));
}

test('choices that do not go together show why, and cannot be chosen', async () => {
  const asked = await open({ 'GET /api/choices/500-rum': needy });
  await press('House rules: none');
  const why = 'This is about wild jokers, and there are none: add wild jokers first.';
  await expect.poll(async () => (await box('H3')).getAttribute('aria-disabled')).toBe('true');
  expect(await box('H3')).toHaveAccessibleDescription(why);
  await userEvent.click(await box('H3'));
  expect(await box('H3')).not.toBeChecked();
  await userEvent.click(await box('jokers-2'));
  await expect.poll(() => screen.queryByText(why)).toBeNull();
  await userEvent.click(await box('H3'));
  await userEvent.click(await box('jokers-2'));
  expect(await screen.findByText(why)).toBeVisible();
  expect(await box('H3')).toBeChecked();
  await userEvent.click(await box('H3'));
  expect(await made(asked)).toMatchObject({ house_rules: [], variations: [] });
});

describe('the first step', () => {
  const games = (): Promise<HTMLElement> => screen.findByRole('radiogroup', { name: 'Which game?' });
  const pick = async (name: RegExp): Promise<void> =>
    userEvent.click(within(await games()).getByRole('radio', { name }));

  test('describes each game and the source of its rules', async () => {
    render(NewTable);
    const [first, persian] = within(await games()).getAllByRole('radio');
    expect(first).toBeChecked();
    expect(persian!.closest('label')).toHaveTextContent(
      /^Persian Rummy 4 players Two sides, four jokers .*; two deals\. Old rule collection$/,
    );
  });

  test('the game played last keeps its rules, another has those that are usual', async () => {
    const choices = ['H2', 'jokers-2'];
    settings.last = last('500-rum', { choices, target: 300 });
    const asked = answering({ 'POST /api/tables': { id: 'new' } });
    const { rerender } = render(NewTable);
    await pick(/^Persian Rummy/);
    await rerender({ step: 'table' });
    expect(screen.getByRole('button', { name: 'House rules: none' })).toBeVisible();
    await rerender({ step: 'game' });
    await pick(/^500 Rum/);
    await rerender({ step: 'table' });
    expect(
      screen.getByRole('button', { name: 'House rules: two wild jokers and discard to go out' }),
    ).toBeVisible();
    expect(await made(asked)).toMatchObject({ house_rules: ['H2'], variations: ['jokers-2'], target: 300 });
  });
});
