import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pluralWord } from '@paddock/contract/plural';
import { removeTree, statBelow, writeBelow } from '@paddock/safe-files';
import { BuildError } from '../build-error.ts';
import { fetchedEnv } from '../fetched-env.ts';
import type { InstallPlan } from '../plan.ts';
import type { PythonDependencies } from '../python-dependencies.ts';
import type { Mount } from '../step.ts';
import { computeCutoff, orAsOfDate, type RunSettings, staleWarning, type Ways, withUvLock } from './anew.ts';
import { dropCondaPaths } from './conda-builds.ts';
import { asFrozen } from './frozen-list.ts';
import { dropIgnoredFlags } from './ignored-flags.ts';
import { copyInputs, digests } from './inputs.ts';
import { acquireLayer, type LayerRequest, layerKey } from './layers.ts';
import { withoutOtherSystems } from './leave-out.ts';
import { addLists, commands, isOld, pythonEnv, seed } from './python-commands.ts';
import type { Interpreter } from './python-store.ts';
import type { Installed, InstallRequest } from './request.ts';
import { refuseVariables } from './requirement-lines.ts';
import { runCommand } from './run-step.ts';
import { stripSettings } from './settings/strip-settings.ts';
import type { StepContext } from './step-context.ts';
import type { Tool } from './tool.ts';
import { isOfTorchIndex, torchBackend } from './torch.ts';

/** Installs into a virtual environment that every agent sees at the same path: `.venv` beside the files that name its dependencies. */
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
  const folder = install.folder ?? plan.root;
  const root = folder === '' ? '/app' : `/app/${folder}`;
  const inputs = await digests(join(appDir, folder), install.inputs);
  const isLock = dependencies.locked || dependencies.file === 'uv.lock';
  const lockMoment = isLock && install.extra.length > 0 ? computeCutoff(request) : undefined;
  const torch = uv === null || dependencies.locked ? undefined : torchBackend(context.registry);
  const computeKey = (fetches: string[][]) =>
    layerKey({
      kind: 'python',
      team: request.teamId,
      platform,
      python: python.version,
      manager,
      root,
      extra: install.extra,
      ...(lockMoment === undefined ? {} : { additions_as_of: lockMoment }),
      ...(fetches.length === 0 ? {} : { fetches }),
      ...(torch === undefined ? {} : { torch }),
      ...(dependencies.stale === undefined ? {} : { wanted: dependencies.stale.wanted }),
      seed: seed(uv, python.version, dependencies),
      inputs,
      lines: dependencies.lines,
      source: install.needs_source ? request.sourceHash : null,
      ...(request.onlyOlder ? { as_of: computeCutoff(request) } : {}),
      ...(request.below === undefined ? {} : { below: request.below }),
    });
  const take = (fetches: string[][]) => {
    const fill: LayerRequest['fill'] = async (content, { warn }) => {
      say(`Installing ${amount(dependencies)} with ${manager} (${dependencies.list ?? dependencies.file}) …`);
      await fillEnvironment(request, { dependencies, python, uv, root, content, fetches, torch, lockMoment, warn });
    };
    return acquireLayer(request.dataDir, { key: computeKey(fetches), hold: request.hold, fill }, context.signal);
  };
  const layer = await take(install.fetches ?? []).catch((error: unknown) => {
    if (!(error instanceof FetchFailed)) throw error;
    warnings.push(error.message);
    return take([]);
  });
  const { key } = layer;
  if (layer.reused) say(`Dependencies unchanged, layer ${key.slice(0, 8)}… reused.`);
  warnings.push(...layer.warnings);
  return {
    mounts: [{ from: layer.path, at: `${root}/.venv` }],
    path: [`${root}/.venv/bin`],
    env: { VIRTUAL_ENV: `${root}/.venv` },
    layerKeys: [key],
    installed: !layer.reused,
    warnings,
    isUnlocked: uv !== null && !isLock,
  };
}

interface Environment {
  dependencies: PythonDependencies;
  python: Interpreter;
  uv: Tool | null;
  /** The folder of the files that name the dependencies, inside the sandbox. */
  root: string;
  /** Folder of the new layer. */
  content: string;
  /** Commands that run in the finished environment. */
  fetches: string[][];
  torch: 'cpu' | undefined;
  lockMoment: string | undefined;
  warn: (text: string) => void;
}

async function fillEnvironment(request: InstallRequest, environment: Environment): Promise<void> {
  const { plan, install, appDir, say } = request;
  const { dependencies, uv, content, warn } = environment;
  const scratch = `${content}-source`;
  const folder = join(appDir, install.folder ?? plan.root);
  try {
    // Packages in the archive's own folders need the whole archive. Other installs see only the files that name dependencies.
    const lists = dependencies.file === 'requirements.txt' ? install.inputs : [];
    const lines = [...(dependencies.lines ?? []), ...(dependencies.stale?.wanted ?? [])];
    await refuseVariables(folder, lists, lines);
    await copyInputs(folder, scratch, install.needs_source ? [] : install.inputs);
    // The agent's own tree is not changed.
    const ignored = install.needs_source ? [] : await dropIgnoredFlags(scratch, lists);
    if (ignored.length > 0) warn(`pip ignores --pre behind a requirement, and so does Paddock: ${ignored.slice(0, 5).join(', ')}.`);
    const ofConda = install.needs_source ? [] : await dropCondaPaths(scratch, lists);
    if (ofConda.length > 0)
      warn(
        `The list was frozen in a conda environment. What it takes from folders of conda’s builders is installed by its name, in a version that fits: ${named(ofConda)}.`,
      );
    addLists(scratch, dependencies);
    const restore = await stripSettings(install.needs_source ? appDir : scratch, install.manager, say);
    const empty = () => emptyFolder(content);
    const run = (settings: RunSettings) => fillOnce(environment, install, commandRunner(request, { environment, scratch, settings }));
    const asListed = dependencies.pinned === undefined ? run : asFrozen(dependencies.pinned, { install: run, empty, warn, say });
    const fill =
      uv === null || dependencies.file === 'uv.lock' ? run : withoutOtherSystems(dependencies.names, { fill: asListed, empty, warn });
    const once = (settings: RunSettings) => withTorch(environment, settings, { fill, say });
    const ways: Ways = {
      install: once,
      empty,
      warn,
      lockFolder: install.needs_source ? folder : scratch,
    };
    if (dependencies.file === 'uv.lock') await withUvLock(request, dependencies, ways);
    else if (uv === null || dependencies.locked) await once({});
    else await orAsOfDate(request, ways);
    if (dependencies.stale !== undefined && dependencies.file !== 'uv.lock') warn(staleWarning(dependencies, dependencies.stale));
    await fetchAll(environment, commandRunner(request, { environment, scratch, settings: { isOwnCode: true } }));
    restore();
  } finally {
    await removeTree(scratch);
  }
}

async function emptyFolder(folder: string): Promise<void> {
  await removeTree(folder);
  await mkdir(folder, { mode: 0o755 });
}

interface Torch {
  fill: (settings: RunSettings) => Promise<void>;
  say: (text: string) => void;
}

/** Installs CPU-only builds of PyTorch if they match. If their index cannot be reached, installs the builds of the usual index. */
async function withTorch({ torch, content }: Environment, settings: RunSettings, { fill, say }: Torch): Promise<void> {
  let isAbout = false;
  const onLine = (line: string) => {
    isAbout ||= isOfTorchIndex(line);
    settings.onLine?.(line);
  };
  try {
    await fill({ ...settings, onLine, ...(torch === undefined ? {} : { torch }) });
  } catch (error) {
    if (torch === undefined || !isAbout || !(error instanceof BuildError)) throw error;
    say('The index of the builds of PyTorch for processors is not reached; those of the usual index are taken, which are larger.');
    await emptyFolder(content);
    await fill(settings);
  }
}

type Runner = (command: string[]) => Promise<void>;

async function fillOnce(environment: Environment, install: InstallPlan, run: Runner): Promise<void> {
  const { dependencies, python, uv, root, content } = environment;
  for (const command of commands(environment, install)) await run(command);
  const seeded = seed(uv, python.version, dependencies);
  const minor = python.version.split('.').slice(0, 2).join('.');
  const isThere = (name: string) => statBelow(content, `lib/python${minor}/site-packages/${name}`) !== undefined;
  const wants = isOld(python.version) || isThere('setuptools');
  if (seeded !== null && wants && !isThere('pkg_resources'))
    await run(['uv', 'pip', 'install', '--python', `${root}/.venv/bin/python`, '--', seeded]);
}

/** An extra download beside the packages failed: the environment is built again without it. */
class FetchFailed extends Error {}

async function fetchAll({ fetches, root }: Environment, run: Runner): Promise<void> {
  for (const command of fetches)
    try {
      // NLTK also searches for its data beside the packages.
      await run(command.includes('nltk.downloader') ? [...command, '-d', `${root}/.venv/nltk_data`] : command);
    } catch (error) {
      if (!(error instanceof BuildError) || ['timed_out', 'out_of_memory'].includes(error.code)) throw error;
      const why = `“${command.join(' ')}”, which the Dockerfile runs, failed: ${error.message}`;
      throw new FetchFailed(`${why} The agent starts without what it fetches.`, { cause: error });
    }
}

/** Files beside the requirements. */
const constraints = '.paddock-constraints.txt';
const overrideList = '.paddock-overrides.txt';

interface RunParts {
  environment: Environment;
  scratch: string;
  settings: RunSettings;
}

/** Runs the commands of one install in a sandbox that sees the sources and the new layer. */
function commandRunner({ install, appDir, cache, context }: InstallRequest, { environment, scratch, settings }: RunParts): Runner {
  const { dependencies, python, uv, root, content } = environment;
  const source: Mount[] = install.needs_source
    ? [
        { from: appDir, at: '/app', writable: true },
        { from: scratch, at: '/opt/paddock/requirements', writable: true },
      ]
    : [{ from: scratch, at: root, writable: true }];
  const mounts = [...source, ...python.mounts, { from: content, at: `${root}/.venv`, writable: true }, cache, ...(uv?.mounts ?? [])];
  const { isOwnCode = false, asOf, below, isLoose = false, torch, overrides, onLine = () => undefined } = settings;
  const lists = install.needs_source ? '/opt/paddock/requirements' : root;
  const path = `${isOwnCode ? `${root}/.venv/bin:` : ''}${uv === null ? '' : `${uv.path}:`}/usr/local/bin:/usr/bin:/bin`;
  const env = {
    ...pythonEnv(python.path, root),
    ...(asOf === undefined ? {} : { UV_EXCLUDE_NEWER: asOf }),
    ...(below === undefined ? {} : { UV_CONSTRAINT: `${lists}/${constraints}` }),
    ...(overrides === undefined ? {} : { UV_OVERRIDE: `${lists}/${overrideList}` }),
    ...(torch === undefined ? {} : { UV_TORCH_BACKEND: torch }),
    ...(isOwnCode ? fetchedEnv : {}),
    PATH: path,
  };
  if (below !== undefined) writeBelow(scratch, constraints, `${below}\n`);
  if (overrides !== undefined) writeBelow(scratch, overrideList, `${overrides.join('\n')}\n`);
  const watching: StepContext = {
    ...context,
    onLine: (stream, line) => {
      onLine(line);
      context.onLine(stream, line);
    },
  };
  return (command: string[]) =>
    runCommand(watching, {
      step: 'install',
      doing: isOwnCode
        ? `running “${command.join(' ').split(' -d /app/')[0]}”, as the Dockerfile does`
        : `installing the dependencies of ${dependencies.list ?? dependencies.file}`,
      command: isLoose ? command.filter((word) => word !== '--locked') : command,
      cwd: root,
      env,
      mounts,
      // Code of packages runs in it and must not see the machine's logins.
      credentials: !isOwnCode,
    });
}

const maxNamed = 5;
const named = (names: string[]) =>
  names.length > maxNamed ? `${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more` : names.join(', ');

function amount({ file, locked, lines, names }: PythonDependencies): string {
  const count = lines?.length ?? [...names].filter((name) => !name.includes('[')).length;
  if (file === 'uv.lock' || count === 0) return locked ? 'the locked packages' : 'dependencies';
  return `${count}${locked ? ' locked' : ''} ${pluralWord(count, 'package')}`;
}
