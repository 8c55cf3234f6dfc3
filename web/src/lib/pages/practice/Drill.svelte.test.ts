import { fireEvent, render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { DrillAnswer, DrillQuestion, DrillResult, SeatPosition } from '$lib/net/protocol';
import { answering, type Request } from '../../../testing/http';
import { OPTIONS, OWN, placed, SHARED } from '../../../testing/table';
import { discard, verdictOn } from '../../../testing/verdict';
import Drill from './Drill.svelte';
import DrillEnd from './DrillEnd.svelte';
import { meanScore, sharesOf, type DrillKind } from './drillText';

const POSITION: SeatPosition = { options: OPTIONS, shared: SHARED, you: OWN, events: [] };
const NOTHING: DrillResult = {
  score: 100,
  loss: 0,
  verdict: null,
  points: null,
  lines: [],
  chances: [],
  guessed: [],
};

function shown(kind: DrillKind, question: Partial<DrillQuestion>, result: DrillResult): Request[] {
  const asked: Request[] = [];
  answering();
  const reply = globalThis.fetch;
  globalThis.fetch = async (path, init) => {
    const at = /^\/api\/drills\/(\w+)\/([\w-]+)\/(\d)\/(\d+)\/(\d+)$/.exec(String(path));
    if (at) {
      const place = {
        kind,
        profile: at[2],
        players: Number(at[3]),
        seed: Number(at[4]),
        number: Number(at[5]),
      };
      return Response.json({ place, of: 10, position: null, count: null, who: null, ...question });
    }
    if (path === '/api/drills/answer') {
      asked.push({ method: 'POST', path, body: JSON.parse(init!.body as string) as unknown });
      return Response.json(result);
    }
    return reply(path, init);
  };
  render(Drill, { kind, profile: '500-rum', players: 2 });
  return asked;
}

test('a count is answered by a number, and the lines then show their points', async () => {
  const line = {
    kind: 'meld' as const,
    doubled: false,
    owner: 0,
    meld_kind: 'set',
    cards: [placed('KS', 0, 0), placed('KD', 0, 0)],
    each: [],
    points: 0,
  };
  const counted = { ...line, each: [10, 10], points: 20 };
  const asked = shown(
    'count',
    { count: { seat: 0, lines: [line] } },
    { ...NOTHING, score: 0, loss: 5, points: 20, lines: [counted] },
  );
  const user = userEvent.setup();
  await screen.findByRole('heading', { name: 'Count the points 1 of 10' });
  expect(screen.queryByText('+20')).toBeNull();
  await user.type(screen.getByRole('spinbutton', { name: 'Points' }), '25');
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { name: /25 is not right/ });
  expect(screen.getByText('+20')).toBeTruthy();
  expect((asked[0]!.body as DrillAnswer).points).toBe(25);
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await screen.findByRole('heading', { name: 'Count the points 2 of 10' });
});

test('a guess gives every holder a share, and the chances are shown after it', async () => {
  const asked = shown(
    'who',
    { position: POSITION, who: { card: '9H', holders: [1, 2, null] } },
    { ...NOTHING, score: 61, loss: 0.71, chances: [0.9, 0.05, 0.05], guessed: [0.5, 0.25, 0.25] },
  );
  await screen.findByRole('heading', { name: 'Who has it? 1 of 10' });
  const sliders = screen.getAllByRole('slider');
  expect(sliders.length).toBe(3);
  await fireEvent.input(sliders[0]!, { target: { value: '100' } });
  expect(sliders[0]!.getAttribute('aria-valuetext')).toBe('50 %');
  await userEvent.click(screen.getByRole('button', { name: 'Answer' }));
  await screen.findByRole('heading', { name: '61 of 100' });
  expect(screen.getByText('By what could be known: 90 %')).toBeTruthy();
  expect((asked[0]!.body as DrillAnswer).weights).toEqual([100, 50, 50]);
});

test('the end shows the mean, each answer and the costliest play', async () => {
  const bad = verdictOn(discard('KS', '1'), discard('4D', '2'));
  const results = [NOTHING, { ...NOTHING, score: 40, loss: 14, verdict: bad }, { ...NOTHING, score: 10 }];
  render(DrillEnd, { kind: 'discard', results, onagain: () => undefined });
  expect(screen.getByText('50')).toBeTruthy();
  expect(screen.getByText('Question 2: 40 of 100')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'What there is to learn' })).toBeTruthy();
});

test('shares and scores', () => {
  expect(sharesOf([100, 50, 50])).toEqual([0.5, 0.25, 0.25]);
  expect(sharesOf([0, 0])).toEqual([0.5, 0.5]);
  expect([meanScore([]), meanScore([100, 33])]).toEqual([0, 67]);
});
