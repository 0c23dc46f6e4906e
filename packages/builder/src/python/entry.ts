import { posix } from 'node:path';
import type { SourceTree } from '../detect/source-tree.ts';
import { constructors, type Serving, servingOrder } from './frameworks.ts';
import { type PythonModule, readModule } from './module.ts';
import { standardLibrary } from './standard-library.ts';

export const entryNames = ['main', 'app', 'server', 'agent', 'bot', 'start', 'run', 'streamlit_app'];
const webNames = [...entryNames, 'api', 'asgi', 'wsgi', '__init__'];

/** A file that may be the entry, with its parsed content. */
export interface EntryFile {
  path: string;
  module: PythonModule;
}

export interface FoundApp {
  file: EntryFile;
  variable: string;
  /** The variable is a function that creates the app. */
  factory: boolean;
  framework: string;
  serving: Serving;
  /** The top-level module that the framework is imported from. */
  from: string;
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

const maxApps = 20;

/** The apps that files create, at most one a file: by variable or by a string given to `uvicorn.run`, otherwise by a factory. */
export function findApps(files: EntryFile[]): FoundApp[] {
  const apps = new Map<string, FoundApp>();
  const note = (app: FoundApp | null) => {
    if (app !== null && apps.size < maxApps && !apps.has(app.file.path)) apps.set(app.file.path, app);
  };
  for (const file of files) note(appIn(file) ?? servedElsewhere(file, files));
  for (const file of files) note(factoryIn(file));
  return [...apps.values()];
}

function constructed(made: string): { framework: string; serving: Serving; from: string } | null {
  const found = Object.hasOwn(constructors, made) ? constructors[made] : undefined;
  return found === undefined ? null : { ...found, from: made.split('.', 1)[0] ?? made };
}

function appIn(file: EntryFile): FoundApp | null {
  const made = file.module.variables.flatMap(({ name, made: call }) => {
    const app = constructed(call);
    return app === null ? [] : { variable: name, ...app };
  });
  const best = made.sort((a, b) => servingOrder.indexOf(a.serving) - servingOrder.indexOf(b.serving))[0];
  return best === undefined ? null : { file, factory: false, ...best };
}

// `uvicorn.run("package.api:app")`: the string names the app.
function servedElsewhere(file: EntryFile, files: EntryFile[]): FoundApp | null {
  const target = file.module.served?.find((s) => /^[A-Za-z_][\w.]*:[A-Za-z_]\w*$/.test(s));
  if (target === undefined) return null;
  const [module = '', variable = ''] = target.split(':');
  const path = module.replaceAll('.', '/');
  const folder = posix.dirname(file.path);
  const places = [`${path}.py`, `${path}/__init__.py`, posix.join(folder, `${path}.py`)];
  const at = files.find((f) => places.includes(f.path));
  if (at === undefined) return null;
  const found = appIn(at);
  return found?.variable === variable ? found : (factoryIn(at) ?? null);
}

function factoryIn(file: EntryFile): FoundApp | null {
  for (const { name, makes } of file.module.factories) {
    const made = makes.map(constructed).find((c) => c?.serving === 'asgi' || c?.serving === 'wsgi');
    if (made && /^(create|make|build|get)_/.test(name)) return { file, variable: name, factory: true, ...made };
  }
  return null;
}

/** Third-party packages that the files import, for a warning if nothing installs them. */
export function thirdParty(files: EntryFile[], tree: SourceTree): string[] {
  const all = new Set(files.flatMap((f) => [...f.module.imports]));
  const stems = new Set(files.map((f) => posix.basename(f.path, '.py')));
  const local = (name: string) => stems.has(name) || ['', 'src/'].some((d) => tree.has(`${d}${name}.py`) || tree.hasFolder(`${d}${name}`));
  return [...all].filter((name) => /^\w+$/.test(name) && !standardLibrary.has(name) && !local(name)).sort();
}
