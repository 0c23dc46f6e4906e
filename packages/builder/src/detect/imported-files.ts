import { posix } from 'node:path';
import type { SourceTree } from './source-tree.ts';

const maxFiles = 150;
const relativeImport = /\b(?:from|import|require)[\s(]{0,20}["'](\.{1,2}\/[^"'\n]{1,200})["']/g;
const endings = ['', '.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'];

/** Import names that tsconfig.json or package.json map to a path. */
const alias = /\b(?:from|import|require)[\s(]{0,20}["'](?:@\/|~\/|#|src\/)/;

/** The program and the files of the archive that it imports by relative paths; null if it also imports some through aliases. */
export function importedFrom(entry: string, tree: SourceTree): string[] | null {
  const found = [entry];
  for (const path of found) {
    const text = tree.read(path) ?? '';
    if (alias.test(text)) return null;
    for (const [, name = ''] of text.matchAll(relativeImport)) {
      const at = posix.join(posix.dirname(path), name);
      const names = [at, at.replace(/\.([cm]?)js$/, '.$1ts'), at.replace(/\.jsx?$/, '')];
      const file = names.flatMap((each) => endings.map((ending) => each + ending)).find(tree.has);
      if (file !== undefined && found.length < maxFiles && !found.includes(file)) found.push(file); // iterating an array also visits elements added during the loop
    }
  }
  return found;
}
