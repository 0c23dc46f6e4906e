import { join } from 'node:path';
import { readTextBelow, removeTree, statBelow, writeBelow } from '@paddock/safe-files';
import { BuildError } from '../build-error.ts';
import type { Target } from '../npm/left-out.ts';
import { computePlacement, type Placement } from '../npm/placement.ts';
import { cacheEnv } from './cache.ts';
import { nodeEnv } from './node-env.ts';
import type { PackagesRequest } from './packages-request.ts';
import { runCommand } from './run-step.ts';

const maxBytes = 64 * 1024 ** 2;
/** Written to the folder of package.json while the step runs. */
const placementFile = '.paddock-placement.json';
/** Settings of an archive that do not affect what npm installs from a lock file. */
const harmless = /^\s*(?:[#;].*|(?:audit|fund|legacy-peer-deps|loglevel|progress|save-exact|save-prefix|update-notifier)\s*=.*)?$/;

/**
 * Installs the packages of npm's lock file without npm, in a fifth of npm's time. Each package is copied to its path from the team's cache,
 * and downloaded first if it is not cached. Returns false if npm has to install them; the attempt then leaves nothing behind.
 */
export async function placePackages(parts: PackagesRequest): Promise<boolean> {
  const { request, tree, folder, cwd, mounts, node, manager } = parts;
  const { cache, context } = request;
  const placement = await readPlacement(parts);
  const mayFetch = context.registry.isPublic;
  if (placement === undefined || !(mayFetch || areCached(placement, cache.from))) return false;
  const file = join(folder, placementFile);
  writeBelow(tree, file, JSON.stringify({ cache: cacheEnv.npm_config_cache, mayFetch, ...placement }));
  try {
    await runCommand(context, {
      step: 'install',
      doing: 'placing the packages of the lock file',
      command: ['node', '/opt/paddock/launchers/place_packages.mjs', placementFile],
      cwd,
      env: nodeEnv(node, manager),
      mounts: [...mounts, cache, ...node.mounts, ...manager.mounts],
      credentials: false,
    });
    return true;
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof BuildError)) throw error;
    await removeTree(join(tree, folder, 'node_modules'));
    return false;
  } finally {
    await removeTree(join(tree, file));
  }
}

async function readPlacement({ request, tree, folder, node, manager }: PackagesRequest): Promise<Placement | undefined> {
  const { install } = request;
  const [program, verb, ...words] = install.command;
  if (program !== 'npm' || verb !== 'ci' || words.some((word) => word !== '--omit=dev') || install.extra.length > 0) return undefined;
  const read = (name: string) => readTextBelow(tree, join(folder, name), maxBytes);
  const has = (name: string) => statBelow(tree, join(folder, name)) !== undefined;
  if (has('node_modules') || has('npm-shrinkwrap.json')) return undefined;
  const settings = (await read('.npmrc')) ?? '';
  if (settings.length > 10_000 || !settings.split('\n').every((line) => harmless.test(line))) return undefined;
  const [packageJson, lock] = [await read('package.json'), await read('package-lock.json')];
  if (packageJson === undefined || lock === undefined) return undefined;
  const target = parseTarget(request.platform, { node: node.version, npm: manager.version });
  return computePlacement({ packageJson, lock, omitDev: words.includes('--omit=dev'), target });
}

/** `platform` is the names of the system, the processor and the C library, such as `linux-x64-2.36` or `linux-x64-musl`. */
function parseTarget(platform: string, versions: Pick<Target, 'node' | 'npm'>): Target {
  const [os = '', cpu = '', libc = ''] = platform.split('-');
  return { os, cpu, libc: libc === 'musl' ? 'musl' : 'glibc', ...versions };
}

/** npm stores downloads by their digest. */
function areCached({ packages }: Placement, cache: string): boolean {
  const contents = 'npm/_cacache/content-v2/sha512';
  const placeOf = (sha512: string) => join(contents, sha512.slice(0, 2), sha512.slice(2, 4), sha512.slice(4));
  return packages.every(({ sha512 }) => statBelow(cache, placeOf(sha512)) !== undefined);
}
