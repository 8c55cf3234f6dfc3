/** Before each test of a component, clear the document and the browser's storage. */
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/svelte';
import { afterEach, beforeEach, vi } from 'vitest';

import { forgetMe } from '$lib/net/api';
import { go } from '$lib/app/router.svelte';
import { settings } from '$lib/app/settings.svelte';
import { answering } from './http';

// The message alone says enough without the whole document.
configure({ getElementError: (message) => new Error(message ?? ''), asyncUtilTimeout: 10_000 });

settings.save();
const usual = localStorage.getItem('rum500.settings')!;
localStorage.clear();

beforeEach(() => {
  go('/');
  forgetMe();
});

answering();

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  answering(); // a request that a component sends after its test must not reach a server
  localStorage.clear();
  // After the last test of a file too: the next file finds these settings and takes them for the usual ones.
  Object.assign(settings, JSON.parse(usual));
  settings.show(document.documentElement);
});
