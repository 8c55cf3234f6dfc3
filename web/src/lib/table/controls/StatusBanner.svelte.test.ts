import { screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { atTable, TO_DRAW } from '../../../testing/table';

const sentences = vi.hoisted(() => {
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((done) => (arrive = done));
  return { arrive, arrived };
});
vi.mock('$lib/text/refusals', async (load) => {
  await sentences.arrived;
  return load();
});

test('a take is refused in its own words, even where the answer comes before the sentences', async () => {
  const server = await atTable(TO_DRAW, ({ about }) =>
    about === 'take'
      ? { reason: { code: 'take.useless', rule: 'R-DRAW-3', card: 'QC', parts: { kind: 'card' } } }
      : {},
  );
  await userEvent.click(screen.getByRole('option', { name: /^queen of clubs, 1 of 2/ }));
  await expect.poll(() => server.requests('ask').filter(({ about }) => about === 'take')).toHaveLength(1);
  expect(screen.queryByRole('alert')).toBeNull();
  sentences.arrive();
  expect(await screen.findByRole('alert')).toHaveTextContent(/must be used at once/);
});
