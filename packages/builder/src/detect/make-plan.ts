import { deploymentBudgets } from '@paddock/contract/limits';
import { BuildError, quoteName } from '../build-error.ts';
import { noNodeStart, planNode } from '../node/plan-node.ts';
import { staticCommand } from '../node/start.ts';
import type { Language, Plan } from '../plan.ts';
import { pyprojectOf } from '../python/dependencies.ts';
import { entryPaths } from '../python/entry.ts';
import { type Detected, noPythonStart, planPython, saysWeb } from '../python/plan-python.ts';
import { askedVariables } from './asked-variables.ts';
import { commandOf, wordsOf } from './commands.ts';
import { type DockerHints, madeByImage, readDockerfile, whereItStands } from './dockerfile.ts';
import { isInside, manifestName, readManifest } from './manifest.ts';
import { mayListen } from './may-listen.ts';
import { readProcfile } from './procfile.ts';
import { type PlanSettings, reservedNames } from './settings.ts';
import { openTree, type SourceTree } from './source-tree.ts';
import { agentFolders, folderHint, otherLanguage } from './suggestions.ts';
import type { Toolchains } from './toolchains.ts';

/**
 * The plan of the unpacked archive in `dir`. The form and the API win over `paddock.yaml`, which wins over a Procfile, which wins over
 * detection. Fails with a BuildError when nothing is found or a file of the archive is wrong.
 */
export async function makePlan(dir: string, settings: PlanSettings, toolchains: Toolchains): Promise<Plan> {
  return planTree(await openTree(dir), settings, toolchains);
}

/** The plan of a tree that is listed already. */
export function planTree(whole: SourceTree, settings: PlanSettings, toolchains: Toolchains): Plan {
  const manifest = readManifest(whole.read(manifestName) ?? '');
  const merged: PlanSettings = { ...manifest, ...defined(settings) };
  const from = (key: keyof PlanSettings) => (settings[key] !== undefined ? 'setting' : manifestName);
  const sole = merged.root === undefined && merged.start === undefined ? soleFolder(whole) : undefined;
  const root = sole ?? rootOf(whole, merged.root);
  const tree = whole.below(root);
  const warnings: string[] = [];
  const reasons: Plan['reasons'] = [];
  if (root !== '')
    reasons.push({ what: 'root', value: root, because: sole === undefined ? from('root') : 'the only folder with an agent in it' });
  if (!whole.has(manifestName) && whole.has('paddock.yml')) warnings.push('paddock.yml is not read; name it paddock.yaml.');

  const docker = tree.has('Dockerfile') ? readDockerfile(tree.read('Dockerfile') ?? '') : null;
  const given = givenStart(merged, from('start'), tree);
  const build = merged.build === undefined ? null : commandOf(merged.build);
  const own = given?.command ?? null;
  const { detected, because } = detect(tree, { settings: merged, start: own, build, toolchains, docker, warnings });
  reasons.push({ what: 'language', value: detected.language, because });
  const hint = given === null ? dockerStart(docker, detected.language, tree) : null;
  // A file that only has the name of an entry says less than a command that names a server.
  const isGuess = detected.language === 'python' && detected.framework === undefined && saysWeb(wordsOf(hint?.command ?? []));
  const start = given ?? (detected.start === null || isGuess ? hint : null);
  if (build !== null) reasons.push({ what: 'build', value: build.join(' '), because: from('build') });
  if (start !== null) reasons.push({ what: 'start', value: start.command.join(' '), because: start.because });
  const command = start?.command ?? detected.start;
  if (command === null) throw detected.language === 'python' ? noPythonStart(tree) : noNodeStart(tree);
  const asks = askedVariables(tree);
  if (docker !== null)
    warnings.push(
      `The Dockerfile is not built here; ${start?.because === 'Dockerfile' ? 'its CMD is the start command' : 'it only serves as a hint'}.`,
    );

  const type = merged.type ?? detected.type ?? saidType(merged, command, given?.procfile);
  const hope = type === null ? mayListen(tree, docker) : undefined;
  if (merged.type !== undefined) reasons.push({ what: 'type', value: merged.type, because: from('type') });
  const port = merged.port ?? (start?.because === 'Dockerfile' ? (docker?.port ?? undefined) : undefined);
  if (port !== undefined)
    reasons.push({ what: 'port', value: String(port), because: merged.port === undefined ? 'Dockerfile (EXPOSE)' : from('port') });
  const { version, fallback_version, framework } = detected;
  const { health } = merged;
  return {
    language: detected.language,
    type,
    root,
    install: detected.install,
    build: build ?? detected.build,
    start: command,
    start_budget_s: merged.start_budget ?? deploymentBudgets.startSeconds,
    env: { HOST: '0.0.0.0', ...detected.env, ...allowedEnv({ ...manifest.env, ...settings.env }, warnings) },
    ...present({ version, fallback_version, framework, may_listen: hope, port, health, asks: asks ?? undefined }),
    reasons: [...reasons, ...detected.reasons.filter((r) => start === null || r.what !== 'start')],
    warnings: [...warnings, ...detected.warnings],
  };
}

/** The fields that have a value. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** The type by the command and the settings; null if only the running process can tell. */
function saidType({ port, health }: PlanSettings, command: string[], procfile: GivenStart['procfile']): Plan['type'] {
  if (saysWeb(wordsOf(command)) || port !== undefined || health !== undefined) return 'web';
  return procfile ?? null;
}

function defined(settings: PlanSettings): PlanSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined && value !== ''));
}

function rootOf(tree: SourceTree, wish: string | undefined): string {
  const root = plainFolder(wish ?? '');
  if (root === '') return '';
  if (!isInside(root) || !tree.hasFolder(root)) {
    throw new BuildError('detect', 'root_missing', {
      message: `The archive has no folder ${quoteName(root)}, which “root” names.`,
      hint: `Folders: ${folders(tree) || 'none'}.`,
    });
  }
  return root;
}

/** The folder without a leading `./` and trailing slashes; '' for the archive's own level. */
function plainFolder(wish: string): string {
  let from = 0;
  let to = wish.length;
  while (wish.startsWith('./', from)) from += 2;
  while (to > from && wish[to - 1] === '/') to -= 1;
  const folder = wish.slice(from, to);
  return folder === '.' ? '' : folder;
}

function folders(tree: SourceTree): string {
  return [...new Set(tree.files.filter((f) => f.includes('/')).map((f) => f.split('/')[0]))].slice(0, 20).join(', ');
}

interface GivenStart {
  command: string[];
  because: string;
  procfile?: 'web' | 'worker';
}

function givenStart(settings: PlanSettings, because: string, tree: SourceTree): GivenStart | null {
  if (settings.start !== undefined) return { command: commandOf(settings.start), because };
  const processes = readProcfile(tree.read('Procfile') ?? '');
  for (const procfile of ['web', 'worker'] as const) {
    const line = processes.get(procfile);
    if (line !== undefined) return { command: commandOf(line), because: `Procfile (${procfile})`, procfile };
  }
  return null;
}

function dockerStart(docker: DockerHints | null, language: Language, tree: SourceTree): GivenStart | null {
  if (docker?.start === null || docker?.start === undefined || language === 'static') return null;
  return {
    command: commandOf(docker.start).map((word, at) => (at < maxWordsLookedUp ? whereItStands(word, tree) : word)),
    because: 'Dockerfile',
  };
}

/** Each look-up goes through all paths of the archive. */
const maxWordsLookedUp = 50;

const pythonFiles = ['requirements.txt', 'pyproject.toml', 'Pipfile', 'uv.lock', 'poetry.lock', 'pdm.lock'];

interface Given {
  settings: PlanSettings;
  /** The person's own commands. */
  start: string[] | null;
  build: string[] | null;
  toolchains: Toolchains;
  docker: DockerHints | null;
  /** Gets the warnings of detection. */
  warnings: string[];
}

interface Found {
  detected: Detected;
  because: string;
}

function detect(tree: SourceTree, given: Given): Found {
  const { start, docker, warnings } = given;
  const named = pythonFiles.find((f) => tree.has(f) && (f !== 'pyproject.toml' || pyprojectOf(tree)?.isProject === true));
  const python = (because: string) => ({ detected: planPython(tree, given), because });
  const node = (because: string) => ({ detected: planNode(tree, given), because });
  if (named !== undefined) {
    if (tree.has('package.json')) warnings.push(`Both ${named} and package.json are there: the agent is taken as Python.`);
    return python(named);
  }
  const entry = entryPaths(tree)[0] ?? tree.files.find((f) => /^(src\/)?(\w+\/)?__main__\.py$/.test(f));
  if (tree.has('package.json')) {
    const found = node('package.json');
    if (start !== null || found.detected.start !== null || entry === undefined) return found;
    warnings.push(`package.json names no way to start, so the agent is taken as Python (${entry}).`);
  }
  if (entry !== undefined) return python(entry);
  if (tree.has('index.html') && start === null)
    return { detected: plain('static', { command: staticCommand('.'), because: 'index.html' }), because: 'index.html' };
  if (tree.has('start.sh') && start === null)
    return { detected: plain('shell', { command: ['/bin/sh', 'start.sh'], because: 'start.sh' }), because: 'start.sh' };
  const command = start ?? dockerStart(docker, 'shell', tree)?.command ?? null;
  const words = wordsOf(command ?? []);
  if (words.some((w) => /^python3?$|\.py$/.test(w)) || onlyKind(tree, /\.py$/))
    return python(command === null ? 'the only source files' : 'start command');
  if (
    words.some((w) => /^(node|npx|npm)$|\.[cm]?[jt]s$/.test(w)) ||
    tree.files.some((f) => /^(server|index|app|main|agent)\.[cm]?[jt]s$/.test(f))
  )
    return node(command === null ? 'the only source files' : 'start command');
  if (start === null && command !== null) refuseImageOnly(command, tree);
  if (command !== null) return { detected: plain('shell', null), because: 'start command' };
  throw nothingFound(tree);
}

/** Refuses a CMD whose program only the image's own build would make. */
function refuseImageOnly(command: string[], tree: SourceTree): void {
  const program = madeByImage(command, tree);
  if (program === null) return;
  throw new BuildError('detect', 'image_only', {
    message: `The Dockerfile starts ${quoteName(program)}, which isn’t in the archive: the image’s own build would make it, and Paddock doesn’t build images here.`,
    hint: `${runs(tree)} Or put the finished program into the archive and give a start command.`,
  });
}

function nothingFound(tree: SourceTree): BuildError {
  return new BuildError('detect', 'nothing_found', {
    message: `Nothing in the archive says what it is. Looked for ${[...pythonFiles, 'package.json', 'main.py (app, server, agent, bot …)', 'index.html', 'start.sh', 'Procfile', 'Dockerfile'].join(', ')}.`,
    hint: whatToAdd(tree),
  });
}

function whatToAdd(tree: SourceTree): string {
  const folders = agentFolders(tree);
  if (folders.length > 0) return folderHint(folders);
  if (otherLanguage(tree) !== null) return runs(tree);
  const shown = `${tree.files.slice(0, 15).join(', ')}${tree.files.length > 15 ? ' …' : ''}`;
  return `The archive holds: ${shown}. Add one of those files, or give a start command.`;
}

function runs(tree: SourceTree): string {
  const other = otherLanguage(tree);
  const is = other === null ? '' : `This is a ${other.name} project (${other.because}). `;
  return `${is}Paddock runs Python, Node, static sites and shell scripts.`;
}

/** The only agent's folder of an archive that has no agent on its own level. */
function soleFolder(tree: SourceTree): string | undefined {
  const atRoot = tree.files.some((f) => /^([^/]+\.(py|[cm]?[jt]s|html)|start\.sh|Procfile|Dockerfile)$/.test(f));
  if (atRoot || ['package.json', ...pythonFiles].some(tree.has)) return undefined;
  const folders = agentFolders(tree);
  return folders.length === 1 && !/^src(\/|$)/.test(folders[0] ?? '') ? folders[0] : undefined;
}

// The Python rules look for the only or main script in the root.
function onlyKind(tree: SourceTree, kind: RegExp): boolean {
  return tree.files.some((f) => !f.includes('/') && kind.test(f)) && !tree.has('index.html');
}

function plain(language: 'static' | 'shell', start: GivenStart | null): Detected {
  return {
    language,
    type: language === 'static' ? 'web' : null,
    install: null,
    build: null,
    start: start?.command ?? null,
    env: {},
    reasons: start === null ? [] : [{ what: 'start', value: start.command.join(' '), because: start.because }],
    warnings: [],
  };
}

function allowedEnv(env: Record<string, string>, warnings: string[]): Record<string, string> {
  const clash = Object.keys(env).filter((name) => reservedNames.test(name));
  const refused = new Set(clash);
  if (clash.length > 0)
    warnings.push(`${clash.join(', ')} can't be set by the archive: Paddock sets ${clash.length === 1 ? 'it' : 'them'}.`);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !refused.has(name)));
}
