import { render, screen, waitFor } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { Refusal, answering, ME } from '../../../testing/http';
import App from '../../../App.svelte';
import { go } from '$lib/app/router.svelte';
import { settings } from '$lib/app/settings.svelte';
import Settings from './Settings.svelte';

test('what is chosen is set, shown on the document, and kept', async () => {
  render(Settings);
  await userEvent.click(screen.getByRole('radio', { name: 'Light' }));
  await userEvent.click(screen.getByRole('radio', { name: /^Two/ }));
  await userEvent.click(screen.getByRole('radio', { name: '150 %' }));
  await userEvent.click(screen.getByRole('checkbox', { name: /^Cards fly/ }));
  settings.show(document.documentElement);
  const { theme, deck, motion } = document.documentElement.dataset;
  expect({ theme, deck, motion }).toEqual({ theme: 'light', deck: 'two', motion: 'none' });
  expect(document.documentElement.style.fontSize).toBe('150%');
  settings.save();
  const kept = JSON.parse(localStorage.getItem('rum500.settings')!) as object;
  expect(kept).toMatchObject({ theme: 'light', deck: 'two', textSize: 150, animation: 'off' });
});

test.each([
  [/^Sounds/, 'sound'],
  [/^Show the most points now/, 'suggestions'],
  [/^I draw and cut myself/, 'cutMyself'],
  [/^Show chat/, 'chat'],
  [/^Single-letter keys/, 'keys'],
] as const)('%s', async (name, key) => {
  const before = settings[key];
  render(Settings);
  const box = screen.getByRole('checkbox', { name });
  expect((box as HTMLInputElement).checked).toBe(before);
  await userEvent.click(box);
  expect(settings[key]).toBe(!before);
});

test('signing out on other devices takes two presses and is confirmed', async () => {
  const asked = answering({ 'POST /api/me/sign-out': ME });
  render(Settings);
  const out = screen.getByRole('button', { name: 'Sign out on all other devices' });
  await userEvent.click(out);
  expect(out).toHaveTextContent('Sign them out for good?');
  await userEvent.tab();
  expect(out).toHaveTextContent('Sign out on all other devices');
  await userEvent.click(out);
  expect(asked.some(({ method }) => method === 'POST')).toBe(false);
  await userEvent.click(out);
  expect(await screen.findByText('Done. Only this browser plays as you now.')).toBeVisible();
  expect(asked.at(-1)).toEqual({ method: 'POST', path: '/api/me/sign-out', body: { devices: 'others' } });
});

test('a signed-out browser says so, and can continue as a new guest', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue();
  let fresh = false;
  answering({
    'GET /api/me': ({ path }: { path: string }) => {
      fresh ||= path.endsWith('?new=true');
      return fresh ? ME : new Refusal(401, { code: 'guest.signed_out', message: 'signed out' });
    },
  });
  go('/settings');
  render(App);
  expect(await screen.findByRole('heading', { name: 'Signed out' })).toHaveFocus();
  expect(screen.queryByRole('heading', { name: 'Settings' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Continue as a new guest' }));
  await waitFor(() => expect(reload).toHaveBeenCalled());
});
