import { deploymentBudgets } from '@paddock/contract/limits';
import { fetchedEnv } from '../fetched-env.ts';
import { noNodeStart } from '../node/plan-node.ts';
import { findWorkspace, type Workspace } from '../node/workspace.ts';
import type { Plan } from '../plan.ts';
import { type FolderAbove, foldersAbove } from '../python/above.ts';
import { addServers, type Detected, declaresWeb, noPythonStart } from '../python/plan-python.ts';
import { type CommandsBefore, withCommandsBefore } from './before-start.ts';
import { inFolder, otherChoices } from './choices.ts';
import { commandLine, parseCommand, wordsOf } from './commands.ts';
import { collectDockerNotes, type DockerNotes, findBuildCommand, isOnlyBuilt, pathFrom, whyThere, withFetches } from './docker/of-plan.ts';
import { type DockerHints, readDockerfile } from './docker/read.ts';
import { withoutEnvFiles } from './env-files.ts';
import { folderChoices, resolveRoot, soleFolder, warnOfPages, withFolders } from './folders.ts';
import { fullCommands, scriptIn } from './full-commands.ts';
import { runsOtherScript, withoutApp } from './image-script.ts';
import { findListenHint } from './listen-hints.ts';
import { manifestName, readManifest } from './manifest.ts';
import { bridged, speaksStdioByImage } from './mcp-stdio.ts';
import { unappliedMigrations } from './migrations.ts';
import { requiredVariables } from './required-variables.ts';
import { warnOfSecrets } from './secret-files.ts';
import { warnOfServices } from './services-beside.ts';
import { type PlanSettings, reservedNames } from './settings.ts';
import { openTree, type SourceTree } from './source-tree.ts';
import { spokenCommands } from './spoken.ts';
import { variablesOfCommand } from './start-arguments.ts';
import { dockerStart, type GivenStart, givenStart, otherProcesses, ownImage, runsAnother, runsSameScript } from './starts.ts';
import { checkSubmodules } from './submodules.ts';
import type { Toolchains } from './toolchains.ts';
import { whatItIs } from './what-it-is.ts';

/**
 * The plan of the unpacked archive in `dir`. The form and the API override `paddock.yaml`, which overrides a Procfile, which overrides
 * detection. Fails with a BuildError when nothing is found or a file of the archive is wrong.
 */
export async function makePlan(dir: string, settings: PlanSettings, toolchains: Toolchains): Promise<Plan> {
  return planTree(await openTree(dir), settings, toolchains);
}

/** The plan of a tree that is listed already. A failure lists the folders that could be deployed instead. */
export function planTree(whole: SourceTree, settings: PlanSettings, toolchains: Toolchains): Plan {
  const below = (root: string) => planned(whole, { root }, toolchains);
  try {
    const plan = planned(whole, settings, toolchains);
    const isFound = settings.root === undefined && (plan.root === '' || soleFolder(whole)?.folder === plan.root);
    const choices = [...(plan.choices ?? []), ...(isFound ? folderChoices(whole, below) : [])];
    return choices.length === 0 ? plan : { ...plan, choices };
  } catch (error) {
    throw withFolders(error, { whole, root: settings.root, below });
  }
}

interface Archive {
  tree: SourceTree;
  /** The agent's folder; '' for the archive's root. */
  root: string;
  /** Read only for Node. */
  workspace: () => Workspace | undefined;
  /** The archive's folders above the agent's, nearest first. */
  above: () => FolderAbove[];
  manifest: PlanSettings;
  /** The settings merged over the manifest. */
  merged: PlanSettings;
  docker: DockerHints | null;
  /** The source of a setting, for the plan's reasons. */
  from: (key: keyof PlanSettings) => string;
  /** Both grow while the plan is made. */
  reasons: Plan['reasons'];
  warnings: string[];
}

function readArchive(whole: SourceTree, settings: PlanSettings): Archive {
  const manifest = readManifest(whole.read(manifestName) ?? '');
  const packages = [...new Set([...(manifest.packages ?? []), ...(settings.packages ?? [])])];
  const merged: PlanSettings = { ...manifest, ...defined(settings), packages };
  const given = settings.of_project ? 'setting of the project' : 'setting';
  const from = (key: keyof PlanSettings) => (settings[key] !== undefined ? given : manifestName);
  const sole = merged.root === undefined ? soleFolder(whole, merged.start) : undefined;
  const root = sole?.folder ?? resolveRoot(whole, merged.root);
  const tree = whole.below(root);
  const because = sole?.because ?? from('root');
  const reasons = root === '' ? [] : [{ what: 'root', value: root, because }];
  if (packages.length > 0) reasons.push({ what: 'packages', value: packages.join(' '), because: from('packages') });
  const warnings = !whole.has(manifestName) && whole.has('paddock.yml') ? ['paddock.yml is not read; name it paddock.yaml.'] : [];
  warnings.push(...warnOfSecrets(whole));
  if (sole !== undefined && sole.pages.length > 0)
    warnings.push(`${root} is deployed. ${sole.pages.join(', ')} has only pages: deploy that Folder as a project of its own.`);
  const workspace = () => findWorkspace(whole, root);
  const above = () => foldersAbove(whole, root);
  return { tree, root, workspace, above, manifest, merged, docker: readDockerfile(tree), from, reasons, warnings };
}

function planned(whole: SourceTree, settings: PlanSettings, toolchains: Toolchains): Plan {
  const archive = readArchive(whole, settings);
  const { tree, root, manifest, merged, docker, reasons, warnings } = archive;
  const { detected, build, start, command: given, choices, procfile } = startAndBuild(archive, toolchains);
  warnings.push(...checkSubmodules(whole, detected.unlisted_modules));
  warnings.push(...warnOfServices(whole, tree));
  if (detected.language === 'python' && root === '') warnings.push(...warnOfPages(whole, build ?? detected.build));
  const { command, absent } = withoutEnvFiles(given, tree);
  for (const file of absent)
    warnings.push(`The start command reads ${file}, which the archive doesn’t have; it is left out. Set its variables under Variables.`);
  const { language, packages = [], other_scripts = [] } = detected;
  const asked = variablesOfCommand(command, requiredVariables(tree, { language, packages, other_scripts }));
  const isDocker = start?.isDocker === true;
  const notes = docker === null ? null : dockerNotes(docker, { archive, toolchains, isDocker, build: build ?? detected.build });
  const install = docker === null ? detected.install : withFetches(detected, docker, reasons);
  const start_in = isDocker ? start?.folder : undefined;
  if (start_in !== undefined) reasons.push({ what: 'start folder', value: start_in, because: whyThere(docker?.last.workdirLine) });
  const type = merged.type ?? detected.type ?? saidType(merged, command, procfile);
  if (merged.type !== undefined) reasons.push({ what: 'type', value: merged.type, because: archive.from('type') });
  const { version, fallback_version, framework } = detected;
  return {
    language: detected.language,
    type,
    root,
    install,
    build: build ?? detected.build,
    start: command,
    start_budget_s: merged.start_budget ?? deploymentBudgets.startSeconds,
    env: {
      HOST: '0.0.0.0',
      ...detected.env,
      ...pathFrom(detected.env.PYTHONPATH, start_in && root),
      ...imageEnv(notes, detected),
      ...(install?.fetches === undefined ? {} : fetchedEnv),
      ...allowedEnv({ ...manifest.env, ...settings.env }, warnings),
    },
    ...present({
      version,
      fallback_version,
      framework,
      may_listen: type === null ? findListenHint(tree, docker) : undefined,
      start_in,
      source_start: detected.source_start,
      port: resolvePort(archive, isDocker),
      health: merged.health,
      asked_variables: asked.length > 0 ? asked : undefined,
      lacks: notes?.lacks.length ? notes.lacks : undefined,
      unlisted_modules: detected.unlisted_modules,
      choices,
    }),
    reasons: [...reasons, ...detected.reasons.filter((r) => start === null || r.what !== 'start')],
    warnings: [...warnings, ...detected.warnings],
  };
}

interface Started {
  detected: Detected;
  build: string[] | null;
  /** Null if the detected start is used. */
  start: GivenStart | null;
  command: string[];
  procfile: GivenStart['procfile'];
  choices: Plan['choices'];
}

function startAndBuild(archive: Archive, toolchains: Toolchains): Started {
  const { tree, root, workspace, above, merged, docker, reasons, warnings } = archive;
  const given = givenStart(merged, archive.from('start'), tree) ?? (tree.has('langgraph.json') ? ownImage(docker, tree) : null);
  if (given?.isDocker) reasons.push({ what: 'langgraph.json', value: 'not used', because: 'the CMD of the Dockerfile comes first' });
  const dockerBuild = merged.build === undefined && docker !== null ? findBuildCommand(docker, tree) : null;
  const build = merged.build === undefined ? (dockerBuild?.command ?? null) : parseCommand(merged.build);
  const own = given?.command ?? null;
  const found = { settings: merged, build, toolchains, docker, workspace, above };
  const { detected, because } = whatItIs(tree, { ...found, start: own, warnings });
  reasons.push({ what: 'language', value: detected.language, because });
  const image = dockerStart(docker, detected.language, tree);
  const hint = given === null ? image : null;
  // A file that is only named like an entry point is weaker evidence than a command that names a server.
  const isGuess =
    detected.language === 'python' &&
    detected.framework === undefined &&
    declaresWeb(wordsOf(hint?.command ?? [])) &&
    !runsSameScript(hint, detected.reasons);
  const before = given !== null || detected.start === null ? null : commandsBefore(detected, archive);
  const isOtherScript = before === null && hint !== null && runsOtherScript(hint, detected, tree);
  if (isOtherScript) withoutApp(detected);
  const isOther = isOtherScript || (detected.start !== null && before === null && hint !== null && runsAnother(hint, detected.start, tree));
  const start = given ?? (detected.start === null || isGuess || isOther || isOnlyBuilt(detected.start, tree) ? hint : null);
  if (build !== null) reasons.push({ what: 'build', value: build.join(' '), because: dockerBuild?.because ?? archive.from('build') });
  if (start !== null && start === hint && detected.language === 'python') addServers(detected, start.command);
  if (start !== null && start === hint && speaksStdioByImage(start, docker, { packages: detected.packages ?? [], tree })) {
    Object.assign(start, { command: bridged(start.command), because: `${start.because}, which speaks MCP over stdin and stdout` });
    Object.assign(detected, { framework: 'MCP', type: 'web' });
  }
  if (start === null && before !== null)
    prepend(before, { detected, again: () => whatItIs(tree, { ...found, start: before.command, warnings: [] }).detected });
  if (start !== null) reasons.push({ what: 'start', value: start.command.join(' '), because: start.because });
  const command = start?.command ?? detected.start;
  if (command === null) throw detected.language === 'python' ? noPythonStart(tree, root) : noNodeStart(tree, root);
  // A command that runs in another folder can't be offered as a start command alone.
  const offered = image === null || start?.isDocker || image.folder !== undefined ? [] : [image];
  const besides = otherProcesses(given, tree);
  warnings.push(...besides.warnings);
  const migrations = unappliedMigrations(tree, {
    start: command,
    build: build ?? detected.build,
    offered: besides.choices.map((choice) => choice.start ?? ''),
    ...(start?.folder === undefined ? {} : { folder: start.folder }),
  });
  if (migrations !== undefined)
    warnings.push(`The start does not apply the migrations in ${migrations.folder}. An empty database needs “${migrations.start}”.`);
  const script = scriptIn(detected.reasons);
  const programs = [command[0] ?? '', script ?? ''].map((name): [string, string] => [name, '']);
  const others = [
    ...(migrations === undefined ? [] : [{ start: migrations.start, because: `${migrations.folder} first` }]),
    ...offered.map((one) => ({ start: commandLine(one.command), because: one.because })),
    ...besides.choices,
    ...(declaresWeb(wordsOf(command)) ? [] : fullCommands(command, spokenCommands(tree, new Map(programs)).commands, script)),
    ...detected.choices,
  ];
  const choices = otherChoices(others, command);
  return { detected, build, start, command, procfile: given?.procfile, choices: choices && inFolder(choices, root) };
}

const commandsBefore = ({ start, env }: Detected, { tree, docker }: Archive): CommandsBefore | null =>
  withCommandsBefore(tree, { start: start ?? [], pythonPath: env.PYTHONPATH, docker });

interface Prepended {
  detected: Detected;
  /** Detection with the whole command as a given start. */
  again: () => Detected;
}

/** Puts the commands that the author runs before the detected server in front of it, with the packages that they need. */
function prepend({ command, because }: CommandsBefore, { detected, again }: Prepended): void {
  const { language, type } = detected;
  const why = detected.reasons.find(({ what }) => what === 'start')?.because;
  // Without a database, the server may still be of use.
  const choices = [...detected.choices, { start: commandLine(detected.start ?? []), because: `${why} alone` }];
  // Packages of development are installed if a command of the start needs them.
  const whole = language === 'node' ? again() : undefined;
  if (whole?.language === language) Object.assign(detected, whole, { type });
  const others = detected.reasons.filter(({ what }) => what !== 'start');
  const reason = { what: 'start', value: command.join(' '), because: `${why}, after the commands of ${because}` };
  Object.assign(detected, { start: command, choices, reasons: [...others, reason] });
}

interface Noted {
  archive: Archive;
  toolchains: Toolchains;
  isDocker: boolean;
  build: string[] | null;
}

function dockerNotes(docker: DockerHints, { archive, toolchains, isDocker, build }: Noted): DockerNotes {
  const { root, reasons, warnings } = archive;
  const notes = collectDockerNotes(docker, { root, system: toolchains.system, build });
  warnings.push(
    `The Dockerfile is not built here; ${isDocker ? 'its CMD is the start command' : 'it only serves as a hint'}.`,
    ...notes.warnings,
  );
  reasons.push(...notes.reasons);
  return notes;
}

/** The ENV of an image, without the addresses at which the start's own variables have the framework listen. */
const imageEnv = (notes: DockerNotes | null, { env: own }: Detected) =>
  Object.fromEntries(Object.entries(notes?.env ?? {}).filter(([name]) => !(Object.hasOwn(own, name) && /_(?:PORT|NAME)$/.test(name))));

function resolvePort({ merged, docker, reasons, from }: Archive, isDocker: boolean): number | undefined {
  const exposed = isDocker ? (docker?.port ?? undefined) : undefined;
  const port = merged.port ?? exposed?.number;
  if (port === undefined) return undefined;
  reasons.push({
    what: 'port',
    value: String(port),
    because: merged.port === undefined ? `Dockerfile:${exposed?.line} (EXPOSE)` : from('port'),
  });
  return port;
}

/** The fields that have a value. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** The type by the command and the settings; null if only the running process can show it. */
function saidType({ port, health }: PlanSettings, command: string[], procfile: GivenStart['procfile']): Plan['type'] {
  if (declaresWeb(wordsOf(command)) || port !== undefined || health !== undefined) return 'web';
  return procfile ?? null;
}

function defined(settings: PlanSettings): PlanSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined && value !== ''));
}

function allowedEnv(env: Record<string, string>, warnings: string[]): Record<string, string> {
  const clash = Object.keys(env).filter((name) => reservedNames.test(name));
  const refused = new Set(clash);
  if (clash.length > 0)
    warnings.push(`${clash.join(', ')} can't be set by the archive: Paddock sets ${clash.length === 1 ? 'it' : 'them'}.`);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !refused.has(name)));
}
