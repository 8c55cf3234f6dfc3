import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { settings } from '$lib/app/settings.svelte';
import Settings from './Settings.svelte';

test('what is chosen is set, shown on the document, and kept', async () => {
  render(Settings);
  await userEvent.click(screen.getByRole('radio', { name: 'Light' }));
  await userEvent.click(screen.getByRole('radio', { name: /^Two/ }));
  for (const name of ['150 %', 'Claret', 'Waves', 'Medium'])
    await userEvent.click(screen.getByRole('radio', { name }));
  await userEvent.click(screen.getByRole('checkbox', { name: /^Cards fly/ }));
  settings.show(document.documentElement);
  expect({ ...document.documentElement.dataset }).toMatchObject({
    theme: 'light',
    deck: 'two',
    motion: 'none',
    felt: 'claret',
    back: 'waves',
  });
  expect(document.documentElement.style.fontSize).toBe('150%');
  settings.save();
  const kept = JSON.parse(localStorage.getItem('rum500.settings')!) as object;
  expect(kept).toMatchObject({
    theme: 'light',
    deck: 'two',
    textSize: 150,
    animation: 'off',
    cards: 'medium',
  });
});

test.each([
  [/^Sounds/, 'sound'],
  [/^Lay the most points/, 'suggestions'],
  [/^Show melds in my hand/, 'brackets'],
  [/^I draw and cut myself/, 'cutMyself'],
  [/^Chat at private tables/, 'privateChat'],
  [/^Chat at open tables/, 'openChat'],
  [/^Offer seats to a bot of my own/, 'ownBots'],
  [/^Single-letter keys/, 'keys'],
] as const)('%s', async (name, key) => {
  const before = settings[key];
  render(Settings);
  const box = screen.getByRole('checkbox', { name });
  expect((box as HTMLInputElement).checked).toBe(before);
  await userEvent.click(box);
  expect(settings[key]).toBe(!before);
});
