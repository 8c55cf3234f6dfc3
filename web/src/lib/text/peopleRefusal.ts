/** Why the server refused something about people and leagues, in words. */
import { ApiError } from '$lib/net/api';
import { loadReasons, reasonSentence } from '$lib/text/sentences';

const CODES = /^(?:person|invitation|league|table|guest)\./;

/** Return the sentence for a refusal that a person can do something about; null for other errors. */
export async function refusal(reason: unknown): Promise<string | null> {
  if (!(reason instanceof ApiError) || reason.code === 'guest.signed_out') return null;
  if (reason.code === 'guest.name') return null;
  if (!CODES.test(reason.code)) return null;
  await loadReasons();
  return reasonSentence({ code: reason.code, parts: reason.parts });
}
