/** The standing of one of the guest's unfinished tables, in words. */
import { m } from '$lib/paraglide/messages';

import type { MyTable } from '$lib/net/protocol';
import { listAnd, num } from './sentences';
import { isolated } from './labels';

/** The others at the table, by name; empty if the table has no other players yet. */
export function others({ names, seat }: MyTable): string {
  return listAnd(names.filter((name, at) => name && at !== seat).map(isolated));
}

/** The totals that matter to the guest: both of two, or the guest's own and the best of the others. */
export function scores({ names, scores, seat }: MyTable): { who: string; points: string }[] {
  if (seat === null || scores.length === 0) return [];
  const sides = scores.length < names.length;
  const mine = seat % scores.length;
  const rest = scores.filter((_, at) => at !== mine);
  const own = { who: sides ? m.words_we() : m.words_you(), points: num(scores[mine] ?? 0) };
  if (sides) return [own, { who: m.words_they(), points: num(rest[0] ?? 0) }];
  if (rest.length === 1) return [own, { who: isolated(names[1 - seat] ?? ''), points: num(rest[0] ?? 0) }];
  return [own, { who: m.pages_score_best(), points: num(Math.max(...rest)) }];
}
