import { describe, expect, it } from 'vitest';
import { part } from './messages';

const LANGUAGE = `/* eslint-disable */
import * as registry from "../registry.js"

export const table_draw = () => {
	return \`Draw\`
};

export const game_reason_stale = () => \`Too late\`;
export { game_rule_draw } from "./en.js"
export const table_take = (i) => {
	if (registry.plural("en", i?.n, {}) === "one") return \`Take it\`;
	return \`Take \${i?.n}\`
};`;

describe('one language at a time', () => {
  it('parts a language in two, and loses none of it', () => {
    const [first, late] = [part(LANGUAGE, false), part(LANGUAGE, true)];
    expect(first.match(/(?<=export (const|\{) )\w+/g)).toEqual(['table_draw', 'table_take']);
    expect(late.match(/(?<=export (const|\{) )\w+/g)).toEqual(['game_reason_stale', 'game_rule_draw']);
    expect(first).toContain('return `Take ${i?.n}`');
    expect(late).toContain('import * as registry');
  });
});
