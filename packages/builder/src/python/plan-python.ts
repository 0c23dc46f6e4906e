import { maxAddedPackages, readAddedPackages } from '@paddock/contract/added-packages';
import { BuildError } from '../build-error.ts';
import { inFolder } from '../detect/choices.ts';
import { commandLine, wordsOf } from '../detect/commands.ts';
import type { PlanSettings } from '../detect/settings.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import { findNamed, spokenCommands } from '../detect/spoken.ts';
import { runnableFiles } from '../detect/suggestions.ts';
import type { Toolchains } from '../detect/toolchains.ts';
import type { Choice, InstallPlan, Plan } from '../plan.ts';
import type { PythonDependencies } from '../python-dependencies.ts';
import { asRequirement, type FolderAbove, importsAbove, listedDependencies, shownFolder, withAdded } from './above.ts';
import { findPyproject } from './dependencies.ts';
import { developmentPackages } from './development-packages.ts';
import { entryNames, scanFiles } from './entry.ts';
import { providers, webCommands } from './frameworks.ts';
import { imagePackages, listRequirements } from './image-packages.ts';
import { packageNames } from './import-root.ts';
import { packagesToAdd } from './packages-to-add.ts';
import type { Pyproject } from './pyproject.ts';
import { pythonPath } from './python-path.ts';
import type { PythonStart } from './python-start.ts';
import { buildRunCommand } from './scripts.ts';
import { standings } from './standing.ts';
import { detectStarts } from './start.ts';
import { otherScripts, renamedModule, startedFiles, unlistedModules } from './unlisted.ts';
import { choosePython, type PythonConstraint, readPythonConstraint } from './version.ts';

/** The findings of detection. The caller overrides them with the settings. */
export type Detected = Pick<
  Plan,
  | 'language'
  | 'version'
  | 'fallback_version'
  | 'framework'
  | 'type'
  | 'install'
  | 'build'
  | 'env'
  | 'unlisted_modules'
  | 'source_start'
  | 'reasons'
  | 'warnings'
> & {
  start: string[] | null;
  /** Names of the dependencies. */
  packages?: Iterable<string>;
  /** Scripts that the start does not load. */
  other_scripts?: string[];
  /** Alternative starts, likeliest first. */
  choices: Choice[];
};

export interface PythonGiven {
  settings: PlanSettings;
  /** The user's own command, which then decides which packages are needed. */
  start: string[] | null;
  toolchains: Toolchains;
  /** The archive's folders above the agent's own, nearest first. */
  above: () => FolderAbove[];
}

/** The plan of a Python agent. */
export function planPython(tree: SourceTree, { settings, start, toolchains, above }: PythonGiven): Detected {
  const reasons: Plan['reasons'] = [];
  const warnings: string[] = [];
  const pyproject = findPyproject(tree);
  const added = (settings.packages ?? []).map(asRequirement);
  const { dependencies, pyproject: listing, from } = withAdded(listedDependencies(tree, above), added);
  const ofImage = dependencies === null ? [] : imagePackages(tree, dependencies, listing);
  const wish = versionWish(readPythonConstraint(tree, settings.python, pyproject), from);
  const { version, warning, fallback } = chooseAmong(toolchains, wish);
  if (warning !== undefined) warnings.push(warning);
  reasons.push({ what: 'version', value: `Python ${version}`, because: wish?.because ?? 'newest present' });

  if (from !== undefined) reasons.push({ what: 'dependencies', value: shownFolder(from.folder), because: dependencies?.file ?? '' });
  const files = scanFiles(tree);
  const imports = importsAbove(files, { tree, above: above(), listed: dependencies?.names ?? new Set() });
  for (const { name, folder, file } of imports)
    reasons.push({ what: 'import path', value: shownFolder(folder), because: `${file} imports ${name}` });
  const standing = standings(dependencies, listing);
  const starts = detectStarts(tree, { files, pyproject, names: dependencies?.names ?? new Set(), standing });
  // A user who enters one of the detected commands means the whole detected start, with its packages.
  const isSaid = (one: PythonStart) => settings.start !== undefined && commandLine(one.command) === settings.start;
  const found = (start === null ? starts[0] : starts.find(isSaid)) ?? null;
  if (found?.framework !== undefined) reasons.push({ what: 'framework', value: found.framework, because: found.because });
  if (found !== null) reasons.push({ what: 'start', value: found.command.join(' '), because: found.because });
  warnings.push(...(found?.warnings ?? []));

  const extra = dependencies === null ? [] : missing(found ?? { needs: serversIn(start ?? []) }, dependencies, warnings);
  const command = start ?? found?.command ?? [];
  const started = startedFiles(files, command);
  if (dependencies !== null) {
    extra.push(...listRequirements(ofImage, reasons), ...added.filter((one) => !extra.includes(one)));
    extra.push(...developmentPackages(tree, { files, started, dependencies, listing, extra, reasons }));
  } else {
    const own = new Set(imports.map(({ name }) => name));
    const imported = packagesToAdd(started ?? files, { tree, own });
    warnings.push(nothingListed(tree, found, imported));
  }
  const install =
    dependencies === null ? null : { ...installPlan(dependencies, extra), ...(from === undefined ? {} : { folder: from.folder }) };
  const script = wordsOf(start ?? []).find((word) => listing?.scripts.has(word));
  const needsProject =
    script === undefined
      ? becauseRenamed(renamedModule(files, tree, command))
      : `the start command uses “${script}”, which ${listing?.file} declares`;
  if (install !== null && needsProject !== undefined) {
    Object.assign(install, { project: true, needs_source: true });
    reasons.push({ what: 'layer', value: 'own, not shared', because: needsProject });
  }
  if (install !== null)
    reasons.push({ what: 'install', value: install.command.join(' '), because: dependencies?.list ?? dependencies?.file ?? '' });
  if (install?.needs_source && install.project !== true)
    reasons.push({ what: 'layer', value: 'own, not shared', because: `${dependencies?.file} installs from the archive's own folders` });
  const own = new Set(imports.map(({ name }) => name));
  const unlisted = unlistedModules(files, tree, { own, command, listed: dependencies?.names ?? new Set() });
  return {
    language: 'python',
    version,
    ...(unlisted.length === 0 ? {} : { unlisted_modules: unlisted }),
    ...(fallback === undefined ? {} : { fallback_version: fallback }),
    ...(found?.framework === undefined ? {} : { framework: found.framework }),
    type: found?.type ?? null,
    install,
    packages: dependencies?.names ?? [],
    other_scripts: otherScripts(files, command),
    build: null,
    start: found?.command ?? null,
    choices: listChoices(starts, found, pyproject),
    env: {
      PYTHONUNBUFFERED: '1',
      ...pythonPath(tree, {
        files,
        command,
        above: [...new Set(imports.map(({ path }) => path))],
        ...(found?.folder === undefined ? {} : { folder: found.folder }),
      }),
      ...found?.env,
    },
    reasons,
    warnings,
  };
}

/** The version for a wish among those of the machine, and those that Paddock brings. */
function chooseAmong({ python, pythonMinors: minors }: Toolchains, wish: PythonConstraint | null) {
  const [present, others] = [false, true].map((isOther) =>
    python.filter(({ home }) => (home !== undefined) === isOther).map(({ version }) => version),
  ) as [string[], string[]];
  return choosePython(wish, { present, others, minors });
}

const becauseRenamed = (renamed: ReturnType<typeof renamedModule>) =>
  renamed && `${renamed.file} imports ${renamed.module}, which pyproject.toml makes of a folder`;

/** A version that only shows what the author once used gives way to one that comes with the list of dependencies. */
function versionWish(own: PythonConstraint | null, from: FolderAbove | undefined): PythonConstraint | null {
  if (from === undefined || (own !== null && !own.is_hint)) return own;
  return readPythonConstraint(from.tree, undefined, findPyproject(from.tree)) ?? own;
}

function installPlan({ file, list, lines, inputs, needsSource }: PythonDependencies, extra: string[]): InstallPlan {
  const command = {
    'uv.lock': ['uv', 'sync', '--locked', '--no-dev'],
    'poetry.lock': ['uv', 'pip', 'install', '--no-deps', '-r', 'poetry.lock'],
    'pdm.lock': ['uv', 'pip', 'install', '--no-deps', '-r', 'pdm.lock'],
    'Pipfile.lock': ['uv', 'pip', 'install', '--no-deps', '-r', 'Pipfile.lock'],
    'requirements.txt': ['uv', 'pip', 'install', '-r', list ?? 'requirements.txt'],
    'pyproject.toml': ['uv', 'pip', 'install', '-r', 'pyproject.toml'],
    'setup.cfg': ['uv', 'pip', 'install', '.'],
    'setup.py': ['uv', 'pip', 'install', '.'],
    Pipfile: ['uv', 'pip', 'install', '-r', 'Pipfile'],
    'environment.yml': ['uv', 'pip', 'install', '-r', inputs[0] ?? 'environment.yml'],
    Dockerfile: ['uv', 'pip', 'install', ...(file === 'Dockerfile' ? (lines ?? []) : [])],
    'the added packages': ['uv', 'pip', 'install'],
  }[file];
  return { manager: 'uv', command: [...command, ...extra], inputs, extra, dev: false, needs_source: needsSource };
}

/** Maximum names in the sentence. The choice beside it has all of them. */
const maxAdvised = 12;

/** The warning about a script without a list. Throws dependencies_missing for an app of a framework, which could only fail to start. */
function nothingListed(tree: SourceTree, found: PythonStart | null, imported: string[]): string {
  if (found?.framework !== undefined)
    throw noDependencies(tree, { framework: found.framework, file: found.because.split(',', 1)[0] ?? '', imported });
  const but = imported.length > 0 ? `, but the source imports ${imported.slice(0, 10).join(', ')}` : '';
  return `No requirements.txt, pyproject.toml or lock file: nothing is installed${but}.`;
}

interface Unlisted {
  framework: string;
  /** The file that uses the framework. */
  file: string;
  imported: string[];
}

function noDependencies(tree: SourceTree, { framework, file, imported }: Unlisted): BuildError {
  const isList = (path: string) => path.startsWith('requirements') && path.endsWith('.txt') && path.split('/').length <= 2;
  const names = imported.filter((name) => readAddedPackages(name).wrong === undefined);
  const near = tree.files.find((f) => isList(f) || /(?:^|\/)environment\.ya?ml$/.test(f));
  return new BuildError('detect', 'dependencies_missing', {
    message: `${file} uses ${framework}, but no file names the agent’s dependencies, so nothing would be installed.`,
    hint: `Add a requirements.txt${near === undefined ? '' : ` (${near} is not read)`} with the packages that the source imports, or give them as Packages in the build settings (--packages): ${imported.slice(0, maxAdvised).join(', ')}.`,
    choices: names.length === 0 ? [] : [{ packages: names.slice(0, maxAddedPackages).join(' '), because: 'the source imports them' }],
  });
}

/** The alternatives. A script of the project is offered by its name. */
function listChoices(starts: PythonStart[], found: PythonStart | null, pyproject: Pyproject | null): Choice[] {
  const scripts = [...(pyproject?.scripts.keys() ?? [])].map((name) => ({ start: name, because: `${pyproject?.file} (script ${name})` }));
  const isScript = (one: PythonStart) => scripts.some(({ because }) => one.because.startsWith(because));
  return [
    ...starts.filter((one) => one !== found && !isScript(one)).map(({ command, because }) => ({ start: commandLine(command), because })),
    ...scripts.filter(({ because }) => found?.because.startsWith(because) !== true),
  ];
}

/** The servers that a start command runs. */
const serversIn = (start: string[]) => {
  // A worker of gunicorn is written with the module that contains it.
  const words = wordsOf(start).map((word) => (word.startsWith('uvicorn.workers.') ? 'uvicorn' : word));
  return (Object.keys(providers) as (keyof typeof providers)[]).filter((name) => words.includes(name));
};

/** Adds the servers of a command that was chosen after detection, such as an image's, if no dependency includes them. */
export function addServers({ install, packages = [], warnings }: Detected, command: string[]): void {
  if (install === null) return;
  const names = new Set(packages);
  for (const need of serversIn(command)) {
    if (install.extra.includes(need) || providers[need].some((name) => names.has(name))) continue;
    install.command.push(need);
    install.extra.push(need);
    warnings.push(`${install.inputs[0] ?? 'The list of dependencies'} doesn't name ${need}, which the start command needs; it is added.`);
  }
}

function missing(found: Pick<PythonStart, 'needs' | 'adds'>, { names, file }: PythonDependencies, warnings: string[]): string[] {
  const absent: string[] = [...new Set(found.needs)].filter((need) => !providers[need].some((name) => names.has(name)));
  const { adds } = found;
  if (adds?.standing === 'optional')
    warnings.push(`${file} names ${adds.name} only in a group that is not installed, and the start command needs it; it is added.`);
  else if (adds !== undefined && !absent.includes(adds.name)) absent.push(adds.name);
  for (const need of absent) warnings.push(`${file} doesn't name ${need}, which the start command needs; it is added.`);
  return adds === undefined || absent.includes(adds.name) ? absent : [...absent, adds.name];
}

/** Whether the words of a command show that it listens for HTTP. */
export function declaresWeb(words: string[]): boolean {
  return words.some((w) => webCommands.has(w.split('/').at(-1) ?? w) || /\$\{?PORT\b/.test(w));
}

export function noPythonStart(tree: SourceTree, root: string): BuildError {
  const commands = likelyCommands(tree);
  const shown = commands.length > 0 ? commands.map(({ start }) => `“${start}”`) : ['“python my_agent.py”'];
  return new BuildError('detect', 'start_missing', {
    message: `Nothing in the archive says how the Python agent starts: no ${entryNames.map((n) => `${n}.py`).join(', ')}, no app in any file, no Procfile.`,
    hint: `Give the deployment a start command, such as ${oneOf(shown)}, or write it as “start” into paddock.yaml.`,
    choices: inFolder(commands, root),
  });
}

const oneOf = (all: string[]) => [all.slice(0, -1).join(', '), ...all.slice(-1)].filter((part) => part !== '').join(' or ');

const maxCommands = 3;
const maxWords = 8;

/** The commands that run the likeliest files: those named in documents, then those made to be run. */
function likelyCommands(tree: SourceTree): Choice[] {
  const files = scanFiles(tree);
  const nameInPackage = packageNames(tree, files);
  const spoken = spokenCommands(tree);
  const known = new Set(files.map(({ path }) => path));
  // Files in folders that are not searched for agents, such as `scripts`.
  const typed = spoken.commands.flatMap(({ words: [program = '', ...rest] }) => {
    const path = rest.find((word) => word.endsWith('.py'))?.replace(/^\.\//, '');
    const isOther = path !== undefined && !known.has(path) && tree.has(path) && /^python3?$/.test(program);
    return isOther && rest.length < maxWords && rest.every((word) => /^[\w./=:-]{1,100}$/.test(word))
      ? [{ start: `python ${rest.join(' ')}`, because: path }]
      : [];
  });
  const said = files.filter(({ path }) => findNamed(spoken, path) !== undefined);
  const paths = [...said, ...files.filter(({ module }) => module.hasMain)].map(({ path }) => path);
  const found = [...new Set([...paths, ...runnableFiles(tree, /\.py$/)])].slice(0, maxCommands).map((path) => {
    const { command, folder } = buildRunCommand(path, tree, { files, spoken, nameInPackage });
    const prefix = folder === undefined || folder === 'src' ? '' : `PYTHONPATH=${folder} `;
    return { start: `${prefix}${commandLine(command)}`, because: path };
  });
  return [...(said.length > 0 ? [] : typed), ...found].slice(0, maxCommands);
}
