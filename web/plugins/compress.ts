import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|html|svg|webmanifest|json)$/;
/** Below this the header costs more than the compression saves. */
const WORTH_IT = 512;

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Write a `.br` and a `.gz` beside a file, if it is worth compressing. */
export async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < WORTH_IT) return;
  const [br, gz] = await Promise.all([
    brotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    deflate(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}

/** Write a `.br` and a `.gz` beside every file that is worth compressing. */
export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      folder = config.build.outDir;
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        // A failed build has written nothing, and reports its error itself.
        if (!existsSync(folder)) return;
        const files = await readdir(folder, { recursive: true });
        await Promise.all(
          files.filter((name) => COMPRESSIBLE.test(name)).map((name) => compressFile(join(folder, name))),
        );
      },
    },
  };
}
