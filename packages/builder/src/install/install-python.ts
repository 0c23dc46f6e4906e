import { join } from 'node:path';
import { lookBelow, removeTree, writeBelow } from '@paddock/safe-files';
import { BuildError } from '../build-error.ts';
import { compare } from '../compare-versions.ts';
import type { Toolchains } from '../detect/toolchains.ts';
import type { InstallPlan, Plan } from '../plan.ts';
import type { PythonDependencies } from '../python-dependencies.ts';
import type { Mount } from '../step.ts';
import { cacheEnv } from './cache.ts';
import { copyInputs, digests } from './inputs.ts';
import type { Installed, InstallRequest } from './install.ts';
import { layerKey, takeLayer } from './layers.ts';
import { gitEnv } from './login-step.ts';
import { refuseVariables } from './requirement-lines.ts';
import { runCommand } from './run-step.ts';
import { setAside } from './settings/set-aside.ts';
import type { Tool } from './tools.ts';

/** Installs into a virtual environment that every agent sees at the same place, `.venv` beside its source. */
export async function installPython(request: InstallRequest): Promise<Installed> {
  const { plan, install, dependencies, appDir, toolchains, tools, context, say, platform } = request;
  if (dependencies === null)
    throw new BuildError('install', 'install_failed', { message: 'The files that name the dependencies are gone.' });
  const python = interpreter(plan, toolchains);
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
  const layer = await takeLayer(
    request.dataDir,
    key,
    async (content) => {
      say(`Installing ${amount(dependencies)} with ${manager} (${dependencies.file}) …`);
      const scratch = `${content}-source`;
      try {
        // What builds from the archive's own folders gets all of it, else only the files that name dependencies are there.
        const lists = dependencies.file === 'requirements.txt' ? install.inputs : [];
        await refuseVariables(join(appDir, plan.root), lists, dependencies.lines);
        await copyRequirements(join(appDir, plan.root), scratch, install.needs_source ? [] : install.inputs, dependencies);
        const restore = await setAside(install.needs_source ? appDir : scratch, install.manager, say);
        const source: Mount[] = install.needs_source
          ? [
              { from: appDir, at: '/app', writable: true },
              { from: scratch, at: '/opt/paddock/requirements' },
            ]
          : [{ from: scratch, at: root, writable: true }];
        const mounts = [...source, { from: content, at: `${root}/.venv`, writable: true }, request.cache, ...(uv?.mounts ?? [])];
        const env = { ...pythonEnv(python.path, root), PATH: `${uv === null ? '' : `${uv.path}:`}/usr/local/bin:/usr/bin:/bin` };
        const doing = `Installing the dependencies of ${dependencies.file}`;
        const run = (command: string[]) =>
          runCommand(context, { step: 'install', doing, command, cwd: root, env, mounts, credentials: true });
        for (const command of commands(uv, python.path, root, install, dependencies)) await run(command);
        const seeded = seed(uv, python.version, dependencies);
        const minor = python.version.split('.').slice(0, 2).join('.');
        if (seeded !== null && lookBelow(content, `lib/python${minor}/site-packages/pkg_resources`) === undefined)
          await run(['uv', 'pip', 'install', '--python', `${root}/.venv/bin/python`, '--', seeded]);
        restore();
      } finally {
        await removeTree(scratch);
      }
    },
    context.signal,
  );
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

export function interpreter(plan: Plan, toolchains: Toolchains): { version: string; path: string } {
  const found = toolchains.python.find((p) => p.version === plan.version);
  if (found === undefined)
    throw new BuildError('install', 'python_missing', {
      message: `Python ${plan.version} is no longer on this machine.`,
      hint: 'Deploy again.',
    });
  return found;
}

function amount({ file, locked, lines, names }: PythonDependencies): string {
  const count = lines?.length ?? [...names].filter((name) => !name.includes('[')).length;
  if (file === 'uv.lock' || count === 0) return locked ? 'the locked packages' : 'dependencies';
  return `${count}${locked ? ' locked' : ''} ${count === 1 ? 'package' : 'packages'}`;
}

/**
 * Before 3.12 Python's own environments brought setuptools along, and many packages of that time import its pkg_resources
 * without naming it. uv's are empty, and the newest setuptools has it no more.
 */
function seed(uv: Tool | null, python: string, { file, names }: PythonDependencies): string | null {
  const isOld = compare(python, '3.12') < 0;
  const isLoose = ['requirements.txt', 'Pipfile', 'Pipfile.lock'].includes(file);
  return uv !== null && isOld && isLoose && !names.has('setuptools') ? 'setuptools<81' : null;
}

const listed = '.paddock-requirements.txt';

async function copyRequirements(from: string, scratch: string, inputs: string[], dependencies: PythonDependencies): Promise<void> {
  await copyInputs(from, scratch, inputs);
  // uv reads the project's metadata; a README that it names has to be there.
  if (dependencies.file === 'uv.lock') writeBelow(scratch, 'README.md', '');
  if (dependencies.lines !== null) writeBelow(scratch, listed, `${dependencies.lines.join('\n')}\n`);
}

function commands(
  uv: Tool | null,
  python: string,
  root: string,
  install: InstallPlan,
  { file, lines, locked }: PythonDependencies,
): string[][] {
  const inside = `${root}/.venv/bin/python`;
  const list = lines === null ? null : install.needs_source ? `/opt/paddock/requirements/${listed}` : `${root}/${listed}`;
  const pip = uv === null ? [inside, '-m', 'pip', 'install', '--no-input'] : ['uv', 'pip', 'install', '--python', inside];
  const make =
    uv === null
      ? [python, '-m', 'venv', '--', `${root}/.venv`]
      : ['uv', 'venv', '--allow-existing', '--relocatable', '--python', python, '--', `${root}/.venv`];
  const extra = install.extra.length > 0 ? [[...pip, '--', ...install.extra]] : [];
  const main = () => {
    if (file === 'uv.lock') return ['uv', 'sync', '--locked', '--no-dev', ...(install.needs_source ? [] : ['--no-install-project'])];
    if (list !== null) return [...pip, ...(locked ? ['--no-deps'] : []), '-r', list];
    return file === 'pyproject.toml' ? [...pip, '--', '.'] : [...pip, '-r', file];
  };
  const project = install.project === true && file !== 'uv.lock' ? [[...pip, '--no-deps', '--', '.']] : [];
  // `uv sync` would remove what the lock doesn't hold, so additions come last.
  return [make, ...(lines?.length === 0 ? [] : [main()]), ...project, ...extra];
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
