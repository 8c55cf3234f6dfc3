/** Messages that are looked up by a code of the server: a rule, a refusal, a game. */

import { m } from '$lib/paraglide/messages';

type Every<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Keys<Prefix extends string> = Extract<keyof typeof m, `${Prefix}${string}`>;

/** All inputs of the messages whose keys begin with this prefix. */
export type Inputs<Prefix extends string> = Every<NonNullable<Parameters<(typeof m)[Keys<Prefix>]>[0]>>;

const messages: Record<string, unknown> = m;

/** Return the message of a code, if there is one: its key is the prefix and the code's words. */
export function named<Prefix extends string>(
  prefix: Prefix,
  code: string,
): ((inputs: Inputs<Prefix>) => string) | undefined {
  const key = prefix + code.replace(/\W/g, '_').toLowerCase();
  return key in m ? (messages[key] as (inputs: Inputs<Prefix>) => string) : undefined;
}
