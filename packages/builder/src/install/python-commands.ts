import { writeBelow } from '@paddock/safe-files';
import { compare } from '../compare-versions.ts';
import type { InstallPlan } from '../plan.ts';
import type { PythonDependencies } from '../python-dependencies.ts';
import { cacheEnv } from './cache.ts';
import { gitEnv } from './login-step.ts';
import type { Interpreter } from './python-store.ts';
import type { Tool } from './tool.ts';

export const isOld = (python: string) => compare(python, '3.12') < 0;

/**
 * Environments of Python before 3.12 contain setuptools, and many packages of that time import its pkg_resources without naming setuptools.
 * Environments of uv are empty, and the newest setuptools no longer has pkg_resources. Later Pythons get setuptools if a package requires
 * it.
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

/** Writes the requirement lists that the commands use. */
export function addLists(scratch: string, { file, lines, stale }: PythonDependencies): void {
  // uv reads the project's metadata, and a README that it names has to exist.
  if (file === 'uv.lock') writeBelow(scratch, 'README.md', '');
  if (lines !== null) writeBelow(scratch, listed, `${lines.join('\n')}\n`);
  if (stale !== undefined) writeBelow(scratch, wantedList, `${stale.wanted.join('\n')}\n`);
}

interface ToInstall {
  /** The moment of the lock. Packages added beside the lock are first tried with the versions of that time. */
  lockMoment?: string | undefined;
  dependencies: PythonDependencies;
  python: Interpreter;
  uv: Tool | null;
  /** The project's folder, inside the sandbox. */
  root: string;
}

/** The commands that create and fill the environment. */
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
  // Locked versions are kept if they match.
  if (isStale && uv !== null)
    all.push(['uv', 'pip', 'compile', '-q', '--no-header', '--python', inside, '-o', `${lists}/${listed}`, '--', `${lists}/${wantedList}`]);
  if (isStale && uv === null) all.push([...pip, '-r', `${lists}/${wantedList}`]);
  else if (lines?.length !== 0 || isStale) all.push(mainCommand(pip, { dependencies, root, install }));
  if (install.project === true && file !== 'uv.lock') all.push([...pip, '--no-deps', '--', '.']);
  // `uv sync` would remove packages that are not in the lock, so additions come last.
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
  /** The Python of the environment. */
  inside: string;
  install: InstallPlan;
  /** Folder of the requirement list. */
  list: string;
  lockMoment: string | undefined;
}

const lockList = '/tmp/locked.txt';
const exportLock = `uv export -q --frozen --no-dev --no-hashes --no-emit-project -o ${lockList}`;
const add = 'uv pip install --python "$0" -- "$@"';

/**
 * Adds packages to an environment, beside the versions of the lock or list. The newest added packages may need other versions of existing
 * packages: these change only if nothing matches the existing versions.
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

/** The variables that give uv and pip their paths and exclude settings of the archive and the machine. */
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
    // The machine's settings are passed as variables. A settings file could only be the archive's.
    PIP_CONFIG_FILE: '/dev/null',
    PIP_KEYRING_PROVIDER: 'disabled',
    UV_KEYRING_PROVIDER: 'disabled',
    PIP_RETRIES: '2',
    UV_HTTP_RETRIES: '2',
    PYTHONUNBUFFERED: '1',
  };
}
