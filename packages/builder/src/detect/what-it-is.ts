import { BuildError, quoteName } from '../build-error.ts';
import { planNode } from '../node/plan-node.ts';
import { staticCommand } from '../node/start.ts';
import type { Workspace } from '../node/workspace.ts';
import type { FolderAbove } from '../python/above.ts';
import { findPyproject } from '../python/dependencies.ts';
import { entryPaths } from '../python/entry.ts';
import { type Detected, planPython } from '../python/plan-python.ts';
import { wordsOf } from './commands.ts';
import type { DockerHints } from './docker/read.ts';
import { isBuiltByImage } from './dockerfile.ts';
import { detectLanguage, ownFiles, packageStarts } from './own-files.ts';
import type { PlanSettings } from './settings.ts';
import type { SourceTree } from './source-tree.ts';
import { dockerStart, type GivenStart } from './starts.ts';
import { otherLanguage, pythonFiles } from './suggestions.ts';
import type { Toolchains } from './toolchains.ts';

interface Deps {
  settings: PlanSettings;
  /** The user's own commands. */
  start: string[] | null;
  build: string[] | null;
  toolchains: Toolchains;
  docker: DockerHints | null;
  /** The workspace that contains the agent's folder. */
  workspace: () => Workspace | undefined;
  /** The folders above the agent's. */
  above: () => FolderAbove[];
  /** Receives the warnings of detection. */
  warnings: string[];
}

interface Found {
  detected: Detected;
  because: string;
}

/** The language of an archive and the findings of its rules. */
export function whatItIs(tree: SourceTree, given: Deps): Found {
  const { start, docker, warnings } = given;
  if (start === null) refuseOtherProgram(dockerStart(docker, 'shell', tree)?.command ?? [], tree);
  const project = findPyproject(tree);
  const named =
    pythonFiles.find((f) => tree.has(f) && (f !== 'pyproject.toml' || (project?.isProject === true && project.file === f))) ??
    (project?.isProject === true ? project.file : undefined);
  const python = (because: string) => ({ detected: planPython(tree, given), because });
  const node = (because: string) => ({
    detected: planNode(tree, { ...given, workspace: tree.has('package.json') ? given.workspace() : undefined }),
    because,
  });
  const own = ownFiles(tree);
  const said = detectLanguage(wordsOf(start ?? dockerStart(docker, 'shell', tree)?.command ?? []));
  const isNode = tree.has('package.json') && (own.node !== undefined || packageStarts(tree));
  if (named !== undefined && isNode && said === 'node')
    return node(`package.json, which ${start === null ? 'the Dockerfile’s CMD' : 'the start command'} runs`);
  if (named !== undefined && (own.python !== undefined || said === 'python' || !(isNode || tree.has('index.html')))) {
    if (tree.has('package.json') && !isNode) return python(`${named}; package.json has neither a start nor source`);
    const found = python(named);
    if (!isNode) return found;
    const hasNone = start === null && found.detected.start === null && dockerStart(docker, 'python', tree) === null;
    const other = hasNone && packageStarts(tree) ? node(`package.json; nothing starts the source beside ${named}`) : found;
    const isOther = other !== found && other.detected.start !== null;
    warnings.push(
      isOther
        ? `${named} is not installed: nothing in the archive starts Python, so the agent is taken as Node.`
        : `Both ${named} and package.json are there: the agent is taken as Python.`,
    );
    return isOther ? other : found;
  }
  const beside = named === undefined ? '' : `; ${named} stands there without any Python source`;
  const entry = entryPaths(tree)[0] ?? tree.files.find((f) => /^(src\/)?(\w+\/)?__main__\.py$/.test(f));
  if (isNode || (tree.has('package.json') && own.python === undefined)) {
    const found = node(`package.json${beside}`);
    if (start !== null || found.detected.start !== null || entry === undefined) return found;
    warnings.push(`package.json names no way to start, so the agent is taken as Python (${entry}).`);
  } else if (tree.has('package.json') && (start === null || said === 'python')) {
    return python(`${entry ?? own.python}; package.json has neither a start nor source`);
  }
  if (entry !== undefined) return python(entry);
  if (tree.has('index.html') && start === null)
    return { detected: plain('static', { command: staticCommand('.'), because: 'index.html' }), because: `index.html${beside}` };
  if (tree.has('start.sh') && start === null)
    return { detected: plain('shell', { command: ['/bin/sh', 'start.sh'], because: 'start.sh' }), because: 'start.sh' };
  const command = start ?? dockerStart(docker, 'shell', tree)?.command ?? null;
  const words = wordsOf(command ?? []);
  if (words.some((w) => /^python3?$|\.py$/.test(w)) || onlyKind(tree, /\.py$/))
    return python(command === null ? 'the only source files' : 'start command');
  if (start === null) refuseDeno(tree);
  if (
    words.some((w) => /^(node|npx|npm)$|\.[cm]?[jt]s$/.test(w)) ||
    tree.files.some((f) => /^(server|index|app|main|agent)\.[cm]?[jt]s$/.test(f))
  )
    return node(command === null ? 'the only source files' : 'start command');
  if (start === null && command !== null) refuseImageOnly(command, tree);
  if (command !== null) return { detected: plain('shell', null), because: 'start command' };
  throw nothingFound(tree);
}

/** Refuses a CMD whose program only the build of the image would make. */
function refuseImageOnly(command: string[], tree: SourceTree): void {
  const program = isBuiltByImage(command, tree);
  if (program === null) return;
  throw new BuildError('detect', 'image_only', {
    message: `The Dockerfile starts ${quoteName(program)}, which isn’t in the archive: the image’s own build would make it, and Paddock doesn’t build images here.`,
    hint: `${runs(tree)} Or put the finished program into the archive and give a start command.`,
  });
}

/**
 * Refuses an image whose program is in another language, even if scripts in a supported language are beside it: the image starts none of
 * them.
 */
function refuseOtherProgram(command: string[], tree: SourceTree): void {
  if (otherLanguage(tree) !== null && isBuiltByImage(command, tree)?.includes('/')) refuseImageOnly(command, tree);
}

function refuseDeno(tree: SourceTree): void {
  const settings = ['deno.json', 'deno.jsonc'].find(tree.has);
  if (settings === undefined) return;
  throw new BuildError('detect', 'other_platform', {
    message: `The agent is made for Deno (${settings}), whose runtime isn’t here.`,
    hint: 'Give it a package.json with its dependencies and a start under Node or bun, or a start command.',
  });
}

function nothingFound(tree: SourceTree): BuildError {
  return new BuildError('detect', 'nothing_found', {
    message: `Nothing in the archive says what it is. Looked for ${[...pythonFiles, 'package.json', 'main.py (app, server, agent, bot …)', 'index.html', 'start.sh', 'Procfile', 'Dockerfile'].join(', ')}.`,
    hint: whatToAdd(tree),
  });
}

function whatToAdd(tree: SourceTree): string {
  if (otherLanguage(tree) !== null) return runs(tree);
  const shown = `${tree.files.slice(0, 15).join(', ')}${tree.files.length > 15 ? ' …' : ''}`;
  return `The archive holds: ${shown}. Add one of those files, or give a start command.`;
}

function runs(tree: SourceTree): string {
  const other = otherLanguage(tree);
  const is = other === null ? '' : `This is a ${other.name} project (${other.because}). `;
  return `${is}Paddock runs Python, Node, static sites and shell scripts.`;
}

// The Python rules search the root for the only or main script.
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
    choices: [],
    env: {},
    reasons: start === null ? [] : [{ what: 'start', value: start.command.join(' '), because: start.because }],
    warnings: [],
  };
}
