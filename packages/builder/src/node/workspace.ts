import { posix } from 'node:path';
import semver from 'semver';
import { BuildError } from '../build-error.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import { parseYaml } from '../detect/yaml.ts';
import { type PackageJson, readPackageJson } from './package-json.ts';

/** A package of a workspace. */
export interface Member {
  name: string | null;
  version: string | null;
  /** Relative to the root of the workspace. */
  folder: string;
  pkg: PackageJson;
}

/** The workspace of a package manager that an agent's folder belongs to. */
export interface Workspace {
  /** Folder of the archive with the lock file; '' for the archive's root. */
  top: string;
  tree: SourceTree;
  pkg: PackageJson;
  /** The file that lists the members. */
  because: string;
  member: Member;
  members: Member[];
  /** Members that the agent's own package depends on, directly or transitively. Each comes after its own dependencies. */
  siblings: Member[];
}

const MAX_MEMBERS = 500;
const MAX_PATTERNS = 100;

/**
 * The nearest workspace above `root` that lists the folder as a member. Throws `workspace_mismatch` if a member would be requested from a
 * registry.
 */
export function findWorkspace(whole: SourceTree, root: string): Workspace | undefined {
  for (let top = root; top !== ''; ) {
    top = posix.dirname(top) === '.' ? '' : posix.dirname(top);
    const tree = whole.below(top);
    const listed = membersListed(tree);
    const folder = posix.relative(top, root);
    if (listed === undefined || !listed.isMember(folder)) continue;
    const members = readMembers(tree, listed.isMember);
    const member = members.find((one) => one.folder === folder) ?? readMember(tree, folder);
    const siblings = collectSiblings(member, members);
    const pkg = readPackageJson(tree.read('package.json') ?? '{}');
    return { top, tree, pkg, because: listed.because, member, members, siblings };
  }
  return undefined;
}

/** The members of the workspace whose root is the tree; undefined if it is not a workspace. Throws `workspace_mismatch`. */
export function readWorkspaceMembers(tree: SourceTree): Member[] | undefined {
  const listed = membersListed(tree);
  return listed && readMembers(tree, listed.isMember);
}

function membersListed(tree: SourceTree): { because: string; isMember: (folder: string) => boolean } | undefined {
  const pnpm = pnpmPatterns(tree);
  const patterns = pnpm ?? workspacePatterns(tree);
  if (patterns === undefined) return undefined;
  const plain = patterns.slice(0, MAX_PATTERNS).map((pattern) => pattern.replace(/^\.\//, '').replace(/\/$/, ''));
  const included = plain.filter((pattern) => !pattern.startsWith('!'));
  const excluded = plain.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const matches = (folder: string) => (pattern: string) => isMatch(pattern.split('/'), folder.split('/'));
  return {
    because: pnpm === undefined ? 'package.json (workspaces)' : 'pnpm-workspace.yaml',
    isMember: (folder) => included.some(matches(folder)) && !excluded.some(matches(folder)),
  };
}

function workspacePatterns(tree: SourceTree): string[] | undefined {
  const source = tree.read('package.json');
  if (source === null || !source.includes('"workspaces"')) return undefined;
  const { workspaces } = readPackageJson(source);
  return workspaces;
}

function pnpmPatterns(tree: SourceTree): string[] | undefined {
  const source = tree.read('pnpm-workspace.yaml');
  if (source === null) return undefined;
  try {
    const packages = (parseYaml(source) as { packages?: unknown } | null)?.packages;
    return Array.isArray(packages) ? packages.filter((one): one is string => typeof one === 'string') : undefined;
  } catch {
    return undefined; // pnpm itself reports the error of a broken file
  }
}

/** `*` matches characters within one folder's name, `**` any number of folders. */
function isMatch(pattern: readonly string[], path: readonly string[]): boolean {
  // Positions in the pattern that the folders so far can have reached.
  let reached = new Set([0]);
  for (const folder of path) reached = new Set([...withoutFolders(pattern, reached)].flatMap((at) => after(pattern, at, folder)));
  return withoutFolders(pattern, reached).has(pattern.length);
}

function withoutFolders(pattern: readonly string[], reached: ReadonlySet<number>): Set<number> {
  const all = new Set(reached);
  for (const at of all) if (pattern[at] === '**') all.add(at + 1); // iterating a set also visits elements added during the loop
  return all;
}

function after(pattern: readonly string[], at: number, folder: string): number[] {
  const segment = pattern[at];
  if (segment === undefined) return [];
  if (segment === '**') return [at];
  return isSegmentMatch(segment, folder) ? [at + 1] : [];
}

function isSegmentMatch(segment: string, folder: string): boolean {
  const [first = '', ...rest] = segment.split('*');
  const last = rest.pop();
  if (last === undefined) return segment === folder;
  if (!folder.startsWith(first) || !folder.endsWith(last)) return false;
  let at = first.length;
  const end = folder.length - last.length;
  for (const part of rest) {
    const found = folder.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}

function readMembers(tree: SourceTree, isMember: (folder: string) => boolean): Member[] {
  const members = tree.files
    .filter((file) => file.endsWith('/package.json'))
    .map((file) => posix.dirname(file))
    .filter(isMember)
    .slice(0, MAX_MEMBERS)
    .map((folder) => readMember(tree, folder));
  const named = byName(members);
  const isLocked = lockedFromRegistry(tree);
  for (const one of members) refuseMismatches(one, named, isLocked);
  return members;
}

function readMember(tree: SourceTree, folder: string): Member {
  const source = tree.read(`${folder}/package.json`) ?? '{}';
  const pkg = readPackageJson(source);
  return { name: pkg.name, version: pkg.version, folder, pkg };
}

const byName = (members: readonly Member[]) =>
  new Map(members.flatMap((one): [string, Member][] => (one.name === null ? [] : [[one.name, one]])));

const wantedBy = ({ pkg }: Member): [string, string][] => Object.entries({ ...pkg.devDependencies, ...pkg.dependencies });

function collectSiblings(member: Member, members: readonly Member[]): Member[] {
  const named = byName(members);
  const done = new Set<Member>([member]);
  const order: Member[] = [];
  const visit = (one: Member) => {
    for (const [name] of wantedBy(one)) {
      const sibling = named.get(name);
      if (sibling === undefined || done.has(sibling)) continue;
      done.add(sibling);
      visit(sibling);
      order.push(sibling);
    }
  };
  visit(member);
  return order;
}

/**
 * Whether a member's lock file takes a package from the registry, in a version with a digest, although a workspace member has the same
 * name. Only pnpm's lock shows this.
 */
function lockedFromRegistry(tree: SourceTree): (folder: string, name: string) => boolean {
  let importers: Record<string, unknown> | undefined;
  return (folder, name) => {
    importers ??= readImporters(tree.read('pnpm-lock.yaml') ?? '');
    const own = fields(importers[folder]);
    const { version } = fields(fields(own.dependencies)[name] ?? fields(own.devDependencies)[name]);
    return typeof version === 'string' && /^\d/.test(version);
  };
}

function readImporters(source: string): Record<string, unknown> {
  try {
    return fields(fields(parseYaml(source.split(/^packages:/m, 1)[0] ?? '')).importers);
  } catch {
    return {};
  }
}

const fields = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {});

/**
 * Refuses a member whose version does not match a dependency on it: a client would request it from the registry, and the owner of that name
 * there could inject code into the build. Packages that the author's lock file took from the registry are verified by their digest.
 */
function refuseMismatches(one: Member, named: ReadonlyMap<string, Member>, isLocked: (folder: string, name: string) => boolean): void {
  for (const [name, wanted] of wantedBy(one)) {
    const sibling = named.get(name);
    if (sibling === undefined || isFromArchive(wanted, sibling.version) || isLocked(one.folder, name)) continue;
    throw new BuildError('detect', 'workspace_mismatch', {
      message: `${one.folder}/package.json asks for ${name} ${wanted}, but the workspace has it in ${sibling.folder} as ${sibling.version ?? 'a package without a version'}.`,
      hint: `A member of the workspace is never taken from a registry. Ask for “${sibling.version === null ? '*' : `^${sibling.version}`}”, or change the version in ${sibling.folder}/package.json.`,
    });
  }
}

function isFromArchive(wanted: string, version: string | null): boolean {
  if (/^(workspace|file|link|portal):/.test(wanted) || wanted === '' || wanted === '*') return true;
  return version !== null && semver.satisfies(version, wanted, { loose: true, includePrerelease: true });
}

const plainName = /^[@a-zA-Z0-9][\w./@-]{0,213}$/;

/** Builds the siblings that have a build, dependencies first, then the agent's own package; null if nothing has a build. */
export function workspaceBuild(manager: string, { member, siblings }: Workspace, own: string[] | null): string[] | null {
  const names = siblings.flatMap(({ name, pkg }) =>
    name !== null && plainName.test(name) && pkg.scripts.build !== undefined ? [name] : [],
  );
  if (names.length === 0 || member.name === null) return own;
  const build: Record<string, (name: string) => string> = {
    pnpm: (name) => `pnpm --filter ${name} run build`,
    yarn: (name) => `yarn workspace ${name} run build`,
    'yarn-berry': (name) => `yarn workspace ${name} run build`,
    bun: (name) => `bun run --filter ${name} build`,
  };
  const commands = names.map(build[manager] ?? ((name) => `npm run build --workspace=${name}`));
  return ['/bin/sh', '-c', [...commands, ...(own === null ? [] : [own.join(' ')])].join(' && ')];
}
