import semver from 'semver';
import type { SourceTree } from '../detect/source-tree.ts';
import { parseYaml } from '../detect/yaml.ts';
import type { PackageJson } from './package-json.ts';

export type NodeManager = 'npm' | 'pnpm' | 'yarn' | 'yarn-berry' | 'bun';

export interface ManagerChoice {
  manager: NodeManager;
  /** From `packageManager`, or the major version that the lock file's format needs. */
  version?: string;
  lock: string | null;
  because: string;
}

/** Order of precedence: packageManager > pnpm-lock.yaml > bun.lock > .yarnrc.yml > yarn.lock > npm. */
export function chooseManager(tree: SourceTree, pkg: PackageJson): ManagerChoice {
  const lockOf: Record<NodeManager, string[]> = {
    npm: ['package-lock.json', 'npm-shrinkwrap.json'],
    pnpm: ['pnpm-lock.yaml'],
    yarn: ['yarn.lock'],
    'yarn-berry': ['yarn.lock'],
    bun: ['bun.lock', 'bun.lockb'],
  };
  const lock = (manager: NodeManager) => lockOf[manager].find(tree.has) ?? null;
  const pinned = /^(npm|pnpm|yarn|bun)@(\d+\.\d+\.\d[\w.-]*)/.exec(pkg.packageManager ?? '');
  if (pinned?.[1] !== undefined && semver.valid(pinned[2]) !== null) {
    const version = pinned[2] as string;
    const manager = pinned[1] === 'yarn' && semver.major(version) > 1 ? 'yarn-berry' : (pinned[1] as NodeManager);
    return { manager, version, lock: lock(manager), because: 'package.json (packageManager)' };
  }
  if (tree.has('pnpm-lock.yaml')) return { manager: 'pnpm', ...pnpmVersion(tree), lock: 'pnpm-lock.yaml', because: 'pnpm-lock.yaml' };
  const bun = lock('bun');
  if (bun !== null) return { manager: 'bun', lock: bun, because: bun };
  if (tree.has('.yarnrc.yml')) return { manager: 'yarn-berry', lock: lock('yarn-berry'), because: '.yarnrc.yml' };
  if (tree.has('yarn.lock')) {
    const berry = tree.read('yarn.lock')?.includes('__metadata:') === true;
    return { manager: berry ? 'yarn-berry' : 'yarn', lock: 'yarn.lock', because: 'yarn.lock' };
  }
  return { manager: 'npm', lock: lock('npm'), because: lock('npm') ?? 'package.json' };
}

// Each format of pnpm's lock file is read by some majors only.
function pnpmVersion(tree: SourceTree): { version?: string } {
  const format = /^lockfileVersion:\s*['"]?([\d.]+)/m.exec(tree.read('pnpm-lock.yaml') ?? '')?.[1] ?? '9.0';
  if (format.startsWith('5')) return { version: '7' };
  return format.startsWith('6') ? { version: '8' } : {};
}

/** The install command as a user would type it. */
export function installCommand({ manager, lock }: ManagerChoice, dev: boolean): string[] {
  const locked = (...words: string[]) => (lock === null ? [] : words);
  const production = (word: string) => (dev ? [] : [word]);
  const commands: Record<NodeManager, string[]> = {
    npm: ['npm', lock === null ? 'install' : 'ci', ...production('--omit=dev')],
    pnpm: ['pnpm', 'install', ...locked('--frozen-lockfile'), ...production('--prod')],
    yarn: ['yarn', 'install', ...locked('--frozen-lockfile'), ...production('--production')],
    'yarn-berry': ['yarn', 'install', ...locked('--immutable')],
    bun: ['bun', 'install', ...locked('--frozen-lockfile'), ...production('--production')],
  };
  return commands[manager];
}

/** Files with settings that change what is installed. They are part of the layer's key together with package.json and the lock file. */
export function installInputs(tree: SourceTree, { lock }: ManagerChoice): string[] {
  const settings = ['.npmrc', '.yarnrc', '.yarnrc.yml', 'pnpm-workspace.yaml', 'bunfig.toml', '.pnpmfile.cjs', '.pnpmfile.mjs'].filter(
    tree.has,
  );
  const patches = tree.files.filter((f) => /^(patches|\.yarn\/(patches|plugins))\//.test(f)).slice(0, 500);
  return [...(tree.has('package.json') ? ['package.json'] : []), ...(lock === null ? [] : [lock]), ...settings, ...patches];
}

/** pnpm keeps its workspace in its own file. Without packages the file only holds settings. */
export function isPnpmWorkspace(tree: SourceTree): boolean {
  const source = tree.read('pnpm-workspace.yaml');
  if (source === null) return false;
  try {
    return Array.isArray((parseYaml(source) as { packages?: unknown } | null)?.packages);
  } catch {
    // pnpm itself reads a long file and reports the error of a broken file. A workspace gets the whole source, so its message is complete.
    return true;
  }
}
