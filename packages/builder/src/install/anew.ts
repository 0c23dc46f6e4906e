import { dayMs } from '@paddock/contract/time';
import { readTextBelow, writeBelow } from '@paddock/safe-files';
import { BuildError } from '../build-error.ts';
import type { PythonDependencies, StaleLock } from '../python-dependencies.ts';
import type { Installed, InstallRequest } from './request.ts';

/** The settings of the commands in one install attempt. */
export interface RunSettings {
  /** Install only versions that existed at that time. */
  asOf?: string;
  /** A requirement in addition to those of the project. */
  below?: string;
  /** The lock file need not match. */
  isLoose?: boolean;
  /** The code of packages runs. */
  isOwnCode?: boolean;
  /** The builds of PyTorch to install. */
  torch?: 'cpu';
  /** Lines of uv's overrides: they count instead of what packages ask for. */
  overrides?: string[];
  onLine?: (line: string) => void;
}

/** An install that can be retried in different ways. */
export interface Ways {
  install: (settings: RunSettings) => Promise<void>;
  /** Empties the environment. Packages left by the first attempt would count as installed. */
  empty: () => Promise<void>;
  warn: (text: string) => void;
  /** Folder of the lock file that the commands use. */
  lockFolder: string;
}

/** The plan's warning about a lock file that did not match. */
export function staleWarning({ file }: Pick<PythonDependencies, 'file'>, { why, command }: StaleLock): string {
  const project = file === 'Pipfile.lock' ? 'Pipfile' : 'pyproject.toml';
  return `${file} doesn’t fit ${project}: ${why}. The versions were resolved anew, those of the lock where they fit; run \`${command}\` for a build that repeats exactly.`;
}

const maxLockBytes = 128 * 1024 ** 2;

/** Installs from uv.lock. If uv reports that the lock is out of date, uv resolves the versions again and the file is left unchanged. */
export async function withUvLock({ say }: InstallRequest, dependencies: PythonDependencies, ways: Ways): Promise<void> {
  let isStale = false;
  try {
    await ways.install({ onLine: (line) => (isStale ||= line.length < 2000 && line.includes('needs to be updated')) });
    return;
  } catch (error) {
    if (!(error instanceof BuildError) || !isStale) throw error;
  }
  const stale = dependencies.stale ?? { why: 'uv would change it', wanted: [], command: 'uv lock' };
  say(`uv.lock doesn’t fit pyproject.toml: ${stale.why}. Resolving anew …`);
  const lock = await readTextBelow(ways.lockFolder, 'uv.lock', maxLockBytes);
  await ways.install({ isLoose: true });
  if (lock !== undefined) writeBelow(ways.lockFolder, 'uv.lock', lock);
  ways.warn(staleWarning(dependencies, stale));
}

/** An archive younger than this is hardly broken by packages published since. */
const minAgeMs = 2 * dayMs;

/** The end of the archive's newest day, for clients that install nothing newer; undefined if the archive has no date or is too young. */
export function computeCutoff({ archiveDate }: Pick<InstallRequest, 'archiveDate'>): string | undefined {
  if (archiveDate === null) return undefined;
  const end = Date.parse(`${archiveDate}T00:00:00Z`) + dayMs;
  return Date.now() - end < minAgeMs ? undefined : new Date(end).toISOString();
}

/** Whether older versions may help: the packages were downloaded, but could not be resolved or built. */
export const mayBeTooNew = (error: unknown): error is BuildError => error instanceof BuildError && error.code === 'install_failed';

/**
 * Installs the newest versions. If that fails, installs the versions of the archive's date. If that also fails, the first failure is
 * thrown.
 */
export async function orAsOfDate(request: InstallRequest, { install, empty, warn }: Ways): Promise<void> {
  const { archiveDate, say, context } = request;
  const asOf = computeCutoff(request);
  if (request.below !== undefined) return await install({ below: request.below });
  if (request.onlyOlder) return await install({ asOf: onlyMoment(asOf) });
  try {
    await install({});
  } catch (error) {
    if (asOf === undefined || !mayBeTooNew(error)) throw error;
    say(`${error.message} Trying the versions of ${archiveDate}, the newest date in the archive …`);
    await empty();
    let isUndated = false;
    try {
      await install({ asOf, onLine: (line) => (isUndated ||= line.includes('missing an upload date')) });
    } catch (again) {
      context.signal.throwIfAborted();
      if (!(again instanceof BuildError)) throw again;
      say(isUndated ? 'The package index does not tell when its files were published, so that is not possible.' : 'These failed, too.');
      throw error;
    }
    warn(asOfWarning(archiveDate, error));
  }
}

const notNewest = 'The newest versions could not be installed';

export const asOfWarning = (date: string | null, { message }: Error) =>
  `${notNewest}, so those of ${date}, the newest date in the archive, were taken. Add a lock file to keep them. The newest: ${message}`;

/** The moment for the second build after the newest versions broke the start. */
export function onlyMoment(asOf: string | undefined): string {
  if (asOf !== undefined) return asOf;
  throw new BuildError('install', 'install_failed', { message: 'The archive has no date that its packages could be taken of.' });
}

/** Whether these packages are the newest ones, without a lock, and the archive has an earlier date to install from. */
export const mayBeOlder = (request: Pick<InstallRequest, 'archiveDate'>, { isUnlocked, warnings }: Installed): boolean =>
  isUnlocked === true && computeCutoff(request) !== undefined && !warnings.some((one) => one.startsWith(notNewest));

export function insteadWarning(date: string | null, { error, below }: { error: string; below?: string }): string {
  const taken =
    below === undefined
      ? `those of ${date}, the newest date in the archive, were taken. Pin them or add a lock file to keep them`
      : `${below} was taken. Add that to the requirements to keep it`;
  return `The agent did not start with the newest versions of its packages, so ${taken}. The newest: ${error}`;
}
