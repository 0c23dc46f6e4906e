import { join } from 'node:path';
import { readTextBelow, removeTree, statBelow, writeBelow } from '@paddock/safe-files';
import { usualHost } from '../npm/placement.ts';
import type { InstallPlan } from '../plan.ts';

export const lockNames = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'];
export const isLocked = (command: string[]) => command.some((word) => ['ci', '--frozen-lockfile', '--immutable'].includes(word));

/** The name of the lock file that a plan installs from. */
export const lockOf = ({ inputs }: InstallPlan): string => inputs.find((input) => lockNames.includes(input)) ?? 'The lock file';

/** The command of a plan without the options that bind it to the lock file. */
export function unlocked({ command, manager }: InstallPlan): string[] {
  const loose = command
    .map((word) => (word === 'ci' ? 'install' : word))
    // For bun `--production` also means that the lock file is frozen.
    .map((word) => (manager === 'bun' && word === '--production' ? '--omit=dev' : word))
    .filter((word) => !/^--(frozen-lockfile|immutable)$/.test(word));
  // In CI these clients refuse to change a lock file.
  const allow = { pnpm: ['--no-frozen-lockfile'], bun: ['--no-frozen-lockfile'], 'yarn-berry': ['--no-immutable'] }[manager] ?? [];
  return [...loose, ...allow];
}

const MAX_LOCK_BYTES = 128 * 1024 ** 2;

/** Runs the work while the folder has no lock file. Afterwards the file is restored. */
export async function withoutLock(folder: string, planned: InstallPlan, work: () => Promise<void>): Promise<void> {
  const name = lockOf(planned);
  const before = await readTextBelow(folder, name, MAX_LOCK_BYTES);
  await removeTree(join(folder, name));
  try {
    await work();
  } finally {
    if (statBelow(folder, name) !== undefined) await removeTree(join(folder, name));
    if (before !== undefined) writeBelow(folder, name, before);
  }
}

/** Address of a package's file in npm's lock file. */
const fileAddress = /"resolved": {0,4}"https?:\/\/([\w.:-]{1,250})\/[^"\s]{1,1000}"/g;

/**
 * The host of addresses in npm's lock file that a failure names, and how many of the lock's addresses it has; undefined if there is none. The
 * host that npm replaces by itself is none.
 */
export async function findForeignHost(
  folder: string,
  planned: InstallPlan,
  failure: string,
): Promise<{ host: string; count: number } | undefined> {
  const lock = await readTextBelow(folder, lockOf(planned), MAX_LOCK_BYTES);
  const counts = new Map<string, number>();
  // Locks of npm 6 have no list of packages, and keep their addresses elsewhere.
  if (lock?.includes('"packages"') !== true) return undefined;
  for (const [, host = ''] of lock.matchAll(fileAddress)) counts.set(host, (counts.get(host) ?? 0) + 1);
  counts.delete(usualHost);
  const named = [...counts].filter(([host]) => failure.includes(host) || failure.includes(host.replace(/:\d{1,5}$/, '')));
  const [host, count] = named.sort(([, a], [, b]) => b - a)[0] ?? [];
  return host === undefined || count === undefined ? undefined : { host, count };
}

/**
 * Runs the work while npm's lock file names no addresses at this host, so that npm asks its registry for them. Afterwards the file is
 * restored. Entries without a digest keep their address.
 */
export async function withoutAddresses(
  folder: string,
  { planned, host }: { planned: InstallPlan; host: string },
  work: () => Promise<void>,
): Promise<void> {
  const name = lockOf(planned);
  const before = (await readTextBelow(folder, name, MAX_LOCK_BYTES)) ?? '';
  const lock = JSON.parse(before) as { packages?: Record<string, { resolved?: string; integrity?: string }> };
  for (const entry of Object.values(lock.packages ?? {})) {
    const { resolved, integrity } = entry;
    if (integrity !== undefined && resolved !== undefined && URL.canParse(resolved) && new URL(resolved).host === host)
      delete entry.resolved;
  }
  writeBelow(folder, name, JSON.stringify(lock, null, 2));
  try {
    await work();
  } finally {
    writeBelow(folder, name, before);
  }
}

/** Maximum number of differences in a message. */
export const MOST_SAID = 4;

/** The difference between lock file and package.json in a line of a client's output, such as `Missing: ms@2.1.3 from lock file`. */
export function outOfStepWith(line: string): string | undefined {
  if (line.length > 500) return undefined;
  const text = line.startsWith('npm error ') ? line.slice('npm error '.length).trim() : line.trim();
  const changed = 'note: dependencies in package.json changed since ';
  if (text.startsWith(changed)) return text.slice(changed.length).split(': ', 2)[1];
  return /^(Missing|Invalid): |^\* \d+ dependencies (were|are) |^[+-] {0,4}"?[@a-z].{0,100}@(npm:)?[\^~\d]/.test(text) ? text : undefined;
}

/** Messages of clients about a lock file that does not match. */
export const outOfStep =
  /EUSAGE|can only install packages when your package\.json|ERR_PNPM_OUTDATED_LOCKFILE|ERR_PNPM_LOCKFILE_(CONFIG|BREAKING)|lockfile needs to be updated|YN0028|lockfile had changes, but lockfile is frozen|frozen-lockfile/i;
