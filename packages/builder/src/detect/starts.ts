import { withOwnBin } from '../node/package-json.ts';
import type { Choice, Language, Reason } from '../plan.ts';
import { commandLine, parseCommand, wordsOf } from './commands.ts';
import { composeCommands } from './compose-commands.ts';
import type { DockerHints } from './docker/read.ts';
import { locateScript } from './dockerfile.ts';
import { withoutEnvironment, withoutReloader } from './environment-runners.ts';
import { foreground } from './foreground.ts';
import { hostedStart } from './hosting-files.ts';
import { detectLanguage } from './own-files.ts';
import { readProcfile } from './procfile.ts';
import type { PlanSettings } from './settings.ts';
import type { SourceTree } from './source-tree.ts';
import { givesArguments } from './start-arguments.ts';

/** A start command that the user or a file of the archive gives. */
export interface GivenStart {
  command: string[];
  because: string;
  procfile?: 'web' | 'worker';
  isDocker?: true;
  /** A folder below the agent's; if absent, the agent's folder. */
  folder?: string;
}

/** The start from the settings, the Procfile, or another host's file. */
export function givenStart(settings: PlanSettings, because: string, tree: SourceTree): GivenStart | null {
  if (settings.start !== undefined) {
    const command = parseCommand(settings.start);
    return { command: withoutEnvironment(command, tree) ?? command, because };
  }
  const processes = readProcfile(tree.read('Procfile') ?? '');
  for (const procfile of ['web', 'worker'] as const) {
    const line = processes.get(procfile);
    const command = line === undefined ? null : withoutEnvironment(parseCommand(line), tree);
    if (command !== null) return { command: withoutReloader(command), because: `Procfile (${procfile})`, procfile };
  }
  const hosted = hostedStart(tree);
  const command = hosted === undefined ? null : withoutEnvironment(parseCommand(hosted.command), tree);
  return hosted === undefined || command === null
    ? null
    : { command: withoutReloader(command), because: hosted.because, procfile: hosted.type };
}

/** The other processes of a Procfile, or the workers of a compose file, which a deployment does not run, and how to run each. */
export function otherProcesses(start: GivenStart | null, tree: SourceTree): { choices: Choice[]; warnings: string[] } {
  const choices: Choice[] = [];
  const warnings: string[] = [];
  if (start?.procfile === undefined || !start.because.startsWith('Procfile')) return composeWorkers(tree);
  const processes = readProcfile(tree.read('Procfile') ?? '');
  const others = [...processes].filter(([name]) => name !== start.procfile).slice(0, maxProcesses);
  for (const [name, command] of others) {
    const because = `Procfile (${name})`;
    const isBefore = name === 'release';
    const line = isBefore ? `${command} && ${processes.get(start.procfile)}` : command;
    choices.push({ start: line, because: isBefore ? `${because} first` : because });
    const how = isBefore
      ? `To run it before each start, start with “${line}”.`
      : 'If the agent needs it, deploy the archive as a project of its own with that start.';
    warnings.push(`${because} is not run: “${command}”. ${how}`);
  }
  return { choices, warnings };
}

const maxProcesses = 5;

/** Programs that take tasks from a queue which the agent fills. */
const worker =
  /^(?:(?:uv|poetry|pipenv|pdm) run )?(?:celery .{0,200}\b(?:worker|beat)\b|rq worker\b|dramatiq |arq |huey_consumer|taskiq (?:worker|scheduler)\b)/;

/** The workers that a compose file runs beside the agent, from the same folder. */
function composeWorkers(tree: SourceTree): { choices: Choice[]; warnings: string[] } {
  const lines = composeCommands(tree, [])
    .filter(({ context }) => context === '')
    .map(({ words, because }) => ({ start: commandLine(words), because }));
  const choices = lines.filter(({ start }) => worker.test(start)).slice(0, maxProcesses);
  const warnings = choices.map(
    ({ start, because }) =>
      `${because} is not run: “${start}”. If the agent needs it, deploy the archive as a project of its own with that start.`,
  );
  return { choices, warnings };
}

/**
 * The start of the Dockerfile's image, with the archive's paths. Null also if it would exit at once and leave the agent in the background.
 */
export function dockerStart(docker: DockerHints | null, language: Language, tree: SourceTree): GivenStart | null {
  if (!docker?.start || language === 'static') return null;
  const { folder, instruction, line } = docker.start;
  const below = tree.below(folder);
  const given = withoutEnvironment(docker.start.command, below);
  if (given === null) return null;
  const own = withOwnBin(given, below.read('package.json'));
  const kept = foreground(
    own.map((word, at) => (folder === '' && at < maxWordsLookedUp ? locateScript(word, tree) : word)),
    below,
  );
  if (kept === null) return null;
  const because = `Dockerfile:${line} (${instruction})`;
  return {
    command: withoutReloader(kept.command),
    because: kept.script === undefined ? because : `${kept.script}, which ${because} runs`,
    isDocker: true,
    ...(folder === '' ? {} : { folder }),
  };
}

/** Each look-up searches all paths of the archive. */
const maxWordsLookedUp = 50;

/** The image's start, if it starts something other than LangGraph's own server. */
export function ownImage(docker: DockerHints | null, tree: SourceTree): GivenStart | null {
  const start = dockerStart(docker, 'shell', tree);
  const words = wordsOf(start?.command ?? []);
  return detectLanguage(words) === undefined || words.some((word) => word.startsWith('langgraph')) ? null : start;
}

/** Whether an image runs the same project script as the detected start. Only an installed project has that script as a program. */
export function runsSameScript(image: GivenStart | null, found: Reason[]): boolean {
  const because = found.find(({ what }) => what === 'start')?.because ?? '';
  const script = /^(?:pyproject\.toml|setup\.cfg|setup\.py) \(script ([^()]{1,200})\)/.exec(because)?.[1];
  return script !== undefined && wordsOf(image?.command ?? []).includes(script);
}

/**
 * Whether an image runs a Python module of the archive by name while the detected start runs another file, or the same file with arguments.
 * The image's author knows the right one.
 */
export function runsAnother({ command, folder }: GivenStart, found: string[], tree: SourceTree): boolean {
  if (givesArguments({ command, folder }, found)) return true;
  const words = wordsOf(command);
  const module = words[words.lastIndexOf('-m') + 1] ?? '';
  if (folder !== undefined || !words.includes('-m') || !/^[A-Za-z_][\w.]{0,200}$/.test(module)) return false;
  const path = module.replaceAll('.', '/');
  const file = ['', 'src/'].flatMap((folder) => [`${folder}${path}.py`, `${folder}${path}/__main__.py`]).find(tree.has);
  const names = [module, path, file ?? ''];
  return file !== undefined && !found.some((word) => names.includes((word.split(':', 1)[0] ?? '').replace(/^\.\//, '')));
}
