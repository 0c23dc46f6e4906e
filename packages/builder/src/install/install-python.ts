import { join } from 'node:path';
import { lookBelow, removeTree, writeBelow } from '@paddock/safe-files';
import { BuildError } from '../build-error.ts';
import { compare } from '../compare-versions.ts';
import type { InstallPlan } from '../plan.ts';
import type { PythonDependencies } from '../python-dependencies.ts';
import type { Mount } from '../step.ts';
import { cacheEnv } from './cache.ts';
import { copyInputs, digests } from './inputs.ts';
import { layerKey, takeLayer } from './layers.ts';
import { gitEnv } from './login-step.ts';
import type { Interpreter } from './pythons.ts';
import type { Installed, InstallRequest } from './request.ts';
import { refuseVariables } from './requirement-lines.ts';
import { runCommand } from './run-step.ts';
import { setAside } from './settings/set-aside.ts';
import type { Tool } from './tool.ts';

/** Installs into a virtual environment that every agent sees at the same place, `.venv` beside its source. */
export async function installPython(request: InstallRequest): Promise<Installed> {
  const { plan, install, dependencies, appDir, python, tools, context, say, platform } = request;
  if (dependencies === null)
    throw new BuildError('install', 'install_failed', { message: 'The files that name the dependencies are gone.' });
  if (python === null) throw new TypeError('The plan is not of Python.');
  const uv = await tools.uv();
  if (uv === null && dependencies.file === 'uv.lock') {
    throw new BuildError('install', 'tool_unavailable', {
      message: 'uv.lock needs uv, which could not be fetched.',
      hint: 'The machine needs to reach its Python package index once; try again, or deploy with a requirements.txt.',
    });
  }
  const warnings = uv === null ? ['uv could not be fetched; pip is used, which is slower.'] : [];
  const manager = uv === null ? 'pip' : `uv ${uv.version}`;
  const root = plan.root === '' ? '/app' : `/app/${plan.root}`;
  const key = layerKey({
    kind: 'python',
    team: request.teamId,
    platform,
    python: python.version,
    manager,
    root,
    extra: install.extra,
    seed: seed(uv, python.version, dependencies),
    inputs: await digests(join(appDir, plan.root), install.inputs),
    lines: dependencies.lines,
    source: install.needs_source ? request.sourceHash : null,
  });
  const fill = async (content: string) => {
    say(`Installing ${amount(dependencies)} with ${manager} (${dependencies.file}) …`);
    await fillEnvironment(request, { dependencies, python, uv, root, content });
  };
  const layer = await takeLayer(request.dataDir, { key, fill }, context.signal);
  if (layer.reused) say(`Dependencies unchanged, layer ${key.slice(0, 8)}… reused.`);
  return {
    mounts: [{ from: layer.path, at: `${root}/.venv` }],
    path: [`${root}/.venv/bin`],
    env: { VIRTUAL_ENV: `${root}/.venv` },
    layerKeys: [key],
    installed: !layer.reused,
    warnings,
  };
}

interface Environment {
  dependencies: PythonDependencies;
  python: Interpreter;
  uv: Tool | null;
  /** The project's folder, inside of the sandbox. */
  root: string;
  /** Folder of the new layer. */
  content: string;
}

async function fillEnvironment(request: InstallRequest, environment: Environment): Promise<void> {
  const { plan, install, appDir, say } = request;
  const { dependencies, python, uv, root, content } = environment;
  const scratch = `${content}-source`;
  try {
    // Packages in the archive's own folders need the whole archive. Other installs see only the files that name dependencies.
    const lists = dependencies.file === 'requirements.txt' ? install.inputs : [];
    await refuseVariables(join(appDir, plan.root), lists, dependencies.lines);
    await copyInputs(join(appDir, plan.root), scratch, install.needs_source ? [] : install.inputs);
    addLists(scratch, dependencies);
    const restore = await setAside(install.needs_source ? appDir : scratch, install.manager, say);
    const run = commandRunner(request, environment, scratch);
    for (const command of commands(environment, install)) await run(command);
    const seeded = seed(uv, python.version, dependencies);
    const minor = python.version.split('.').slice(0, 2).join('.');
    if (seeded !== null && lookBelow(content, `lib/python${minor}/site-packages/pkg_resources`) === undefined)
      await run(['uv', 'pip', 'install', '--python', `${root}/.venv/bin/python`, '--', seeded]);
    restore();
  } finally {
    await removeTree(scratch);
  }
}

/** Runs commands of one install, in a sandbox that sees the sources and the new layer. */
function commandRunner({ install, appDir, cache, context }: InstallRequest, environment: Environment, scratch: string) {
  const { dependencies, python, uv, root, content } = environment;
  const source: Mount[] = install.needs_source
    ? [
        { from: appDir, at: '/app', writable: true },
        { from: scratch, at: '/opt/paddock/requirements' },
      ]
    : [{ from: scratch, at: root, writable: true }];
  const mounts = [...source, ...python.mounts, { from: content, at: `${root}/.venv`, writable: true }, cache, ...(uv?.mounts ?? [])];
  const env = { ...pythonEnv(python.path, root), PATH: `${uv === null ? '' : `${uv.path}:`}/usr/local/bin:/usr/bin:/bin` };
  const doing = `Installing the dependencies of ${dependencies.file}`;
  return (command: string[]) => runCommand(context, { step: 'install', doing, command, cwd: root, env, mounts, credentials: true });
}

function amount({ file, locked, lines, names }: PythonDependencies): string {
  const count = lines?.length ?? [...names].filter((name) => !name.includes('[')).length;
  if (file === 'uv.lock' || count === 0) return locked ? 'the locked packages' : 'dependencies';
  return `${count}${locked ? ' locked' : ''} ${count === 1 ? 'package' : 'packages'}`;
}

/**
 * Environments of Python before 3.12 contain setuptools, and many packages of that time import its pkg_resources without naming
 * setuptools. Environments of uv are empty, and the newest setuptools has no pkg_resources any more.
 */
function seed(uv: Tool | null, python: string, { file, names }: PythonDependencies): string | null {
  const isOld = compare(python, '3.12') < 0;
  const isLoose = ['requirements.txt', 'Pipfile', 'Pipfile.lock'].includes(file);
  return uv !== null && isOld && isLoose && !names.has('setuptools') ? 'setuptools<81' : null;
}

const listed = '.paddock-requirements.txt';

function addLists(scratch: string, { file, lines }: PythonDependencies): void {
  // uv reads the project's metadata; a README that it names has to be there.
  if (file === 'uv.lock') writeBelow(scratch, 'README.md', '');
  if (lines !== null) writeBelow(scratch, listed, `${lines.join('\n')}\n`);
}

/** The commands that make the environment and fill it. */
function commands({ dependencies, python, uv, root }: Environment, install: InstallPlan): string[][] {
  const { file, lines } = dependencies;
  const inside = `${root}/.venv/bin/python`;
  const pip = uv === null ? [inside, '-m', 'pip', 'install', '--no-input'] : ['uv', 'pip', 'install', '--python', inside];
  const make =
    uv === null
      ? [python.path, '-m', 'venv', '--', `${root}/.venv`]
      : ['uv', 'venv', '--allow-existing', '--relocatable', '--python', python.path, '--', `${root}/.venv`];
  const all = [make];
  if (lines?.length !== 0) all.push(mainCommand(pip, { dependencies, root, install }));
  if (install.project === true && file !== 'uv.lock') all.push([...pip, '--no-deps', '--', '.']);
  // `uv sync` would remove packages that the lock does not hold, so additions come last.
  if (install.extra.length > 0) all.push([...pip, '--', ...install.extra]);
  return all;
}

interface MainInstall {
  dependencies: PythonDependencies;
  root: string;
  install: InstallPlan;
}

function mainCommand(pip: string[], { dependencies, root, install }: MainInstall): string[] {
  const { file, lines, locked } = dependencies;
  if (file === 'uv.lock') return ['uv', 'sync', '--locked', '--no-dev', ...(install.needs_source ? [] : ['--no-install-project'])];
  if (lines !== null) {
    const list = `${install.needs_source ? '/opt/paddock/requirements' : root}/${listed}`;
    return [...pip, ...(locked ? ['--no-deps'] : []), '-r', list];
  }
  return file === 'pyproject.toml' ? [...pip, '--', '.'] : [...pip, '-r', file];
}

function pythonEnv(python: string, root: string): Record<string, string> {
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
