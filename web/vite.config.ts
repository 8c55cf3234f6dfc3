/// <reference types="vitest/config" />
import { fileURLToPath } from 'node:url';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { precompress } from './plugins/compress.ts';
import { early } from './plugins/early.ts';
import { inBoth, withImports } from './plugins/files.ts';
import { links } from './plugins/links.ts';
import { oneLanguage } from './plugins/messages.ts';
import { shell } from './plugins/shell.ts';

/** Where a `rum500 serve` runs while the page is developed with `npm run dev`. */
const server = process.env.RUM500_SERVER ?? 'http://127.0.0.1:8500';

/** Tests of components; they need a document. */
const COMPONENTS = ['src/**/*.svelte.test.ts'];

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [
    paraglideVitePlugin({
      project: here('./project.inlang'),
      outdir: here('./src/lib/paraglide'),
      outputStructure: 'locale-modules',
      strategy: ['custom-kept', 'preferredLanguage', 'baseLocale'],
    }),
    ...(process.env.VITEST ? [] : [oneLanguage()]),
    links(),
    svelte(),
    early(here('./src/pages.ts')),
    shell(here('./messages'), here('./src/lib/net/protocol.ts')),
    precompress(),
  ],
  resolve: {
    alias: { $lib: here('./src/lib') },
    ...(process.env.VITEST ? { conditions: ['browser'] } : {}),
  },
  // Scripts and styles find their files beside themselves, wherever the site lies; the server writes the page's own.
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `/${file}` : { relative: true }),
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': { target: server, changeOrigin: true },
      '/ws': { target: server, ws: true, changeOrigin: true },
    },
  },
  worker: {
    format: 'es',
    rolldownOptions: { output: { entryFileNames: 'assets/device-worker-[hash].js' } },
  },
  build: {
    outDir: process.env.RUM500_PAGE_OUT ?? '../src/rum500/server/page',
    emptyOutDir: true,
    target: ['chrome111', 'firefox114', 'safari16.4'],
    // The content security policy allows no data: URLs for fonts or scripts, and pictures are few.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: { index: here('./index.html'), sw: here('./src/sw.ts') },
      output: {
        entryFileNames: (chunk) => (chunk.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'cards', test: /src[\\/]lib[\\/]cards[\\/]/ },
            withImports('base', here('./src/lib/cards/Card.svelte')),
            withImports(
              'shell',
              here('./src/App.svelte'),
              here('./src/lib/net/guest.ts'),
              here('./src/lib/paraglide/registry.js'),
            ),
            inBoth(
              'board',
              here('./src/lib/table/TablePage.svelte'),
              here('./src/lib/pages/replay/Replay.svelte'),
            ),
            withImports('table', here('./src/lib/table/TablePage.svelte')),
          ],
        },
      },
    },
  },
  test: {
    isolate: false,
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'modules',
          include: ['src/**/*.test.ts', 'plugins/**/*.test.ts'],
          exclude: COMPONENTS,
          environment: 'node',
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: COMPONENTS,
          environment: 'happy-dom',
          setupFiles: ['src/testing/setup.ts'],
        },
      },
    ],
  },
});
