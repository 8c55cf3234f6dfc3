import { render, screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import RuleExamples from './RuleExamples.svelte';

const names = (): (string | null)[] =>
  screen.queryAllByRole('img').map((row) => row.getAttribute('aria-label'));

test('a rule is shown by cards that keep it, and by cards that do not', () => {
  render(RuleExamples, { id: 'melds.run_high' });
  expect(names()).toEqual([
    '9 of clubs, 10 of clubs, jack of clubs and queen of clubs',
    'queen of diamonds, king of diamonds and ace of diamonds',
    'ace of hearts, 2 of hearts and 3 of hearts',
  ]);
  expect(screen.getByText('no meld').closest('.example')).toContainElement(
    screen.getByRole('img', { name: /^ace of hearts/ }),
  );
});

test('a joker is named by the card that it represents', () => {
  render(RuleExamples, { id: 'melds.joker' });
  expect(names()).toEqual([expect.stringMatching(/^6 of spades, joker.*7 of spades.* and 8 of spades$/)]);
});

test('a lay-off shows the meld and the added card', () => {
  render(RuleExamples, { id: 'melds.lay_off' });
  expect(names().slice(0, 2)).toEqual(['5 of hearts, 6 of hearts and 7 of hearts', '8 of hearts']);
});

test('what an example counts is shown on request, in games where it holds', async () => {
  render(RuleExamples, { id: 'points.held', listed: ['points.pips'] });
  expect(screen.queryByRole('status')).toBeNull();
  screen.getByRole('button', { name: 'Show the result' }).click();
  expect(await screen.findByRole('status')).toHaveTextContent(/= *[-−]3/);
});

test('an example of another game is left out', () => {
  const { container } = render(RuleExamples, { id: 'points.held', listed: ['points.five'] });
  expect(container.textContent!.trim()).toBe('');
});

test('a rule without examples shows none', () => {
  const { container } = render(RuleExamples, { id: 'match.target' });
  expect(container.textContent!.trim()).toBe('');
});
