import { BuildError, quoteName } from '../build-error.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { StaleLock } from '../python-dependencies.ts';
import { pdmHashes, pipfileHashes, poetryHashes } from './lock-hash.ts';
import { type LockedLines, lockedLines, toEntry } from './lock-lines.ts';
import { neededPackages, type Package } from './lock-needs.ts';
import { pipfileMarker, pythonMarker } from './markers.ts';
import { type Pyproject, poetryConstraint, poetryRequirements, readToml, table, texts } from './pyproject.ts';
import { normaliseName, readRequirement } from './requirements.ts';

/** A lock file as exact requirement lines, which are installed without resolving again. */
export interface LockedRequirements extends LockedLines {
  stale?: StaleLock;
}

/** poetry.lock: the packages that the main dependencies need. */
export function readPoetryLock(tree: SourceTree, pyproject: Pyproject | null): LockedRequirements {
  const packages = readPackages(tree, 'poetry.lock');
  const grouped = packages.some((p) => Array.isArray(p.groups));
  const wanted = [...(pyproject?.dependencies ?? []), ...poetryRequirements(pyproject?.poetryDependencies ?? {})];
  const main = namesIn(wanted);
  const hash = table(readToml(tree.read('poetry.lock') ?? '', 'poetry.lock').metadata)['content-hash'];
  const fits = fitsHash(hash, () => poetryHashes(readToml(tree.read('pyproject.toml') ?? '', 'pyproject.toml')));
  const stale = staleLock({ main, packages, fits }, { wanted: [...new Set(wanted)], command: 'poetry lock' });
  const ofPoetry = required(pyproject?.poetryDependencies ?? {});
  const ofProject = (pyproject?.dependencies ?? []).filter((line) => !poetryRequirements(ofPoetry).includes(line));
  const needed = neededPackages(packages, [{ dependencies: ofProject }, { dependencies: ofPoetry }]);
  // Locks of older Poetry versions don't name the group of a package, so everything that the main dependencies lead to is installed.
  const locked = packages.filter((p) => (grouped ? texts(p.groups).includes('main') && p.optional !== true : needed.has(p)));
  const entries = locked.map((p) => ({
    ...toEntry(p, typeof p.markers === 'string' ? p.markers : (table(p.markers).main ?? p.marker)),
    python: pythonMarker(p['python-versions'], poetryConstraint),
    need: needOf(needed, p),
  }));
  return { ...stale, ...lockedLines(entries, { byNeed: !grouped }) };
}

/** pdm.lock: the default group. */
export function readPdmLock(tree: SourceTree, pyproject: Pyproject | null): LockedRequirements {
  const packages = readPackages(tree, 'pdm.lock');
  const wanted = pyproject?.dependencies ?? [];
  const hash = table(readToml(tree.read('pdm.lock') ?? '', 'pdm.lock').metadata).content_hash;
  const fits = fitsHash(hash, () => pdmHashes(readToml(tree.read('pyproject.toml') ?? '', 'pyproject.toml')));
  const stale = staleLock({ main: namesIn(wanted), packages, fits }, { wanted, command: 'pdm lock' });
  const locked = packages.filter((p) => p.groups === undefined || texts(p.groups).includes('default'));
  const needed = neededPackages(locked, [{ dependencies: wanted }]);
  const entries = locked.map((p) => ({
    ...toEntry(p, p.marker),
    python: pythonMarker(p.requires_python, (part) => part),
    need: needOf(needed, p),
  }));
  return { ...stale, ...lockedLines(entries, { byNeed: false }) };
}

/** Pipfile.lock: its default section. */
export function readPipfileLock(tree: SourceTree, wanted: string[]): LockedRequirements {
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
    return { name, version, markers: pipfileMarker(entry), source };
  });
  const { _meta: about } = table(root);
  const hash = table(table(about).hash).sha256;
  const fits = !tree.has('Pipfile') || fitsHash(hash, () => pipfileHashes(readToml(tree.read('Pipfile') ?? '', 'Pipfile')));
  const stale = staleLock({ main: namesIn(wanted), packages, fits }, { wanted, command: 'pipenv lock' });
  const entries = packages.map((p) => toEntry(p, p.markers));
  return { ...stale, ...lockedLines(entries, { byNeed: false }) };
}

function required(dependencies: Package): Package {
  return Object.fromEntries(Object.entries(dependencies).filter(([name, value]) => name !== 'python' && table(value).optional !== true));
}

const needOf = (needed: Map<Package, string | undefined>, one: Package) => (needed.has(one) ? { marker: needed.get(one) } : undefined);

const withoutEquals = (version: string) => (version.startsWith('==') ? version.slice(2) : version);

function readPackages(tree: SourceTree, path: string): Package[] {
  const list = readToml(tree.read(path) ?? '', path).package;
  return Array.isArray(list) ? list.map(table) : [];
}

const namesIn = (requirements: string[]) => requirements.map((line) => readRequirement(line)?.name).filter((name) => name !== undefined);

/** True if the lock has no hash, or if no hash can be computed. The lock may write `sha256:` before it. */
function fitsHash(stated: unknown, make: () => string[]): boolean {
  if (typeof stated !== 'string' || !/^(sha256:)?[0-9a-f]{64}$/.test(stated)) return true;
  const made = make();
  return made.length === 0 || made.includes(stated.slice(-64));
}

interface Lock {
  /** Names that the project requires. */
  main: string[];
  packages: Package[];
  /** Its hash is that of the project. */
  fits: boolean;
}

const maxNamed = 5;

function staleLock({ main, packages, fits }: Lock, { wanted, command }: Omit<StaleLock, 'why'>): { stale?: StaleLock } {
  const locked = new Set(packages.map((p) => normaliseName(String(p.name))));
  const missing = [...new Set(main)].filter((name) => !locked.has(name));
  if (missing.length > 0) return { stale: { why: `it lacks ${named(missing)}`, wanted, command } };
  return fits || wanted.length === 0 ? {} : { stale: { why: 'its hash is of an earlier version of that file', wanted, command } };
}

/** A few names, for a sentence. */
export function named(names: string[]): string {
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return names.slice(0, maxNamed).map(quoteName).join(', ') + more;
}
