import { render, screen, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import { answering, Refusal, today } from '../../../testing/http';
import { read } from '../../../testing/table';
import DayCard from './DayCard.svelte';

test('an attempt in progress is shown with its turn, the cards held and the points laid', async () => {
  const progress = { my_turn: true, turn: 7, cards: 4, points: 31 };
  answering({ 'GET /api/day-deals/today': today({ status: 'playing', table: 'day', progress }) });
  render(DayCard);
  const card = await screen.findByRole('region', { name: 'Deal of the day' });
  expect(await within(card).findByText('Turn 7, you hold 4 cards')).toBeInTheDocument();
  expect(within(card).getByText('Your turn')).toBeInTheDocument();
  expect(read(card)).toContain('It waits until midnight (UTC). You have 31 on the table.');
});

test.each([
  ['day.early', 409, /clock of this server or device shows a day before the first deal/, 0],
  ['server.failed', 500, /Today’s deal did not arrive/, 1],
])('%s is explained', async (code, status, words, old) => {
  answering({ 'GET /api/day-deals/today': new Refusal(status, { code, message: code }) });
  render(DayCard);
  expect(await screen.findByText(words)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  expect(screen.queryAllByRole('link', { name: 'Practise an old one' })).toHaveLength(old);
});
