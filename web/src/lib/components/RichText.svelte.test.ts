import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import RichText from './RichText.svelte';

test('marks after a card stay on its line, and nothing is spoken twice', () => {
  const { container } = render(RichText, {
    parts: [
      'took ',
      { card: 'AS' },
      ' ',
      { card: '8H' },
      ', melded ',
      { name: 'Bo' },
      ', ',
      { card: '7C' },
      '.',
    ],
  });
  const lines = [...container.querySelectorAll('.whole')].map((it) => it.textContent);
  expect(lines).toEqual(['', ',', '.']);
  expect(container.textContent).toBe('took  , melded Bo, .');
});
