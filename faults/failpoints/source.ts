import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders in which the product may have failpoints. */
const FOLDERS = ['apps/server/src', 'apps/gateway/src', 'packages/builder/src', 'packages/runtime/src'];
const ROOT = join(import.meta.dirname, '../..');
const COMMENT = /^([ \t]*)\/\/ failpoint: ([a-z0-9-]+)$/gm;

/** Turns the comments `// failpoint: <name>` of a source into statements, on the same lines. */
export const withFailpoints = (text: string) =>
  text.replace(COMMENT, (_, indent: string, name: string) => `${indent}await globalThis.__failpoint?.('${name}');`);

export const namesIn = (text: string) => [...text.matchAll(COMMENT)].map((match) => match[2]!);

/** The product's files with failpoints. */
export const filesWithFailpoints = () =>
  FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }))
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
    .filter(({ text }) => namesIn(text).length > 0)
    .map(({ path, text }) => ({ path, text, names: namesIn(text) }));
