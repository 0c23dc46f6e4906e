import { isDeepStrictEqual } from 'node:util';
import { leftOut, type Target } from './left-out.ts';
import { type LockedPackage, type LockNode, lockTree } from './lock-tree.ts';

/** A package and its place. */
export interface PlacedPackage {
  path: string;
  url: string;
  /** In hexadecimal. */
  sha512: string;
  /** Programs by name, each with its file in the package. */
  bin: Record<string, string>;
}

/** The packages that `npm ci` would install by a lock file. */
export interface Placement {
  packages: PlacedPackage[];
  /** The content of npm's `node_modules/.package-lock.json`. */
  installed: string;
}

interface PlacementInput {
  packageJson: string;
  lock: string;
  omitDev: boolean;
  target: Target;
}

const dependencyKinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;
/** npm's order if two packages have a program of the same name. */
const { compare } = new Intl.Collator('en');

/**
 * The result of `npm ci --ignore-scripts`, computed from the lock file alone. Undefined if npm might do anything else or print a message: a
 * lock that does not match package.json, workspaces, bundled or git dependencies, overrides, versions that the lock's own ranges refuse.
 */
export async function computePlacement({ packageJson, lock: text, omitDev, target }: PlacementInput): Promise<Placement | undefined> {
  const [project, lock] = [parsed(packageJson), parsed(text)];
  const packages = lock?.packages as Record<string, LockedPackage> | undefined;
  if (project === undefined || !hasPackages(lock) || packages === undefined) return undefined;
  if (project.overrides !== undefined || project.workspaces !== undefined || !namesTheSame(project, packages[''])) return undefined;
  const { nodes, strange } = await lockTree(packages, project);
  const left = await leftOut(nodes, target);
  if (left === undefined || [...strange].some((node) => !left.has(node))) return undefined;
  const installed = [...nodes.values()].filter((node) => node.path !== '' && !left.has(node) && !(omitDev && node.entry.dev === true));
  const programs = assignPrograms(installed);
  if (programs === undefined) return undefined;
  return {
    packages: installed.map((node) => placedPackage(node, programs.get(node) ?? {})),
    installed: hiddenLock(text, { ...lock, packages: Object.fromEntries(installed.map(({ path, entry }) => [path, entry])) }),
  };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // npm reports the error in it
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function hasPackages(lock: Record<string, unknown> | undefined): boolean {
  if (lock === undefined || (lock.lockfileVersion !== 3 && lock.lockfileVersion !== 2)) return false;
  return isObject(lock.packages) && Object.values(lock.packages).every(isObject);
}

/** A package added to or removed from package.json since the lock changes more than one place of the tree. */
function namesTheSame(project: Record<string, unknown>, root: LockedPackage | undefined): boolean {
  const names = (list: unknown) => (isObject(list) ? Object.keys(list).sort() : []);
  return root?.workspaces === undefined && dependencyKinds.every((kind) => isDeepStrictEqual(names(project[kind]), names(root?.[kind])));
}

function placedPackage({ path, entry }: LockNode, bin: Record<string, string>): PlacedPackage {
  const digest = /(?:^| )sha512-([\w+/]{86}==)/.exec(entry.integrity!)![1]!;
  return { path, url: entry.resolved ?? usualAddress(path, entry), sha512: Buffer.from(digest, 'base64').toString('hex'), bin };
}

/** npm replaces this host in lock files by that of its registry (https://docs.npmjs.com/cli/using-npm/config#replace-registry-host). */
export const usualHost = 'registry.npmjs.org';

/** Some settings omit the address from lock files. */
function usualAddress(path: string, { name, version }: LockedPackage): string {
  const full = name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return `https://${usualHost}/${full}/-/${full.split('/').at(-1)}-${version}.tgz`;
}

/** The programs of each package. If two have the same name in one folder, npm uses the package that is higher up, then the first. */
function assignPrograms(installed: LockNode[]): Map<LockNode, Record<string, string>> | undefined {
  const found = new Map<LockNode, Record<string, string>>();
  const taken = new Set<string>();
  const depth = ({ path }: LockNode) => path.split('node_modules/').length;
  for (const node of installed.toSorted((a, b) => depth(a) - depth(b) || compare(a.path, b.path))) {
    const own: Record<string, string> = {};
    for (const [name, file] of Object.entries(node.entry.bin ?? {})) {
      const place = `${node.path.slice(0, node.path.lastIndexOf('node_modules/'))}${name}`;
      if (!isPlain(name) || typeof file !== 'string' || !isWithin(file)) return undefined;
      if (!taken.has(place)) own[name] = file.replace(/^\.\//, '');
      taken.add(place);
    }
    found.set(node, own);
  }
  return found;
}

const isPlain = (name: string) => /^[\w.-]{1,214}$/.test(name) && !/^\.{1,2}$/.test(name);
const isWithin = (file: string) => file !== '' && !file.startsWith('/') && !file.split('/').includes('..');

/** npm writes the file in the format of the lock file. */
function hiddenLock(text: string, { name, version, lockfileVersion, requires, packages }: Record<string, unknown>): string {
  const [, newline = '\n', indent = '  '] = /^\s*\{(\r?\n)([ \t]{0,20})/.exec(text) ?? [];
  const written = `${JSON.stringify({ name, version, lockfileVersion, requires, packages }, null, indent)}\n`;
  return newline === '\n' ? written : written.replaceAll('\n', newline);
}
