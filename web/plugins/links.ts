import type { Plugin } from 'vite';

const LINK = /(<a\b[^>]*?\s)href=(?:"(\/[^"]*)"|\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\})/g;
const SCRIPT = /<script(?![^>]*\bmodule\b)[^>]*>/;
const IMPORT = "import { BASE as siteBase, withBase as onSite } from '$lib/net/base';";

/** Link to paths of the site below the path where it lies: components write `<a href="/rules">`. */
export function links(): Plugin {
  return {
    name: 'links',
    enforce: 'pre',
    transform: (code, id) => (id.endsWith('.svelte') ? { code: linked(code), map: null } : null),
  };
}

/** Return a component's source, the addresses of its links below the site's path. */
export function linked(code: string): string {
  const found = code.replace(LINK, (_, tag: string, path?: string, value?: string) =>
    path === undefined ? `${tag}href={onSite(${value})}` : `${tag}href="{siteBase}${path}"`,
  );
  if (found === code) return code;
  return SCRIPT.test(found)
    ? found.replace(SCRIPT, (tag) => `${tag}${IMPORT}`)
    : `<script lang="ts">${IMPORT}</script>${found}`;
}
