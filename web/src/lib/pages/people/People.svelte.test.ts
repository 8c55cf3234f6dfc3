import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import type { League, Person } from '$lib/net/protocol';
import { answering, Refusal, summary } from '../../../testing/http';
import { read } from '../../../testing/table';
import Invitations from './Invitations.svelte';
import LeaguePage from './League.svelte';
import People from './People.svelte';

const person = (id: string, name: string, more: Partial<Person> = {}): Person => ({
  id,
  name,
  matches: 3,
  last: new Date(2020, 0, 5).getTime(),
  points: 120,
  their_points: 95,
  here: false,
  refused: false,
  ...more,
});

const list = (people: Person[]) => ({
  'GET /api/people': { people, total: people.length, shows_presence: false },
  'GET /api/leagues': [],
});

describe('people', () => {
  test('each has matches, time and points, and is chosen for a new table', async () => {
    const asked = answering({
      ...list([person('a', 'Ada', { here: true }), person('b', 'Ben', { matches: 1 })]),
      'POST /api/people/play-again': {
        id: 't1',
        not_invited: [
          { name: 'Ada', code: 'invitation.often' },
          { name: 'Ben', code: 'invitation.refused' },
        ],
      },
    });
    const user = userEvent.setup();
    render(People);
    const region = await screen.findByRole('region', { name: 'People I played with' });
    expect(within(region).getAllByRole('listitem').map(read)).toEqual([
      expect.stringMatching(/^Ada here now 3 matches · .*2020 · 120 : 95 points/),
      expect.stringMatching(/^Ben 1 match · /),
    ]);
    const again = screen.getByRole('button', { name: 'Play again' });
    expect(again).toBeDisabled();
    await user.click(screen.getByRole('checkbox', { name: /Ada/ }));
    await user.click(screen.getByRole('checkbox', { name: /Ben/ }));
    await user.click(again);
    expect(asked.at(-1)?.body).toEqual({ people: ['a', 'b'] });
    const notice = await screen.findByText(/You have invited .Ada. three times today/);
    expect(notice.parentElement).toHaveTextContent(/Ben. takes no invitations from you/);
    expect(screen.getByRole('link', { name: 'To the table' })).toHaveAttribute('href', '/t/t1');
  });

  test('presence and refusals are switched, and a refusal of the server is explained', async () => {
    const asked = answering({
      ...list([person('a', 'Ada')]),
      'PUT /api/people/presence': ({ body }: { body: unknown }) => body,
      'PUT /api/people/refused': ({ body }: { body: unknown }) => body,
      'POST /api/leagues': new Refusal(409, { code: 'league.many', message: '' }),
    });
    const user = userEvent.setup();
    render(People);
    await user.click(await screen.findByRole('checkbox', { name: /may see when I am here/ }));
    expect(asked.at(-1)?.body).toEqual({ shown: true });
    await user.click(screen.getByRole('button', { name: /^No more invitations: .Ada/ }));
    expect(asked.at(-1)?.body).toEqual({ person: 'a', refused: true });
    expect(await screen.findByRole('button', { name: /^Allow invitations: .Ada/ })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Make a league' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('You are in fifty leagues: leave one first.');
  });
});

const LEAGUE: League = {
  id: 'l1',
  name: 'Kitchen round',
  created: 0,
  ended: null,
  host: true,
  member: true,
  full: false,
  standing: [
    { name: 'Nora', you: true, member: true, matches: 2, won: 2, points: 300, deals: 5 },
    { name: null, you: false, member: false, matches: 2, won: 0, points: 200, deals: 5 },
  ],
  payments: [{ payer: 1, payee: 0, points: 100 }],
  matches: [
    {
      ended: new Date(2020, 0, 5).getTime(),
      profile: '500-rum',
      title: '500 Rum',
      deals: 2,
      players: [0, 1],
      points: [150, 90],
      winners: [0],
      table: 't1',
    },
  ],
  more: false,
};

describe('a league', () => {
  test('shows the standing, the debts and the matches', async () => {
    answering({ 'GET /api/leagues/l1': LEAGUE });
    render(LeaguePage, { id: 'l1' });
    const table = await screen.findByRole('table');
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
      ['You', '2', '300', '2', '5'],
      ['a player', '0', '200', '2', '5'],
    ]);
    expect(screen.getByText('a player owes you: 100 points')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Replay' })).toHaveAttribute('href', '/t/t1/deal/1');
  });

  test('is ended after a second press, and one that ended takes nobody', async () => {
    const ended = { ...LEAGUE, ended: 5 };
    const asked = answering({ 'GET /api/leagues/l1': LEAGUE, 'POST /api/leagues/l1/end': ended });
    const user = userEvent.setup();
    render(LeaguePage, { id: 'l1' });
    await user.click(await screen.findByRole('button', { name: 'End the league' }));
    expect(asked.at(-1)?.method).toBe('GET');
    await user.click(screen.getByRole('button', { name: /^End it\?/ }));
    expect(await screen.findByText(/^This league has ended/)).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Link for new members' })).toBeNull();
  });

  test('explains why somebody cannot join', async () => {
    answering({
      'GET /api/leagues/l1': { ...LEAGUE, member: false, host: false },
      'POST /api/leagues/l1/join': new Refusal(409, { code: 'league.full', message: '' }),
    });
    const user = userEvent.setup();
    render(LeaguePage, { id: 'l1' });
    await user.click(await screen.findByRole('button', { name: 'Join' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This league is full: it has twelve members.');
  });
});

test('an invitation is followed, put away, or the last of its person', async () => {
  const asked = answering({ 'POST /api/invitations/answer': ({ body }: { body: unknown }) => body });
  const user = userEvent.setup();
  const common = { at: 0, league: null, league_name: null };
  let changes = 0;
  render(Invitations, {
    invitations: [
      { ...common, by: 'Ada', table: summary('t1') },
      { ...common, by: 'Ben', table: null, league: 'l1', league_name: 'Kitchen round' },
    ],
    onchange: async () => void (changes += 1),
  });
  const [table, league] = screen.getAllByRole('listitem');
  expect(read(table!)).toMatch(/^Ada invites you to play 500 Rum\./);
  expect(within(table!).getByRole('link')).toHaveAttribute('href', '/t/t1');
  expect(within(league!).getByRole('link')).toHaveAttribute('href', '/league/l1');
  await user.click(within(table!).getByRole('button', { name: 'Not now' }));
  expect(asked.at(-1)?.body).toEqual({ table: 't1', league: null, refuse_more: false });
  await user.click(within(league!).getByRole('button', { name: /^No more invitations: .Ben/ }));
  expect(asked.at(-1)?.body).toEqual({ table: null, league: 'l1', refuse_more: true });
  expect(changes).toBe(2);
});
