import { render, screen } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';

import { ApiError } from '$lib/net/api';
import ErrorNotice from './ErrorNotice.svelte';

afterEach(() => void vi.useRealTimers());

test('a busy server is asked again after the seconds that it names', async () => {
  vi.useFakeTimers();
  const onagain = vi.fn();
  render(ErrorNotice, { reason: new ApiError('work.busy', '', 429, null, { count: 12 }), onagain });
  expect(screen.getByRole('status')).toHaveTextContent('Busy: ask again in about 12 s.');
  await vi.advanceTimersByTimeAsync(11_000);
  expect(onagain).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(onagain).toHaveBeenCalledOnce();
});
