import { posix } from 'node:path';
import type { SourceTree } from '../detect/source-tree.ts';
import { type PythonModule, readModule } from './module.ts';
import { standardLibrary } from './standard-library.ts';

export const entryNames = ['main', 'app', 'server', 'agent', 'bot', 'start', 'run', 'streamlit_app'];
const webNames = [...entryNames, 'api', 'asgi', 'wsgi', '__init__'];

/** A file that may be the entry, with its parsed content. */
export interface EntryFile {
  path: string;
  module: PythonModule;
}

/** The existing files with the name of an entry: first those in the root, then in `src/`. */
export function entryPaths(tree: SourceTree): string[] {
  const paths = ['', 'src/'].flatMap((folder) => entryNames.map((name) => `${folder}${name}.py`));
  return paths.filter((path) => tree.has(path) && !isStub(path, tree));
}

/** The greeting that `uv init` writes, beside the agent's own files. */
function isStub(path: string, tree: SourceTree): boolean {
  const source = tree.read(path) ?? '';
  if (source.length > maxStub || !stub.test(source.trim())) return false;
  return tree.files.some((other) => other !== path && other.endsWith('.py') && !ofTests.test(other));
}

const maxStub = 300;
const stub = /^def main\(\)(?: -> None)?:\s+print\(["']Hello from [^"'\n]{1,100}!["']\)\s+if __name__ == ["']__main__["']:\s+main\(\)$/;
const ofTests = /(?:^|\/)(?:tests?\/|test_|conftest\.py$)/;

const maxScannedFiles = 200;
const maxScannedCharacters = 4 * 1024 ** 2;

/** Files that may hold the app, likeliest first: entry names in the root, in `src/`, in `app/`, then other files by depth. */
export function scanFiles(tree: SourceTree): EntryFile[] {
  const named = ['', 'src/', 'app/'].flatMap((folder) => webNames.map((name) => `${folder}${name}.py`)).filter(tree.has);
  const usual = named.filter((path) => !isStub(path, tree));
  const others = tree.files
    .filter(
      (f) =>
        f.endsWith('.py') &&
        !named.includes(f) &&
        !/(^|\/)(tests?|docs?|examples?|migrations|scripts|notebooks)\//.test(f) &&
        !/(^|\/)(test_[^/]*|[^/]*_test|conftest|setup|noxfile)\.py$/.test(f),
    )
    .sort((a, b) => a.split('/').length - b.split('/').length || nameRank(a) - nameRank(b) || (a < b ? -1 : 1));
  let left = maxScannedCharacters;
  const files: EntryFile[] = [];
  for (const path of [...usual, ...others].slice(0, maxScannedFiles)) {
    const source = tree.read(path) ?? '';
    left -= source.length;
    if (left < 0) break;
    files.push({ path, module: readModule(source) });
  }
  return files;
}

function nameRank(path: string): number {
  const at = webNames.indexOf(posix.basename(path, '.py'));
  return at === -1 ? webNames.length : at;
}

/** Third-party packages that the files import, for a warning if nothing installs them. */
export function thirdParty(files: EntryFile[], tree: SourceTree): string[] {
  const all = new Set(files.flatMap((f) => [...f.module.imports]));
  const stems = new Set(files.map((f) => posix.basename(f.path, '.py')));
  const local = (name: string) => stems.has(name) || ['', 'src/'].some((d) => tree.has(`${d}${name}.py`) || tree.hasFolder(`${d}${name}`));
  return [...all].filter((name) => /^\w+$/.test(name) && !standardLibrary.has(name) && !local(name)).sort();
}
