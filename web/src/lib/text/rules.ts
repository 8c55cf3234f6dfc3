/** The rules in sentences. Only pages that are loaded on demand import this; the messages are loaded before them. */

import { m } from '$lib/paraglide/messages';
import { num } from './cards';
import { named, type Inputs } from './named';

/** A rule in force, from `GET /api/rules/…`: the sentence's id, its inputs, and the English text. */
export interface Rule {
  id: string;
  params: Record<string, unknown>;
  text: string;
}

/** Return numbers up to twelve in words if the language does so. */
const word = (value: number): string => m.words_rule_number({ n: String(value), digits: num(value) });

/** Return rising numbers in short form: `2 to 8`, `2, 4 or 6`. */
function numbers(values: number[]): string {
  const shown = values.map(num);
  const last = shown.pop() ?? '';
  if (!shown.length) return last;
  if (shown.length > 1 && values.at(-1)! - values[0]! === values.length - 1)
    return m.words_rule_range({ low: shown[0]!, high: last });
  const most = shown.reduce((first, second) => m.words_rule_comma({ first, second }));
  return m.words_rule_or({ most, last });
}

/** Return the inputs of a sentence: each number in digits, in words, and raw for the plural; codes unchanged. */
function inputs(params: Record<string, unknown>): Inputs<'game_rule_'> {
  const found: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'number')
      Object.assign(found, { [name]: num(value), [`${name}_count`]: value, [`${name}_word`]: word(value) });
    else found[name] = Array.isArray(value) ? numbers(value as number[]) : String(value);
  }
  return found as unknown as Inputs<'game_rule_'>;
}

/** Return a rule as a sentence; in English if the page does not know the rule. */
export function ruleSentence(rule: Rule): string {
  const say = named('game_rule_', rule.id);
  return say ? say(inputs(rule.params)) : rule.text;
}

/** Return the heading of a rule; the part of its id before the dot names it. */
export function headingTitle(id: string): string {
  return named('game_heading_', id.split('.')[0] ?? '')?.({}) ?? '';
}
