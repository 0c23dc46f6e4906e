import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..');

export interface Marked {
  id: string;
  lang: string;
  kind: string;
  marked: string;
}

/** The texts of some files below the labelled set. A line such as `=== en chat` begins a text with its language and kind. */
export function readTexts(pattern: string): Marked[] {
  return globSync(pattern, { cwd: folder })
    .sort()
    .flatMap((file) => {
      const name = file.replace(/^.*[\\/]|\.txt$/g, '');
      const parts = readFileSync(join(folder, file), 'utf8').split(/^=== (\w+) (\w+)\n/m);
      return Array.from({ length: (parts.length - 1) / 3 }, (_, at) => ({
        id: `${name}-${at + 1}`,
        lang: parts[at * 3 + 1]!,
        kind: parts[at * 3 + 2]!,
        marked: parts[at * 3 + 3]!.replace(/\n$/, ''),
      }));
    });
}

/** FNV-1a. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value >>> 3;
}
