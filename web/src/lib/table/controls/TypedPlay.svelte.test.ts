import { screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';

import { overwriteGetLocale } from '$lib/paraglide/runtime';

import type { Reason } from '$lib/net/protocol';
import { atTable, read, type FakeServer } from '../../../testing/table';

const usual = 'en';
afterEach(() => overwriteGetLocale(() => usual));

/** A table at which the line to type into is open, and which refuses what is typed for this reason. */
async function typing(reason: Reason | null = null, column?: number): Promise<FakeServer> {
  const server = await atTable();
  server.refuse = ({ type }) => (reason && type !== 'join' ? { reason, column } : null);
  await userEvent.keyboard('/');
  await screen.findByRole('textbox');
  return server;
}

const form = (): HTMLElement => screen.getByRole('textbox').closest('form')!;
const type = (text: string): Promise<void> => userEvent.type(screen.getByRole('textbox'), `${text}{Enter}`);

test('a play goes to the server as it was typed, and the line is empty for the next', async () => {
  const server = await typing();
  expect(screen.getByRole('textbox', { name: 'Type a play' })).toHaveFocus();
  await type('lay QD on 2');
  await expect.poll(() => server.requests('say').map(({ text }) => text)).toEqual(['lay QD on 2']);
  expect(screen.getByRole('textbox')).toHaveValue('');
  await type('undo');
  await expect.poll(() => server.requests('undo')).toHaveLength(1);
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('what was typed before comes back', async () => {
  await typing();
  await type('draw');
  await type('discard KD');
  await userEvent.keyboard('{ArrowUp}{ArrowUp}');
  expect(screen.getByRole('textbox')).toHaveValue('draw');
});

describe('a slip', () => {
  test('is marked, with the existing melds beside it', async () => {
    await typing({ code: 'lay.no_meld', parts: { meld: 99, melds: 2 } }, 11);
    await type('lay KD on 99');
    await expect.poll(() => form().querySelector('[role=alert] mark')?.textContent).toBe('99');
    expect(within(form()).getByRole('alert')).toHaveTextContent(
      'There is no meld 99: the table has 2 melds, numbered from 1.',
    );
    const melds = within(form()).getAllByRole('listitem');
    expect(melds.map(read)).toEqual(['Run (Carl): 9♦ 10♦ J♦', 'Set (Carl): Q♠ Q♥ Q♣']);
    expect(screen.getByRole('textbox')).toHaveValue('lay KD on 99');
  });

  test('is answered with the plays that were perhaps meant', async () => {
    await typing({ code: 'notation.target', parts: { plays: ['lay QD on 1', 'lay QD on 2'] } }, 7);
    await type('lay QD');
    await userEvent.click(await within(form()).findByRole('button', { name: 'lay QD on 2' }));
    expect(screen.getByRole('textbox')).toHaveValue('lay QD on 2');
    expect(screen.getByRole('textbox')).toHaveFocus();
  });

  test('of the whole line is answered with all that can be typed', async () => {
    await typing({ code: 'notation.expected', parts: { wanted: 'play', found: 'fly' } }, 1);
    await type('fly away');
    const help = await within(form()).findAllByRole('list');
    expect(read(help[0]!)).toMatch(/^draw.*take 8C.*discard KD/);
  });

  test('is announced once, and links to its rule', async () => {
    await typing({ code: 'turn.drawn', rule: 'R-TURN-1' });
    await type('take 3');
    expect(await screen.findByRole('alert')).toHaveTextContent(/You have drawn already/);
    expect(screen.getAllByRole('alert')).toHaveLength(1);
    expect(screen.getByRole('link', { name: 'the rule' })).toHaveAttribute(
      'href',
      '/rules/500-rum?players=3&target=500#R-TURN-1',
    );
  });
});

test('a request for help is not a play', async () => {
  const server = await typing();
  await type('help');
  expect(await within(form()).findByRole('status')).toHaveTextContent('discard KD');
  expect(server.requests('say')).toEqual([]);
});

test('the words are those of the page’s language', async () => {
  overwriteGetLocale(() => 'de');
  const server = await atTable();
  server.refuse = ({ type }) =>
    type === 'say'
      ? { reason: { code: 'notation.rest', parts: { found: 'now', verb: 'discard' } }, column: 12 }
      : null;
  await userEvent.keyboard('/');
  await screen.findByRole('textbox');
  await type('wirf kd jetzt');
  await expect.poll(() => server.requests('say').map(({ text }) => text)).toEqual(['discard kd jetzt']);
  await expect.poll(() => form().querySelector('[role=alert] mark')?.textContent).toBe('jetzt');
  await userEvent.clear(screen.getByRole('textbox'));
  await type('hilfe');
  expect(await within(form()).findByRole('status')).toHaveTextContent('anlegen 9S an 2');
});
