// Builds the published form: a folder with the CLI as one file that needs only Node 20. `node build.ts [folder]`; the default is `dist`.
import { appendFile, chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const out = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'));
const file = join(out, 'paddock.mjs');
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });

/** Imports of the MCP SDK for zod 3 schemas and for forms that a server shows. The CLI has neither: 400 KB that each start would read. */
const unused: Record<string, string> = {
  ajv: 'export default class Ajv {}',
  'ajv-formats': 'export default () => undefined',
  'zod-to-json-schema': 'export const zodToJsonSchema = undefined',
  'zod/v3': 'export const object = undefined',
};
const mark = '\0unused:';

const bundle = await rolldown({
  input: join(import.meta.dirname, 'src/main.ts'),
  platform: 'node',
  // The sandbox belongs to a server, and `doctor` reports if it is missing. The others are native helpers that ws does without.
  external: ['@paddock/runtime', 'bufferutil', 'utf-8-validate'],
  transform: { target: 'node20' },
  plugins: [
    {
      name: 'unused',
      resolveId: (name) => (name in unused ? mark + name : undefined),
      load: (id) => (id.startsWith(mark) ? unused[id.slice(mark.length)] : undefined),
    },
  ],
});
const { output } = await bundle.write({ file, format: 'esm', codeSplitting: false, comments: { legal: false } });
await bundle.close();
await appendFile(file, await licences(output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []))));
await chmod(file, 0o755);

const { name, version, description, license, engines } = JSON.parse(
  await readFile(join(import.meta.dirname, 'package.json'), 'utf8'),
) as Record<string, unknown>;
const manifest = { name, version, description, license, engines, type: 'module', bin: { paddock: 'paddock.mjs' } };
await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
await copyFile(join(import.meta.dirname, '../../LICENSE'), join(out, 'LICENSE'));

/** The licences of the bundled packages, as a comment: the file is distributed by itself. */
async function licences(modules: string[]): Promise<string> {
  const folders = new Set(modules.flatMap((path) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  const texts = [...folders].sort().map(async (folder) => {
    const name = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
    if (!name) throw new Error(`${folder} comes without its licence.`);
    return `${folder.replace(/^.*\/node_modules\//, '')}\n\n${await readFile(join(folder, name), 'utf8')}`;
  });
  return `\n/*!\nThis file contains:\n\n${(await Promise.all(texts)).join('\n\n').replaceAll('*/', '* /')}\n*/\n`;
}
