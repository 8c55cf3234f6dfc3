/** What to expect from levels of bots. Import it only in pages whose bundle has these texts. */
import { HOLD_BACK, STEPS, type LevelInfo, type NextOpponent } from '$lib/net/protocol';
import { m } from '$lib/paraglide/messages';

import { levelTitle, stepOf } from './labels';
import { named } from './named';
import { num } from './sentences';

/** Return what to expect from a bot level; `info` says how it plays in a game. */
export function levelLine(level: string, info?: LevelInfo): string {
  if (stepOf(level) !== null) return info ? mixLine(info) : m.pages_step_line({ of: num(STEPS) });
  const line = named('pages_level_', `${level}_line`)?.({}) ?? m.pages_level_other_line();
  return HOLD_BACK.includes(level) ? `${line} ${m.pages_level_holds_back()}` : line;
}

/** Return how a level with a number mixes the choices of two players. */
function mixLine({ also, position }: LevelInfo): string {
  if (also) return levelLine(also);
  if (position === null) return m.pages_step_line({ of: num(STEPS) });
  const lower = Math.floor(position);
  const share = num(Math.round(100 * (position - lower)));
  const between = (['newcomer', 'club', 'expert'] as const)[lower] ?? 'expert';
  return m.pages_step_mix({ to: between, share, club: levelTitle('club'), expert: levelTitle('expert') });
}

/** Return who comes next, and why. */
export function nextLine({ level, why, against, won, played }: NextOpponent): string {
  return m.pages_next({
    why,
    level: levelTitle(level),
    against: against === null ? '' : levelTitle(against),
    won: num(won),
    played: num(played),
  });
}
