/** One line about each level of bots. Import it only in pages whose bundle has these texts. */
import { HOLD_BACK, STEPS } from '$lib/net/protocol';
import { m } from '$lib/paraglide/messages';

import { stepOf } from './labels';
import { named } from './named';
import { num } from './sentences';

/** Return what to expect from a bot level. */
export function levelLine(level: string): string {
  if (stepOf(level) !== null) return m.pages_step_line({ of: num(STEPS) });
  const line = named('pages_level_', `${level}_line`)?.({}) ?? m.pages_level_other_line();
  return HOLD_BACK.includes(level) ? `${line} ${m.pages_level_holds_back()}` : line;
}
