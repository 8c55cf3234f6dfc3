/** Messages that are looked up by a code of the server's: a rule, a refusal, a game. */

import { m } from '$lib/paraglide/messages';

type Every<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Keys<Prefix extends string> = Extract<keyof typeof m, `${Prefix}${string}`>;

/** Whatever any of the messages asks for whose keys begin so. */
export type Inputs<Prefix extends string> = Every<NonNullable<Parameters<(typeof m)[Keys<Prefix>]>[0]>>;

const messages: Record<string, unknown> = m;

/** The message of a code, where the page has one: its key is the prefix and the code's words. */
export function named<Prefix extends string>(
  prefix: Prefix,
  code: string,
): ((inputs: Inputs<Prefix>) => string) | undefined {
  const key = prefix + code.replace(/\W/g, '_').toLowerCase();
  return key in m ? (messages[key] as (inputs: Inputs<Prefix>) => string) : undefined;
}
