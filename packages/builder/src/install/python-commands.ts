import { writeBelow } from '@paddock/safe-files';
import { compare } from '../compare-versions.ts';
import type { InstallPlan } from '../plan.ts';
import type { PythonDependencies } from '../python-dependencies.ts';
import { cacheEnv } from './cache.ts';
import { gitEnv } from './login-step.ts';
import type { Interpreter } from './pythons.ts';
import type { Tool } from './tool.ts';

export const isOld = (python: string) => compare(python, '3.12') < 0;

/**
 * Environments of Python before 3.12 contain setuptools, and many packages of that time import its pkg_resources without naming
 * setuptools. Environments of uv are empty, and the newest setuptools has no pkg_resources any more. Later Pythons get it where a package asks
 * for any setuptools.
 */
export function seed(uv: Tool | null, python: string, { file, names }: PythonDependencies): string | null {
  const isLoose =
    [
      'requirements.txt',
      'setup.cfg',
      'setup.py',
      'Pipfile',
      'Pipfile.lock',
      'environment.yml',
      'Dockerfile',
      'the added packages',
    ].includes(file) ||
    (file === 'pyproject.toml' && !isOld(python));
  return uv !== null && isLoose && !names.has('setuptools') ? 'setuptools<81' : null;
}

const listed = '.paddock-requirements.txt';
const wantedList = '.paddock-wanted.txt';

/** Writes the lists that the commands name. */
export function addLists(scratch: string, { file, lines, stale }: PythonDependencies): void {
  // uv reads the project's metadata; a README that it names has to be there.
  if (file === 'uv.lock') writeBelow(scratch, 'README.md', '');
  if (lines !== null) writeBelow(scratch, listed, `${lines.join('\n')}\n`);
  if (stale !== undefined) writeBelow(scratch, wantedList, `${stale.wanted.join('\n')}\n`);
}

interface ToInstall {
  /** Of a lock: what is added beside it is tried with the versions of that time first. */
  lockMoment?: string | undefined;
  dependencies: PythonDependencies;
  python: Interpreter;
  uv: Tool | null;
  /** The project's folder, inside of the sandbox. */
  root: string;
}

/** The commands that make the environment and fill it. */
export function commands({ dependencies, python, uv, root, lockMoment }: ToInstall, install: InstallPlan): string[][] {
  const { file, lines } = dependencies;
  const inside = `${root}/.venv/bin/python`;
  const pip = uv === null ? [inside, '-m', 'pip', 'install', '--no-input'] : ['uv', 'pip', 'install', '--python', inside];
  const make =
    uv === null
      ? [python.path, '-m', 'venv', '--', `${root}/.venv`]
      : ['uv', 'venv', '--allow-existing', '--relocatable', '--python', python.path, '--', `${root}/.venv`];
  const all = [make];
  const lists = install.needs_source ? '/opt/paddock/requirements' : root;
  const isStale = dependencies.stale !== undefined && file !== 'uv.lock';
  // The versions of the lock stay where they fit.
  if (isStale && uv !== null)
    all.push(['uv', 'pip', 'compile', '-q', '--no-header', '--python', inside, '-o', `${lists}/${listed}`, '--', `${lists}/${wantedList}`]);
  if (isStale && uv === null) all.push([...pip, '-r', `${lists}/${wantedList}`]);
  else if (lines?.length !== 0 || isStale) all.push(mainCommand(pip, { dependencies, root, install }));
  if (install.project === true && file !== 'uv.lock') all.push([...pip, '--no-deps', '--', '.']);
  // `uv sync` would remove packages that the lock does not hold, so additions come last.
  if (install.extra.length > 0)
    all.push(
      uv === null
        ? [...pip, '--', ...install.extra]
        : addition({ dependencies, inside, install, list: lines === null ? root : lists, lockMoment }),
    );
  return all;
}

interface Addition {
  dependencies: PythonDependencies;
  /** The environment's own Python. */
  inside: string;
  install: InstallPlan;
  /** Folder of the list. */
  list: string;
  lockMoment: string | undefined;
}

const lockList = '/tmp/locked.txt';
const exportLock = `uv export -q --frozen --no-dev --no-hashes --no-emit-project -o ${lockList}`;
const add = 'uv pip install --python "$0" -- "$@"';

/**
 * Adds packages to an environment, beside the versions of the lock or list. Their newest may want other versions of what is there already: only if
 * nothing fits beside those, these give way.
 */
function addition({ dependencies: { file, list: ownList, lines }, inside, install, list: folder, lockMoment }: Addition): string[] {
  const list = file === 'requirements.txt' ? (ownList ?? file) : undefined;
  const kept = file === 'uv.lock' ? lockList : `${folder}/${lines === null ? list : listed}`;
  const first = file === 'uv.lock' ? `${exportLock} && ` : '';
  const isListed = file === 'uv.lock' || lines !== null || list !== undefined;
  const beside = 'uv pip install --python "$0" --constraint "$list" ${UV_CONSTRAINT:+--constraint "$UV_CONSTRAINT"} -- "$@"';
  const ofItsTime = lockMoment === undefined ? '' : `UV_EXCLUDE_NEWER=${lockMoment} ${beside} || `;
  const script = `list=$1; shift; ${first}{ ${ofItsTime}${beside}; } || ${add}`;
  return isListed ? ['/bin/sh', '-c', script, inside, kept, ...install.extra] : ['/bin/sh', '-c', add, inside, ...install.extra];
}

interface MainInstall {
  dependencies: PythonDependencies;
  root: string;
  install: InstallPlan;
}

function mainCommand(pip: string[], { dependencies, root, install }: MainInstall): string[] {
  const { file, list, lines, locked } = dependencies;
  if (file === 'uv.lock') return ['uv', 'sync', '--locked', '--no-dev', ...(install.needs_source ? [] : ['--no-install-project'])];
  if (lines !== null) {
    const listFile = `${install.needs_source ? '/opt/paddock/requirements' : root}/${listed}`;
    return [...pip, ...(locked ? ['--no-deps'] : []), '-r', listFile];
  }
  return ['pyproject.toml', 'setup.cfg', 'setup.py'].includes(file) ? [...pip, '--', '.'] : [...pip, '-r', list ?? file];
}

/** What tells uv and pip where they are, and keeps settings of the archive and of the machine out. */
export function pythonEnv(python: string, root: string): Record<string, string> {
  return {
    ...cacheEnv,
    ...gitEnv,
    CI: 'true',
    VIRTUAL_ENV: `${root}/.venv`,
    UV_PROJECT_ENVIRONMENT: `${root}/.venv`,
    UV_PYTHON: python,
    UV_PYTHON_DOWNLOADS: 'never',
    UV_LINK_MODE: 'copy',
    UV_COMPILE_BYTECODE: '1',
    UV_NO_PROGRESS: '1',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_PROGRESS_BAR: 'off',
    // The machine's settings come as variables; a file of settings could only be the archive's.
    PIP_CONFIG_FILE: '/dev/null',
    PIP_KEYRING_PROVIDER: 'disabled',
    UV_KEYRING_PROVIDER: 'disabled',
    PIP_RETRIES: '2',
    UV_HTTP_RETRIES: '2',
    PYTHONUNBUFFERED: '1',
  };
}
