import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { readTextBelow, removeTree, statBelow, walkBelow, writeBelow } from '@paddock/safe-files';
import { BuildError } from '../build-error.ts';
import { lifecycleScripts } from '../lifecycle-scripts.ts';
import type { InstallPlan } from '../plan.ts';
import { asOfWarning, computeCutoff, mayBeTooNew, onlyMoment } from './anew.ts';
import { gitRefused, loginStep } from './login-step.ts';
import { nodeEnv } from './node-env.ts';
import { isLocked, lockNames, lockOf, MOST_SAID, outOfStep, outOfStepWith, unlocked } from './node-locks.ts';
import type { PackagesRequest } from './packages-request.ts';
import { placePackages } from './place-packages.ts';
import { MEMBERS_FILE, membersHook, membersWords } from './pnpm-members.ts';
import { runCommand } from './run-step.ts';
import { stripSettings } from './settings/strip-settings.ts';
import type { StepContext } from './step-context.ts';
import type { ToolName } from './tools.ts';
import { installUnfetched } from './unfetched.ts';

/** Bound of npm's list of installed packages. Ten thousand packages take 5 MB. */
const MAX_LIST_BYTES = 64 * 1024 ** 2;
const MAX_ENTRIES = 2_000_000;
const ENTRIES_AT_ONCE = 5_000;

/**
 * Downloads packages with the machine's logins while no program of archive or package runs. Afterwards their scripts run without the
 * logins. On a machine without logins, managers other than npm do both at once.
 */
export async function installDated(parts: PackagesRequest): Promise<void> {
  const { request, tree, folder, warn } = parts;
  const { say, archiveDate, install: planned } = request;
  const manager = planned.manager as ToolName;
  const asOf = isLocked(planned.command) ? undefined : computeCutoff(request);
  const older = asOf === undefined ? undefined : olderOnly(manager, asOf);
  const absent = lockNames.filter((name) => statBelow(tree, join(folder, name)) === undefined);
  const takeOlder = (words: string[], env: Record<string, string>) =>
    installOnce({
      ...parts,
      request: { ...request, install: { ...planned, command: [...planned.command, ...words] } },
      env: { ...parts.env, ...env },
    });
  if (request.onlyOlder) {
    const { words, env } = olderOnly(manager, onlyMoment(asOf)) ?? { words: [], env: {} };
    return await takeOlder(words, env);
  }
  if (parts.isAddedToLock && older !== undefined) {
    try {
      return await takeOlder(older.words, older.env);
    } catch (error) {
      if (!mayBeTooNew(error)) throw error;
      say(`${error.message} Trying the newest versions of what was added …`);
      await removeInstalled(parts);
    }
  }
  try {
    await installOnce(parts);
  } catch (error) {
    if (older === undefined || parts.isAddedToLock || !mayBeTooNew(error)) throw error;
    say(`${error.message} Trying the versions of ${archiveDate}, the newest date in the archive …`);
    await removeInstalled(parts);
    for (const name of absent) await removeTree(join(tree, folder, name));
    const { context } = request;
    try {
      await takeOlder(older.words, older.env);
    } catch (again) {
      context.signal.throwIfAborted();
      if (!(again instanceof BuildError)) throw again;
      say('These failed, too.');
      throw error;
    }
    warn(asOfWarning(archiveDate, error));
  }
}

async function installOnce(parts: PackagesRequest): Promise<void> {
  try {
    await installMembers(parts);
  } catch (error) {
    if (!(error instanceof BuildError) || error.unfetchedBy === undefined) throw error;
    await removeInstalled(parts);
    await installUnfetched(parts, error, installMembers);
  }
}

async function installMembers(parts: PackagesRequest): Promise<void> {
  const { request, tree } = parts;
  const { manager, members = [] } = request.install;
  if (manager !== 'pnpm' || members.length === 0) return await installOrFetch(parts);
  writeBelow(tree, MEMBERS_FILE, membersHook(members));
  try {
    await installOrFetch(parts);
  } finally {
    await removeTree(join(tree, MEMBERS_FILE));
  }
}

async function installOrFetch(parts: PackagesRequest): Promise<void> {
  const { request, tree } = parts;
  const manager = request.install.manager as ToolName;
  const { registry } = request.context;
  if (manager === 'npm' && (await placePackages(parts))) return runScripts(parts);
  if (manager !== 'npm' && !registry.hasLogins) return installAtOnce(parts, quiet(manager));
  const restore = await stripSettings(tree, manager, request.say);
  const { env, words } = loginStep(manager, registry.npmNetwork);
  const isFetched = await fetchPackages(parts, { words: [...words, ...quiet(manager)], env });
  restore();
  if (manager === 'npm') return runScripts(parts);
  if (isFetched) request.say('Running the install scripts of packages, without the registry logins of this machine …');
  await removeInstalled(parts);
  const cached = manager === 'pnpm' || manager === 'yarn' ? ['--prefer-offline'] : [];
  await installAtOnce(parts, [...cached, ...quiet(manager)]);
}

/** Downloads packages and runs their scripts in one command. yarn takes no other shell for scripts, so npm runs them if it has to be another. */
async function installAtOnce(parts: PackagesRequest, words: string[]): Promise<void> {
  const { manager } = parts.request.install;
  if (parts.isUnfetched !== true || !manager.startsWith('yarn')) return await install(parts, { words, env: {}, credentials: false });
  const without =
    manager === 'yarn' ? { words: [...words, '--ignore-scripts'], env: {} } : { words, env: { YARN_ENABLE_SCRIPTS: 'false' } };
  await install(parts, { ...without, credentials: false });
  const npm = await parts.request.tools.packageManager('npm');
  await rebuild({ ...parts, manager: npm });
}

/** False if the packages need git, which yarn does not get in a step with logins. */
async function fetchPackages(parts: PackagesRequest, step: { words: string[]; env: Record<string, string> }): Promise<boolean> {
  const { context, say } = parts.request;
  let wantsGit = false;
  const onLine: StepContext['onLine'] = (stream, line) => {
    wantsGit ||= line.length < 10_000 && gitRefused.test(line);
    context.onLine(stream, line);
  };
  try {
    // Clients other than npm install once more, and that install warns about a lock file that does not match package.json.
    const warn = parts.request.install.manager === 'npm' ? parts.warn : () => undefined;
    await install({ ...parts, warn, request: { ...parts.request, context: { ...context, onLine } } }, { ...step, credentials: true });
    return true;
  } catch (error) {
    if (!(error instanceof BuildError) || !wantsGit) throw error;
    say('A dependency comes from a Git repository, whose scripts yarn would run: the registry logins of this machine are not used.');
    return false;
  }
}

function quiet(manager: ToolName): string[] {
  if (manager === 'npm') return ['--no-audit', '--no-fund'];
  return manager === 'yarn' ? ['--non-interactive'] : [];
}

/** Scripts run only for newly installed packages. A workspace has a folder of packages for each member. */
export async function removeInstalled({ tree }: PackagesRequest): Promise<void> {
  const isPackages = (path: string) => /(^|\/)node_modules$/.test(path);
  const found: string[] = [];
  let seen = 0;
  for (const { path, kind } of walkBelow(tree, MAX_ENTRIES, (entry) => !isPackages(entry.path))) {
    if (++seen % ENTRIES_AT_ONCE === 0) await breathe();
    if (kind === 'folder' && isPackages(path)) found.push(path);
  }
  for (const path of found) await removeTree(join(tree, path));
}

/** Whether the client can install versions of an earlier day. */
export const canBeOlder = ({ command, manager }: InstallPlan) =>
  !isLocked(command) && olderOnly(manager as ToolName, new Date().toISOString()) !== undefined;

/** The options that keep a client from installing versions newer than a moment; undefined if it has none. */
function olderOnly(manager: ToolName, asOf: string): { words: string[]; env: Record<string, string> } | undefined {
  const seconds = Math.floor((Date.now() - Date.parse(asOf)) / 1000);
  const minutes = String(Math.floor(seconds / 60));
  switch (manager) {
    case 'npm':
      return { words: [`--before=${asOf}`], env: {} };
    case 'pnpm':
      return { words: [`--config.minimum-release-age=${minutes}`], env: {} };
    case 'bun':
      return { words: [`--minimum-release-age=${seconds}`], env: {} };
    case 'yarn-berry':
      return { words: [], env: { YARN_NPM_MINIMAL_AGE_GATE: minutes } };
    default:
      return undefined;
  }
}

async function install(
  { request, cwd, mounts, node, manager, warn, env: more }: PackagesRequest,
  { words, env, credentials }: { words: string[]; env: Record<string, string>; credentials: boolean },
): Promise<void> {
  const { context, install: planned, cache } = request;
  const base = {
    step: 'install',
    doing: 'installing the dependencies of package.json',
    cwd,
    env: { ...nodeEnv(node, manager), ...env, ...more },
    mounts: [...mounts, cache, ...node.mounts, ...manager.mounts],
    credentials,
  } as const;
  let isOutOfStep = false;
  const said: string[] = [];
  const watching: StepContext = {
    ...context,
    onLine: (stream, line) => {
      isOutOfStep ||= outOfStep.test(line);
      const what = said.length < MOST_SAID ? outOfStepWith(line) : undefined;
      if (what !== undefined && !said.includes(what)) said.push(what);
      context.onLine(stream, line);
    },
  };
  try {
    await runCommand(watching, {
      ...base,
      command: [...planned.command, ...words, ...(isLocked(planned.command) ? [] : membersWords(planned))],
    });
  } catch (error) {
    if (!(error instanceof BuildError) || !isOutOfStep) throw error;
    warn(
      `${lockOf(planned)} doesn’t fit package.json${said.length > 0 ? `: ${said.join('; ')}` : ''}. The versions were resolved anew; make the lock file again for a build that repeats exactly.`,
    );
    await runCommand(context, { ...base, command: [...unlocked(planned), ...words, ...membersWords(planned)] });
  }
}

/** Runs the install scripts of npm's packages, if there are any, without the machine's logins. */
async function runScripts(parts: PackagesRequest): Promise<void> {
  const { request, tree, folder } = parts;
  const { install: planned, context } = request;
  const list = `${folder === '' ? '' : `${folder}/`}node_modules/.package-lock.json`;
  const hasScripts = (await readTextBelow(tree, list, MAX_LIST_BYTES))?.includes('"hasInstallScript": true') === true;
  if (hasScripts) await rebuild(parts);
  for (const script of planned.needs_source ? lifecycleScripts : []) {
    await runCommand(context, {
      ...scriptStep(parts),
      doing: `running the script “${script}” of package.json`,
      command: ['npm', 'run', '--if-present', script],
    });
  }
}

const rebuild = (parts: PackagesRequest) =>
  runCommand(parts.request.context, {
    ...scriptStep(parts),
    doing: 'running the install scripts of packages',
    command: ['npm', 'rebuild', '--foreground-scripts'],
  });

const scriptStep = ({ request, mounts, cwd, node, manager, env }: PackagesRequest) =>
  ({
    step: 'install',
    cwd,
    env: { ...nodeEnv(node, manager), ...env },
    mounts: [...mounts, request.cache, ...node.mounts, ...manager.mounts],
    credentials: false,
  }) as const;
