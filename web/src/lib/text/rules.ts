/** The rules in sentences. Only pages that are loaded late import this, and await `loadRules` first. */

import { loadLate } from '$lib/app/locale';
import { m } from '$lib/paraglide/messages';
import { num } from '$lib/text/cards';
import { named, type Inputs } from '$lib/text/named';

/** A rule in force, as `GET /api/rules/…` tells it: which sentence, what it holds, and the same in English. */
export interface Rule {
  id: string;
  params: Record<string, unknown>;
  text: string;
}

/** Loads the sentences of the present language. */
export const loadRules = loadLate;

/** Twelve and below in words where the language does so. */
const word = (value: number): string => m.words_rule_number({ n: String(value), digits: num(value) });

/** Rising numbers, told shortly: `2 to 8`, `2, 4 or 6`. */
function numbers(values: number[]): string {
  const told = values.map(num);
  const last = told.pop() ?? '';
  if (!told.length) return last;
  if (told.length > 1 && values.at(-1)! - values[0]! === values.length - 1)
    return m.words_rule_range({ low: told[0]!, high: last });
  const most = told.reduce((first, second) => m.words_rule_comma({ first, second }));
  return m.words_rule_or({ most, last });
}

/** Inputs of a sentence: each number as digits, as a word, and bare for the plural; codes as they are. */
function inputs(params: Record<string, unknown>): Inputs<'game_rule_'> {
  const told: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'number')
      Object.assign(told, { [name]: num(value), [`${name}_count`]: value, [`${name}_word`]: word(value) });
    else told[name] = Array.isArray(value) ? numbers(value as number[]) : String(value);
  }
  return told as unknown as Inputs<'game_rule_'>;
}

/** A rule as a sentence; in English where the page does not know it. */
export function ruleSentence(rule: Rule): string {
  const say = named('game_rule_', rule.id);
  return say ? say(inputs(rule.params)) : rule.text;
}

/** The heading that a rule stands under: what comes before the point of its id names it. */
export function headingTitle(id: string): string {
  return named('game_heading_', id.split('.')[0] ?? '')?.({}) ?? '';
}
