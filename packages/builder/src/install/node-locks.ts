import { join } from 'node:path';
import { lookBelow, readTextBelow, removeTree, writeBelow } from '@paddock/safe-files';
import type { InstallPlan } from '../plan.ts';

export const lockNames = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'];
export const isLocked = (command: string[]) => command.some((word) => ['ci', '--frozen-lockfile', '--immutable'].includes(word));

/** The lock file that a plan installs by, in words. */
export const lockOf = ({ inputs }: InstallPlan): string => inputs.find((input) => lockNames.includes(input)) ?? 'The lock file';

/** The command of a plan without the words that bind it to the lock file. */
export function unlocked({ command, manager }: InstallPlan): string[] {
  const loose = command
    .map((word) => (word === 'ci' ? 'install' : word))
    // To bun this word also says that the lock file is frozen.
    .map((word) => (manager === 'bun' && word === '--production' ? '--omit=dev' : word))
    .filter((word) => !/^--(frozen-lockfile|immutable)$/.test(word));
  // Under CI these clients refuse to change a lock file.
  const allow = { pnpm: ['--no-frozen-lockfile'], bun: ['--no-frozen-lockfile'], 'yarn-berry': ['--no-immutable'] }[manager] ?? [];
  return [...loose, ...allow];
}

const MAX_LOCK_BYTES = 128 * 1024 ** 2;

/** Does the work where the folder has no lock file; afterwards the file is there as it was. */
export async function withoutLock(folder: string, planned: InstallPlan, work: () => Promise<void>): Promise<void> {
  const name = lockOf(planned);
  const before = await readTextBelow(folder, name, MAX_LOCK_BYTES);
  await removeTree(join(folder, name));
  try {
    await work();
  } finally {
    if (lookBelow(folder, name) !== undefined) await removeTree(join(folder, name));
    if (before !== undefined) writeBelow(folder, name, before);
  }
}

/** So many differences are told. */
export const MOST_SAID = 4;

/** What a client says of the difference between lock file and package.json, such as `Missing: ms@2.1.3 from lock file`. */
export function outOfStepWith(line: string): string | undefined {
  if (line.length > 500) return undefined;
  const text = line.startsWith('npm error ') ? line.slice('npm error '.length).trim() : line.trim();
  const changed = 'note: dependencies in package.json changed since ';
  if (text.startsWith(changed)) return text.slice(changed.length).split(': ', 2)[1];
  return /^(Missing|Invalid): |^\* \d+ dependencies (were|are) |^[+-] {0,4}"?[@a-z].{0,100}@(npm:)?[\^~\d]/.test(text) ? text : undefined;
}

/** What clients say of a lock file that does not fit. */
export const outOfStep =
  /EUSAGE|can only install packages when your package\.json|ERR_PNPM_OUTDATED_LOCKFILE|ERR_PNPM_LOCKFILE_(CONFIG|BREAKING)|lockfile needs to be updated|YN0028|lockfile had changes, but lockfile is frozen|frozen-lockfile/i;
