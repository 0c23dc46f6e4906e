import { setImmediate as breathe } from 'node:timers/promises';
import semver from 'semver';

/** The fields of a lock file's package that are read here. */
export interface LockedPackage {
  name?: string;
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
  bundleDependencies?: unknown;
  extraneous?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  engines?: { node?: string; npm?: string };
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  workspaces?: unknown;
}

export interface LockNode {
  /** Relative to the folder of the lock file; empty for the project itself. */
  path: string;
  entry: LockedPackage;
  dependencies: LockEdge[];
  dependents: LockEdge[];
}

export interface LockEdge {
  from: LockNode;
  to: LockNode;
  isOptional: boolean;
  isPeer: boolean;
}

const maxRange = 256;
/** Comparing the versions of this many packages takes some 10 ms. */
const atOnce = 100;
const namePattern = /^(?:@[\w.~-]{1,214}\/)?[\w.~-]{1,214}$/;

export interface LockTree {
  nodes: Map<string, LockNode>;
  /** Packages that npm has to install itself: those from no registry, or with a dependency whose version does not match. */
  strange: Set<LockNode>;
}

/**
 * The packages of a lock file by their paths, with their dependencies. `project` is package.json, which decides the project's own
 * dependencies.
 */
export async function lockTree(packages: Record<string, LockedPackage>, project: LockedPackage): Promise<LockTree> {
  const nodes = new Map<string, LockNode>();
  for (const [path, entry] of Object.entries(packages))
    nodes.set(path, { path, entry: path === '' ? project : entry, dependencies: [], dependents: [] });
  const strange = new Set<LockNode>();
  let seen = 0;
  for (const node of nodes.values()) {
    if (++seen % atOnce === 0) await breathe();
    const isFit = connect(nodes, node);
    if (!isFit || (node.path !== '' && !isRegistryPackage(node.path, node.entry))) strange.add(node);
  }
  // npm removes packages that nothing requires, or that are only optional peers.
  for (const node of nodes.values())
    if (node.path !== '' && node.dependents.every(({ isPeer, isOptional }) => isPeer && isOptional)) strange.add(node);
  return { nodes, strange };
}

function isRegistryPackage(path: string, { version, resolved, integrity, ...entry }: LockedPackage): boolean {
  if (!isPlace(path)) return false;
  if (entry.link || entry.inBundle || entry.extraneous || entry.bundleDependencies !== undefined) return false;
  return (
    semver.valid(version) !== null &&
    (resolved === undefined || /^https?:\/\//.test(resolved)) &&
    /(^| )sha512-[\w+/]{86}==/.test(integrity ?? '')
  );
}

/** `node_modules/a`, `node_modules/@scope/a/node_modules/b`. */
function isPlace(path: string): boolean {
  if (!path.startsWith('node_modules/')) return false;
  const names = path.slice('node_modules/'.length).split('/node_modules/');
  return names.every((name) => namePattern.test(name) && !name.split('/').some((part) => part === '.' || part === '..'));
}

/** Records the dependencies of a package. Returns false if one is missing or has a version that the package does not accept. */
function connect(nodes: Map<string, LockNode>, from: LockNode): boolean {
  let isFit = true;
  const { entry } = from;
  const optional = entry.optionalDependencies ?? {};
  const required = { ...(from.path === '' ? entry.devDependencies : {}), ...entry.dependencies };
  const wanted = [
    ...Object.entries(optional).map(([name, range]) => ({ name, range, isOptional: true, isPeer: false })),
    ...Object.entries(required).flatMap(([name, range]) => (name in optional ? [] : [{ name, range, isOptional: false, isPeer: false }])),
    ...Object.entries(entry.peerDependencies ?? {}).map(([name, range]) => {
      const isOptional = entry.peerDependenciesMeta?.[name]?.optional === true;
      return { name, range, isOptional, isPeer: true };
    }),
  ];
  for (const { name, range, isOptional, isPeer } of wanted) {
    const to = found(nodes, from.path, name);
    if (to === undefined && isOptional) continue;
    if (to === undefined || !meets(to.entry, name, range)) isFit = false;
    if (to === undefined) continue;
    const edge = { from, to, isOptional, isPeer };
    from.dependencies.push(edge);
    to.dependents.push(edge);
  }
  return isFit;
}

/** Node's own lookup: in the package, then in each folder above. */
function found(nodes: Map<string, LockNode>, from: string, name: string): LockNode | undefined {
  for (let folder = from; ; ) {
    const node = nodes.get(`${folder === '' ? '' : `${folder}/`}node_modules/${name}`);
    if (node !== undefined || folder === '') return node;
    const end = folder.lastIndexOf('/node_modules/');
    folder = end < 0 ? '' : folder.slice(0, end);
  }
}

function meets({ name: realName, version }: LockedPackage, name: string, range: string): boolean {
  if (typeof range !== 'string' || range.length > maxRange) return false;
  const alias = /^npm:((?:@[^@/]{1,214}\/)?[^@/]{1,214})@(.{1,200})$/.exec(range);
  if (alias !== null) return realName === alias[1] && satisfies(version, alias[2]!);
  return (realName === undefined || realName === name) && satisfies(version, range);
}

/** A tag, such as `latest`, does not constrain the version. */
const satisfies = (version: string | undefined, range: string) =>
  /^[a-z][a-z\d-]{0,40}$/i.test(range) ? semver.validRange(range) === null : semver.satisfies(version!, range, { loose: true });
