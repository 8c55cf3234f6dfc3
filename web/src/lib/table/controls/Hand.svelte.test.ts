import { screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { tick } from 'svelte';
import { describe, expect, test } from 'vitest';

import type { CardGroup } from '$lib/net/protocol';
import { atTable, OWN, type FakeServer } from '../../../testing/table';

const HAND = '10S 3S 9H 4S JD 9C 9D'.split(' ');
const set: CardGroup = { cards: ['9H', '9D', '9C'], kind: 'set', points: 27 };
const rest: CardGroup = { cards: ['3S', '4S', '10S', 'JD'], kind: 'rest', points: 0 };
const own = { ...OWN, hand: HAND, drawn: null, discards: {} };

const listed = (): HTMLElement => screen.getByRole('listbox', { name: /^Your hand/ });
const options = (): HTMLElement[] => within(listed()).getAllByRole('option');
const cards = (): string =>
  options()
    .map(({ dataset }) => dataset.card)
    .join(' ');
const option = (card: string): HTMLElement => options().find(({ dataset }) => dataset.card === card)!;
const sorting = (): HTMLElement => screen.getByRole('button', { name: /^Sort hand/ });

const sit = (): Promise<FakeServer> => atTable({ you: own }, () => ({ groups: [set, rest] }));

describe('sorting', () => {
  test('changes by a button or a key, each as labelled', async () => {
    await sit();
    const seen: Record<string, string> = {};
    for (let press = 0; press < 3; press += 1) {
      seen[sorting().textContent!] = cards();
      await userEvent.click(sorting());
    }
    expect(seen).toEqual({
      'By melds': '9H 9D 9C 3S 4S 10S JD',
      'By rank': '3S 4S 9H 9C 9D 10S JD',
      'By suit': '3S 4S 10S 9H 9C 9D JD',
    });
    expect(sorting()).toHaveTextContent('By hand');
    await userEvent.keyboard('s');
    expect(sorting()).toHaveTextContent('By melds');
  });

  test('holds for a card that is drawn', async () => {
    const server = await sit();
    await userEvent.keyboard('s');
    await server.update({ you: { hand: [...HAND, '5S'], drawn: '5S' } });
    expect(cards()).toBe('3S 4S 5S 9H 9C 9D 10S JD');
    expect(option('5S')).toHaveAccessibleName(/just drawn/);
  });

  test('by hand leaves cards where they were put, and a new one last', async () => {
    const server = await sit();
    await userEvent.keyboard('sss');
    expect(cards()).toBe('3S 4S 10S 9H 9C 9D JD');
    await userEvent.keyboard('h{Home}{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
    expect(cards()).toBe('4S 10S 3S 9H 9C 9D JD');
    expect(option('3S')).toHaveFocus();
    await server.update({ you: { hand: [...HAND, '5S'] } });
    expect(cards()).toBe('4S 10S 3S 9H 9C 9D JD 5S');
  });

  test('by hand moves the one card that is selected by two buttons', async () => {
    await sit();
    await userEvent.click(option('9H'));
    expect(screen.queryByRole('button', { name: 'Move left' })).toBeNull();
    await userEvent.keyboard('sss');
    await userEvent.click(screen.getByRole('button', { name: 'Move right' }));
    expect(cards()).toBe('3S 4S 10S 9C 9H 9D JD');
    for (let press = 0; press < 5; press += 1)
      await userEvent.click(screen.getByRole('button', { name: 'Move left' }));
    expect(cards()).toBe('9H 3S 4S 10S 9C 9D JD');
    await userEvent.click(option('JD'));
    expect(screen.queryByRole('button', { name: 'Move left' })).toBeNull();
  });
});

describe('by keyboard', () => {
  test('cards are walked through and selected, and Escape lets go of them', async () => {
    await sit();
    await userEvent.keyboard('h{Home}{ArrowRight} ');
    expect(option('9D')).toHaveFocus();
    expect(option('9D')).toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('{End} ');
    expect(options().filter((each) => each.getAttribute('aria-selected') === 'true')).toHaveLength(2);
    await userEvent.keyboard('{Escape}');
    expect(options().filter((each) => each.getAttribute('aria-selected') === 'true')).toHaveLength(0);
  });

  test('one card is in the order of Tab, and after it is played the one in its place', async () => {
    const server = await sit();
    await userEvent.keyboard('h{Home}{ArrowRight}');
    expect(options().filter(({ tabIndex }) => tabIndex === 0)).toEqual([option('9D')]);
    await server.update({ you: { hand: HAND.filter((card) => card !== '9D') } });
    expect(options().filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
  });
});

test('names of cards in the hand include their meld unless that setting is off, with and without suggestions', async () => {
  const { settings } = await import('$lib/app/settings.svelte');
  await sit();
  const named = (): number => within(listed()).queryAllByRole('option', { name: /with others a/ }).length;
  settings.suggestions = false;
  await tick();
  expect(named()).toBe(3);
  settings.brackets = false;
  await expect.poll(named).toBe(0);
});

test('each of two twins is selected alone, and cards known to others are named', async () => {
  await atTable({
    you: { ...own, hand: ['8C', '8C', '2S'] },
    shared: { known: [['8C'], [], []], hand_sizes: [3, 7, 1] },
  });
  const twins = (): HTMLElement[] => options().filter(({ dataset }) => dataset.card === '8C');
  await userEvent.click(twins()[1]!);
  expect(twins().map((each) => each.getAttribute('aria-selected'))).toEqual(['false', 'true']);
  expect(within(listed()).getAllByRole('option', { name: /known to the others/ })).toHaveLength(1);
});

test('a card that is gone is selected no longer', async () => {
  const server = await sit();
  await userEvent.click(option('9H'));
  await userEvent.click(option('JD'));
  await server.update({ you: { hand: HAND.filter((card) => card !== '9H') } });
  const left = options().filter((each) => each.getAttribute('aria-selected') === 'true');
  expect(left.map(({ dataset }) => dataset.card)).toEqual(['JD']);
});
