/** The next opponent is proposed, and chosen by one press. */
import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { answering, ME } from '../../../testing/http';
import type { LevelList } from '$lib/net/protocol';
import { GameLevels } from './gameLevels.svelte';
import LevelAdvice from './LevelAdvice.svelte';

const LIST: LevelList = {
  levels: [
    { name: 'level4', number: 4, also: null, position: 1.79 },
    { name: 'level7', number: 7, also: 'club', position: 2 },
    { name: 'club', number: null, also: null, position: 2 },
  ],
  next: { level: 'level4', why: 'up', against: 'level3', won: 2, played: 3 },
};

async function show(level: string): Promise<ReturnType<typeof vi.fn>> {
  answering({ 'GET /api/levels/500-rum': LIST });
  const known = new GameLevels();
  await known.load('500-rum', 2);
  const onchoose = vi.fn();
  render(LevelAdvice, { known, level, onchoose });
  return onchoose;
}

test('the next opponent and the reason are shown, and it is chosen by one press', async () => {
  const onchoose = await show('level7');
  expect(screen.getByText('Level 7 (Club)')).toBeVisible();
  expect(screen.getByText(/Next for you: Level 4\. You won 2 of 3 matches against Level 3\./)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Choose: Level 4' }));
  expect(onchoose).toHaveBeenCalledExactlyOnceWith('level4');
});

describe('the preselected level', () => {
  const known = async (replies: Record<string, unknown> = { 'GET /api/levels/500-rum': LIST }) => {
    answering(replies);
    const found = new GameLevels();
    await found.load('500-rum', 2);
    return found;
  };

  test('is the next opponent', async () => {
    const levels = await known();
    expect(levels.preselected(null, ME)).toBe('level4');
    expect(levels.keeps('level4')).toBeNull();
  });

  test('is a level that was chosen before, if it plays here', async () => {
    const levels = await known();
    expect(levels.keeps('club')).toBe('club');
    expect(levels.preselected('club', ME)).toBe('club');
    expect(levels.preselected('expert', ME)).toBe('level4');
  });

  test('is unknown until the answer, and the usual one without an answer', async () => {
    expect(new GameLevels().preselected(null, ME)).toBeUndefined();
    expect((await known({})).preselected(null, ME)).toBe('greedy');
  });
});

test('a level that is chosen already has no button', async () => {
  await show('level4');
  expect(screen.getByText(/Plays like the bot Club in 79 of 100 turns\./)).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});

test('without an answer the chosen level is shown all the same', async () => {
  answering();
  const known = new GameLevels();
  await known.load('500-rum', 2);
  render(LevelAdvice, { known, level: 'level3', onchoose: vi.fn() });
  expect(screen.getByText(/^One of 10 levels/)).toBeVisible();
});
