import type { SourceTree } from '../detect/source-tree.ts';
import { packageOfModule } from '../module-packages.ts';
import type { Plan } from '../plan.ts';
import type { PythonDependencies } from '../python-dependencies.ts';
import type { EntryFile } from './entry.ts';
import { lockedVersions, pinned } from './image-packages.ts';
import type { Pyproject } from './pyproject.ts';
import { normaliseName, readRequirement, readRequirementNames } from './requirements.ts';
import { standardLibrary } from './standard-library.ts';

const maxPackages = 20;
const maxCharacters = 100_000;
/** Django loads what its settings name: `'debug_toolbar'`, `'debug_toolbar.middleware.DebugToolbarMiddleware'`. */
const ofDjango = /\b(?:INSTALLED_APPS|MIDDLEWARE)\b/;
const quoted = /['"]([a-z_][a-z0-9_]{1,60})(?:\.[\w.]{1,150})?['"]/g;

interface Project {
  files: EntryFile[];
  /** The files that the start loads, if they are known. */
  started: EntryFile[] | undefined;
  dependencies: PythonDependencies;
  listing: Pyproject | null;
  /** Requirements that are installed besides those of the project. */
  extra: string[];
  /** Receives the reason of each package. */
  reasons: Plan['reasons'];
}

/**
 * Requirements of groups and extras that the agent's own files load in every run, such as the toolbar that a Django project's settings for
 * development name. Without them the start would fail, since only the project's dependencies are installed.
 */
export function developmentPackages(tree: SourceTree, { files, started, dependencies, listing, extra, reasons }: Project): string[] {
  if (listing === null || listing.optional.length === 0) return [];
  const installed = readRequirementNames([...listing.dependencies, ...extra]);
  const optional = new Map<string, string>();
  for (const line of listing.optional) {
    const name = readRequirement(line)?.name;
    if (name !== undefined && !installed.has(name) && !optional.has(name)) optional.set(name, line);
  }
  const { inputs } = dependencies;
  const lock = new Map(inputs.includes('uv.lock') || inputs.includes('poetry.lock') ? lockedVersions(tree, inputs[0] ?? '') : []);
  const found = new Set<string>();
  for (const { path, module } of files) {
    const imports = started === undefined || started.some((file) => file.path === path) ? module.firmImports : [];
    for (const name of [...imports, ...appsIn((tree.read(path) ?? '').slice(0, maxCharacters))]) {
      if (standardLibrary.has(name) || tree.has(`${name}.py`) || tree.hasFolder(name)) continue;
      const line = possibleNames(name).flatMap((each) => optional.get(each) ?? [])[0];
      if (line === undefined || found.has(line) || found.size === maxPackages) continue;
      found.add(line);
      reasons.push({ what: 'package', value: line, because: `${path} loads ${name}, which a group or an extra brings` });
    }
  }
  return [...found].map((line) => pinned(line, lock));
}

const appsIn = (source: string): string[] => (ofDjango.test(source) ? [...source.matchAll(quoted)].map(([, name = '']) => name) : []);

/** Names of the package that has a module: apps of Django are mostly called after it. */
const possibleNames = (module: string) =>
  [packageOfModule(module) ?? module, `django-${module}`, `python-${module}`].map((name) => normaliseName(name.split('[', 1)[0] ?? name));
