import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import type { PositionQuestion, SeatPosition } from '$lib/net/protocol';
import { OPTIONS, OWN, placed, SHARED, TO_DRAW } from '../../../testing/table';
import PositionBoard from './PositionBoard.svelte';
import type { Playing } from './positionLink';

const PLAYING: SeatPosition = { options: OPTIONS, shared: SHARED, you: OWN, events: [] };
const DRAWING: SeatPosition = {
  options: OPTIONS,
  shared: { ...SHARED, ...TO_DRAW.shared },
  you: TO_DRAW.you!,
  events: [],
};
const LAY = {
  play: '77',
  kind: 'lay' as const,
  cards: [placed('QD', 0)],
  points: 10,
  meld: 1,
  owner: 2,
  meld_kind: 'set',
};

let asked: PositionQuestion[] = [];
let user = userEvent.setup();
beforeEach(() => {
  asked = [];
  user = userEvent.setup();
});

async function shown(position: SeatPosition, onplay: Playing): Promise<void> {
  const ask = async (question: PositionQuestion) => {
    asked.push(question);
    const options = question.cards?.join() === 'QD' ? [LAY] : [];
    return { options, groups: [], reason: null, refused: {} };
  };
  render(PositionBoard, { position, title: 'Puzzle', ask, onplay });
  await vi.waitFor(() => expect(screen.getByTestId('position').dataset.advice).toBe('1'));
}

describe('a position', () => {
  test('hands back the play of a button, once', async () => {
    const onplay = vi.fn<Playing>(async () => ({ ok: true }));
    await shown(DRAWING, onplay);
    expect(screen.getByRole('heading', { level: 1, name: 'Puzzle' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: /^Draw/ }));
    expect(onplay.mock.calls).toEqual([['draw']]);
  });

  test('asks the server what selected cards could do, and lays them off', async () => {
    const onplay = vi.fn<Playing>(async () => ({ ok: true }));
    await shown(PLAYING, onplay);
    await user.click(screen.getByRole('option', { name: /^queen of diamonds/ }));
    await vi.waitFor(() => expect(asked.at(-1)).toEqual({ about: 'cards', cards: ['QD'], count: 0 }));
    await user.click(screen.getByRole('button', { name: /^Lay off$|^Lay off Q/ }));
    expect(onplay.mock.calls).toEqual([['77']]);
  });

  test('is played by keys, and by a play that is typed', async () => {
    const onplay = vi.fn<Playing>(async () => ({ ok: false, reason: { code: 'notation.empty' } }));
    await shown(DRAWING, onplay);
    await user.keyboard('d');
    expect(onplay.mock.calls).toEqual([['draw']]);
    await user.keyboard('/');
    await user.type(await screen.findByRole('textbox'), 'take 7S{Enter}');
    await vi.waitFor(() => expect(onplay.mock.lastCall).toEqual(['take 7S']));
  });

  test('suggests nothing, and has no chat', async () => {
    await shown(PLAYING, async () => ({ ok: true }));
    expect(screen.getByRole('button', { name: /^Meld/ })).toHaveTextContent('select cards');
    expect(screen.queryByRole('button', { name: 'Reactions and chat' })).toBeNull();
  });
});
