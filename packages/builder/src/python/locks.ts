import { BuildError, quoteName } from '../build-error.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { StaleLock } from '../python-dependencies.ts';
import { pdmHashes, pipfileHashes, poetryHashes } from './lock-hash.ts';
import { type Pyproject, poetryRequirements, readToml, table, texts } from './pyproject.ts';
import { normaliseName, readRequirement } from './requirements.ts';

type Package = Record<string, unknown>;

/** A lock file as exact requirement lines, to be installed as they are (without resolving again). */
export interface LockedRequirements {
  lines: string[];
  names: Set<string>;
  stale?: StaleLock;
}

/** poetry.lock: the packages that the main dependencies need. */
export function readPoetryLock(tree: SourceTree, pyproject: Pyproject | null): LockedRequirements {
  const packages = packagesOf(tree, 'poetry.lock');
  const grouped = packages.some((p) => Array.isArray(p.groups));
  const wanted = [...(pyproject?.dependencies ?? []), ...poetryRequirements(pyproject?.poetryDependencies ?? {})];
  const main = namesIn(wanted);
  const hash = table(readToml(tree.read('poetry.lock') ?? '', 'poetry.lock').metadata)['content-hash'];
  const fits = fitsHash(hash, () => poetryHashes(readToml(tree.read('pyproject.toml') ?? '', 'pyproject.toml')));
  const stale = staleLock({ main, packages, fits }, { wanted: [...new Set(wanted)], command: 'poetry lock' });
  const locked = grouped ? packages.filter((p) => texts(p.groups).includes('main') && p.optional !== true) : reachable(packages, main);
  return { ...stale, ...asLines(locked, (p) => (typeof p.markers === 'string' ? p.markers : table(p.markers).main)) };
}

/** pdm.lock: the default group. */
export function readPdmLock(tree: SourceTree, pyproject: Pyproject | null): LockedRequirements {
  const packages = packagesOf(tree, 'pdm.lock');
  const wanted = pyproject?.dependencies ?? [];
  const hash = table(readToml(tree.read('pdm.lock') ?? '', 'pdm.lock').metadata).content_hash;
  const fits = fitsHash(hash, () => pdmHashes(readToml(tree.read('pyproject.toml') ?? '', 'pyproject.toml')));
  const stale = staleLock({ main: namesIn(wanted), packages, fits }, { wanted, command: 'pdm lock' });
  const locked = packages.filter((p) => p.groups === undefined || texts(p.groups).includes('default'));
  return { ...stale, ...asLines(locked, (p) => p.marker) };
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
    return { name, version, markers: entry.markers, source };
  });
  const { _meta: about } = table(root);
  const hash = table(table(about).hash).sha256;
  const fits = !tree.has('Pipfile') || fitsHash(hash, () => pipfileHashes(readToml(tree.read('Pipfile') ?? '', 'Pipfile')));
  const stale = staleLock({ main: namesIn(wanted), packages, fits }, { wanted, command: 'pipenv lock' });
  return { ...stale, ...asLines(packages, (p) => p.markers) };
}

const withoutEquals = (version: string) => (version.startsWith('==') ? version.slice(2) : version);

function packagesOf(tree: SourceTree, path: string): Package[] {
  const list = readToml(tree.read(path) ?? '', path).package;
  return Array.isArray(list) ? list.map(table) : [];
}

const namesIn = (requirements: string[]) => requirements.map((line) => readRequirement(line)?.name).filter((name) => name !== undefined);

/** True if no hash is there, or none can be made. The lock may say `sha256:` before it. */
function fitsHash(stated: unknown, make: () => string[]): boolean {
  if (typeof stated !== 'string' || !/^(sha256:)?[0-9a-f]{64}$/.test(stated)) return true;
  const made = make();
  return made.length === 0 || made.includes(stated.slice(-64));
}

interface Lock {
  /** Names that the project asks for. */
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

// Locks of older Poetry versions don't say which group a package is for: follow the dependencies from the main ones.
function reachable(packages: Package[], roots: string[]): Package[] {
  const byName = new Map(packages.map((p) => [normaliseName(String(p.name)), p]));
  /** Under which markers each is needed; undefined: always. */
  const seen = new Map<string, Set<string> | undefined>();
  const pending: { name: string; marker: string | undefined }[] = roots.map((name) => ({ name, marker: undefined }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { name, marker } = next;
    const found = byName.get(name);
    const before = seen.get(name);
    const isKnown = seen.has(name) && (before === undefined || (marker !== undefined && (before.has(marker) || before.size >= maxMarkers)));
    if (found === undefined || isKnown) continue;
    seen.set(name, marker === undefined ? undefined : new Set([...(before ?? []), marker]));
    for (const [needed, how] of Object.entries(table(found.dependencies)))
      pending.push({ name: normaliseName(needed), marker: markerOfNeed(how) ?? marker });
  }
  return packages
    .filter((p) => seen.has(normaliseName(String(p.name))))
    .map((p) => {
      const markers = seen.get(normaliseName(String(p.name)));
      return markers === undefined ? p : { ...p, markers: [...markers].map((one) => `(${one})`).join(' or ') };
    });
}

const maxMarkers = 20;

/** `{version = ">=300", markers = "sys_platform == 'win32'"}` */
function markerOfNeed(how: unknown): string | undefined {
  const { markers } = table(how);
  // Whether an extra was asked for is not told here, so what belongs to one is always taken.
  return typeof markers === 'string' && markers !== '' && markers.length < 500 && !/\bextra\b/.test(markers) ? markers : undefined;
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
