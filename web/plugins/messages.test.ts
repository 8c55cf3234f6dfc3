import { globSync, readFileSync } from 'node:fs';
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

it('every message is used', () => {
  const files = [...globSync('src/**/*.{ts,svelte}'), 'plugins/shell.ts'];
  const sources = files
    .filter((file) => !/\.test\.ts$|paraglide/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const names = new Set(sources.match(/\b[a-z]+_\w+/g));
  // Families that `named` looks up by a code of the server.
  const families = [...sources.matchAll(/\bnamed\('(\w+_)'/g)].map(([, prefix = '']) => prefix);
  const keys = globSync('messages/en/*.json').flatMap((file) =>
    Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object),
  );
  const unused = keys.filter(
    (key) => key !== '$schema' && !names.has(key) && !families.some((prefix) => key.startsWith(prefix)),
  );
  expect(unused).toEqual([]);
});
