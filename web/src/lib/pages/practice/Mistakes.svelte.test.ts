import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { MistakeResult, MistakesToday, SeatPosition } from '$lib/net/protocol';
import { answering, type Request } from '../../../testing/http';
import { OPTIONS, OWN, SHARED } from '../../../testing/table';
import { discard, verdictOn } from '../../../testing/verdict';
import Mistakes from './Mistakes.svelte';

const POSITION: SeatPosition = { options: OPTIONS, shared: SHARED, you: OWN, events: [] };
const NAME = { table: 't1', deal: 2, step: 7 };
const [CODE, THROWN] = Object.entries(OWN.discards ?? {}).map(([card, code]) => [code, card] as const)[0]!;
const THEN = verdictOn(discard('KS', '901'), discard(THROWN, CODE));
const HINT = { played: THEN.played, kind: 'discard', best: 'discard', right: 1 } as const;

const today = (more: Partial<MistakesToday> = {}): MistakesToday => ({
  left: 2,
  done: 1,
  waiting: 5,
  learned: 3,
  back: null,
  next: { name: NAME, position: POSITION, answers: 0, hint: null },
  ...more,
});

function shown(found: MistakesToday, result?: MistakeResult): Request[] {
  const asked = answering({
    'GET /api/mistakes': found,
    'POST /api/mistakes/ask': { options: [], groups: [], reason: null, refused: {} },
    'POST /api/mistakes/hint': HINT,
    'POST /api/mistakes/answer': result,
  });
  render(Mistakes);
  return asked;
}

const RIGHT: MistakeResult = {
  right: true,
  rating: 'hard',
  answer: discard(THROWN, CODE),
  verdict: null,
  then: THEN,
  back: '2027-01-17',
  days: 2,
};

async function discarded(): Promise<void> {
  const user = userEvent.setup();
  await screen.findByRole('heading', { name: 'What do you play?' });
  expect(screen.getByText(/^2 of 3/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Hint' }));
  expect((await screen.findByText(/The best play is a discard/)).textContent).toContain('it is not right');
  await user.keyboard('/');
  const line = await screen.findByRole('textbox');
  await user.type(line, `discard ${THROWN}{Enter}`);
}

test('a mistake is answered at the board, after a hint; then the page shows its worth', async () => {
  const asked = shown(today(), RIGHT);
  await discarded();
  const heading = await screen.findByRole('heading', { name: /Right, with a hint/ });
  expect(document.activeElement).toBe(heading);
  expect(screen.getByText('It comes back in 2 days.')).toBeTruthy();
  expect(screen.getByText(/In the match, this cost 14.* points:/)).toBeTruthy();
  const [answer] = asked.filter((one) => one.path === '/api/mistakes/answer');
  expect(answer!.body).toMatchObject({ ...NAME, play: expect.any(String), zone: expect.any(String) });
  expect((answer!.body as { seconds: number }).seconds).toBeLessThan(600);
});

test('a wrong answer is explained by its own verdict', async () => {
  const wrong = { right: false, rating: 'again', verdict: THEN, answer: THEN.played, days: 1 } as const;
  shown(today(), { ...RIGHT, ...wrong });
  await discarded();
  await screen.findByRole('heading', { name: /Not the best play/ });
  expect(screen.getByText('It comes back tomorrow.')).toBeTruthy();
  expect(screen.getAllByRole('listitem').filter((one) => one.dataset.play).length).toBe(2);
});

test('when nothing is left today, the page shows the progress', async () => {
  shown(today({ left: 0, done: 20, next: null, back: '2027-01-17' }));
  await screen.findByRole('heading', { name: 'My mistakes' });
  expect(screen.getByText('That is enough for today.')).toBeTruthy();
  expect(screen.getByText(/17 January/)).toBeTruthy();
});

test('without mistakes the page explains where they come from', async () => {
  shown(today({ left: 0, done: 0, waiting: 0, learned: 0, next: null }));
  await screen.findByText(/No mistakes yet/);
  expect(screen.getByRole('link', { name: 'To your history' }).getAttribute('href')).toBe('/history');
});
