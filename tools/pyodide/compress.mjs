/** Write the compressed forms of files beside them: node compress.mjs FILE ... */
import { compressFile } from '../../web/plugins/compress.ts';

await Promise.all(process.argv.slice(2).map(compressFile));
