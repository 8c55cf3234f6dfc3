import { describe, expect, it } from 'vitest';
import { linked } from './links';

describe('links below the path of the site', () => {
  it.each([
    ['<a class="x" href="/rules/{name}">', '<a class="x" href="{siteBase}/rules/{name}">'],
    ['<a href={rulesPath(a, { b: 1 })}>', '<a href={onSite(rulesPath(a, { b: 1 }))}>'],
    ['<a\n  href="/">', '<a\n  href="{siteBase}/">'],
  ])('%s', (source, wanted) => {
    expect(linked(source)).toContain(wanted);
  });

  it.each([
    '<a href="#main">',
    '<link href="/icon.svg">',
    '<a href="https://example.org/">',
    '<p>href="/"</p>',
  ])('leaves %s', (source) => {
    expect(linked(source)).toBe(source);
  });

  it('imports what it uses, in the script of the component', () => {
    const source = '<script module>let a;</script><script lang="ts">let b;</script><a href="/">';
    expect(linked(source)).toMatch(/<script lang="ts">import \{ BASE as siteBase.*let b;/);
    expect(linked('<a href="/">')).toMatch(/^<script lang="ts">import .*<\/script><a/);
  });
});
