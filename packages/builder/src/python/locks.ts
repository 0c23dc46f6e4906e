import { BuildError, quoteName } from '../build-error.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import { type Pyproject, poetryRequirements, readToml, table, texts } from './pyproject.ts';
import { normaliseName, readRequirement } from './requirements.ts';

type Package = Record<string, unknown>;

/** A lock file as exact requirement lines, to be installed as they are (without resolving again). */
export interface LockedRequirements {
  lines: string[];
  names: Set<string>;
}

/** poetry.lock: the packages that the main dependencies need. */
export function readPoetryLock(tree: SourceTree, pyproject: Pyproject | null): LockedRequirements {
  const packages = packagesOf(tree, 'poetry.lock');
  const grouped = packages.some((p) => Array.isArray(p.groups));
  const main = [...(pyproject?.dependencies ?? []), ...poetryRequirements(pyproject?.poetryDependencies ?? {})]
    .map((d) => readRequirement(d)?.name)
    .filter((n) => n !== undefined);
  refuseOutOfStep(main, packages, { path: 'poetry.lock', command: 'poetry lock' });
  const wanted = grouped ? packages.filter((p) => texts(p.groups).includes('main') && p.optional !== true) : reachable(packages, main);
  return asLines(wanted, (p) => (typeof p.markers === 'string' ? p.markers : table(p.markers).main));
}

/** pdm.lock: the default group. */
export function readPdmLock(tree: SourceTree, pyproject: Pyproject | null): LockedRequirements {
  const packages = packagesOf(tree, 'pdm.lock');
  const main = (pyproject?.dependencies ?? []).map((d) => readRequirement(d)?.name).filter((n) => n !== undefined);
  refuseOutOfStep(main, packages, { path: 'pdm.lock', command: 'pdm lock' });
  const wanted = packages.filter((p) => p.groups === undefined || texts(p.groups).includes('default'));
  return asLines(wanted, (p) => p.marker);
}

/** Pipfile.lock: its default section. */
export function readPipfileLock(tree: SourceTree): LockedRequirements {
  let root: unknown;
  try {
    root = JSON.parse(tree.read('Pipfile.lock') ?? '');
  } catch (error) {
    throw new BuildError('detect', 'lock_invalid', {
      message: `Pipfile.lock is not valid JSON: ${(error as Error).message}.`,
      hint: 'Run `pipenv lock` and deploy again.',
    });
  }
  const packages = Object.entries(table(table(root).default)).map(([name, value]) => {
    const entry = table(value);
    const version = typeof entry.version === 'string' ? withoutEquals(entry.version) : undefined;
    const source = typeof entry.git === 'string' ? { type: 'git', url: entry.git, resolved_reference: entry.ref } : undefined;
    return { name, version, markers: entry.markers, source };
  });
  return asLines(packages, (p) => p.markers);
}

const withoutEquals = (version: string) => (version.startsWith('==') ? version.slice(2) : version);

function packagesOf(tree: SourceTree, path: string): Package[] {
  const list = readToml(tree.read(path) ?? '', path).package;
  return Array.isArray(list) ? list.map(table) : [];
}

interface LockFile {
  path: string;
  /** Makes the lock file again. */
  command: string;
}

function refuseOutOfStep(wanted: string[], packages: Package[], { path, command }: LockFile): void {
  const locked = new Set(packages.map((p) => normaliseName(String(p.name))));
  const missing = wanted.find((name) => !locked.has(name));
  if (missing === undefined) return;
  throw new BuildError('detect', 'lock_out_of_step', {
    message: `${path} doesn't hold ${quoteName(missing)}, which pyproject.toml asks for.`,
    hint: `Run \`${command}\` and deploy again.`,
  });
}

// Locks of older Poetry versions don't say which group a package is for: follow the dependencies from the main ones.
function reachable(packages: Package[], roots: string[]): Package[] {
  const byName = new Map(packages.map((p) => [normaliseName(String(p.name)), p]));
  const seen = new Set<string>();
  const pending = [...roots];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const found = byName.get(name);
    if (found === undefined || seen.has(name)) continue;
    seen.add(name);
    for (const needed of Object.keys(table(found.dependencies))) pending.push(normaliseName(needed));
  }
  return packages.filter((p) => seen.has(normaliseName(String(p.name))));
}

function asLines(packages: Package[], markerOf: (p: Package) => unknown): LockedRequirements {
  const lines = new Set<string>();
  const names = new Set<string>();
  for (const found of packages) {
    const name = String(found.name);
    const marker = markerOf(found);
    const suffix = typeof marker === 'string' && marker !== '' ? ` ; ${marker}` : '';
    names.add(normaliseName(name));
    lines.add(`${name}${exactly(found)}${suffix}`);
  }
  return { lines: [...lines].sort(), names };
}

function exactly(found: Package): string {
  const source = table(found.source);
  const git = source.type === 'git' ? source.url : found.git;
  const revision = source.resolved_reference ?? found.revision;
  if (typeof git === 'string') return ` @ git+${git}${typeof revision === 'string' ? `@${revision}` : ''}`;
  return typeof found.version === 'string' ? `==${found.version}` : '';
}
