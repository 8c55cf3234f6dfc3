/** Answers in practice: what the server refuses becomes the reply of a table. */
import { ApiError } from '$lib/net/api';
import type { Reply } from '$lib/net/connection.svelte';

/** Return the reply to a play. An error that is no refusal of the play is passed to `trouble` as well. */
export async function replyOf(answer: Promise<unknown>, trouble: (reason: unknown) => void): Promise<Reply> {
  try {
    await answer;
    return { ok: true };
  } catch (reason) {
    if (!(reason instanceof ApiError) || reason.status !== 422) trouble(reason);
    const code = reason instanceof ApiError ? reason.code : 'server';
    return { ok: false, reason: { code, parts: reason instanceof ApiError ? reason.parts : null } };
  }
}
