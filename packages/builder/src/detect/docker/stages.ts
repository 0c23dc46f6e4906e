import { posix } from 'node:path';
import { type Instruction, parseInstructions } from './instructions.ts';
import { plainWords, type Variables } from './shell-words.ts';

/** A command of CMD or ENTRYPOINT: a shell line or a list. */
export interface ImageCommand {
  command: string | string[];
  line: number;
}

export interface Copy {
  line: number;
  /** Name or number of a stage, or an image; null for the archive. */
  from: string | null;
  sources: string[];
  /** An absolute path in the image. */
  to: string;
  /** The target is written as a folder, or takes several files. */
  isFolder: boolean;
}

export interface Run {
  text: string;
  line: number;
  workdir: string;
  /** The values that are in scope for the line. */
  vars: Variables;
}

export interface Variable {
  name: string;
  /** Null if it is only known when the image is built. */
  value: string | null;
  line: number;
}

/** A stage of a Dockerfile, including what it inherits from its parent stage. */
export interface Stage {
  name: string;
  /** The image at the end of the chain of stages; '' if it is only known when the image is built. */
  image: string;
  imageLine: number;
  env: Map<string, Variable>;
  workdir: string;
  workdirLine: number;
  copies: Copy[];
  runs: Run[];
  cmd: ImageCommand | null;
  entrypoint: ImageCommand | null;
  ports: { text: string; line: number }[];
}

const maxStages = 40;
const maxKnown = 400;
/** Longer values are ignored: they are not settings. */
const maxValue = 4096;

interface Reading {
  stages: Stage[];
  /** ARGs before the first FROM. */
  outer: Map<string, string>;
  /** ARG and ENV of the current stage. */
  vars: Map<string, string>;
  hasOwnCmd: boolean;
}

/** The stages in order. Text that is not an instruction is skipped. */
export function parseStages(source: string): Stage[] {
  const reading: Reading = { stages: [], outer: new Map(), vars: new Map(), hasOwnCmd: false };
  for (const instruction of parseInstructions(source)) {
    const stage = reading.stages.at(-1);
    if (instruction.word === 'FROM') {
      if (reading.stages.length === maxStages) break;
      begin(reading, instruction);
    } else if (instruction.word === 'ARG') readArguments(reading, instruction.rest);
    else if (stage !== undefined) read(reading, stage, instruction);
  }
  return reading.stages;
}

/** The stage of that name or number; numbers count from 0. */
export function stageNamed(stages: Stage[], name: string): Stage | undefined {
  return stages.findLast((stage) => stage.name === name.toLowerCase()) ?? (/^\d{1,3}$/.test(name) ? stages[Number(name)] : undefined);
}

function begin(reading: Reading, { rest, line }: Instruction): void {
  const words = plainWords(rest, reading.outer).filter(({ text }) => !text.startsWith('--'));
  const image = words[0]?.isPlain === true ? words[0].text : '';
  const name = words[1]?.text.toLowerCase() === 'as' ? (words[2]?.text.toLowerCase() ?? '') : '';
  const parent = image === '' ? undefined : reading.stages.findLast((stage) => stage.name === image.toLowerCase());
  // Python images do not set PYTHONPATH, but many Dockerfiles append to it.
  reading.vars = new Map([['PYTHONPATH', '']]);
  for (const { name: key, value } of parent?.env.values() ?? []) if (value !== null) reading.vars.set(key, value);
  reading.hasOwnCmd = false;
  reading.stages.push({
    ...(parent ?? { image, imageLine: line, workdir: '/', workdirLine: 0, cmd: null, entrypoint: null }),
    name,
    env: new Map(parent?.env),
    copies: [...(parent?.copies ?? [])],
    runs: [...(parent?.runs ?? [])],
    ports: [...(parent?.ports ?? [])],
  });
}

function readArguments(reading: Reading, rest: string): void {
  const isOuter = reading.stages.length === 0;
  for (const { text, isPlain } of plainWords(rest, isOuter ? reading.outer : reading.vars)) {
    const equals = text.indexOf('=');
    const name = equals === -1 ? text : text.slice(0, equals);
    const value = equals === -1 ? reading.outer.get(name) : text.slice(equals + 1, equals + 1 + maxValue);
    const known = isOuter ? reading.outer : reading.vars;
    if (isPlain && value !== undefined && known.size < maxKnown) known.set(name, value);
  }
}

function read(reading: Reading, stage: Stage, { word, rest, line }: Instruction): void {
  switch (word) {
    case 'ENV':
      for (const variable of readEnv(rest, line, reading.vars)) setVariable(reading, stage, variable);
      break;
    case 'WORKDIR': {
      const path = plainWords(rest, reading.vars)[0];
      if (path?.isPlain === true) Object.assign(stage, { workdir: posix.resolve('/', stage.workdir, path.text), workdirLine: line });
      break;
    }
    case 'COPY':
    case 'ADD': {
      const copy = readCopy({ rest, line }, stage.workdir, reading.vars);
      if (copy !== null) stage.copies.push(copy);
      break;
    }
    case 'RUN':
      stage.runs.push({ text: rest, line, workdir: stage.workdir, vars: new Map(reading.vars) });
      break;
    case 'EXPOSE':
      for (const { text } of plainWords(rest, reading.vars)) stage.ports.push({ text, line });
      break;
    case 'CMD':
      stage.cmd = { command: execForm(rest), line };
      reading.hasOwnCmd = true;
      break;
    case 'ENTRYPOINT':
      stage.entrypoint = { command: execForm(rest), line };
      // The image's own CMD belongs to its own ENTRYPOINT.
      if (!reading.hasOwnCmd) stage.cmd = null;
      break;
    default:
  }
}

const maxVariables = 200;

function setVariable({ vars }: Reading, stage: Stage, variable: Variable): void {
  if (!stage.env.has(variable.name) && stage.env.size >= maxVariables) return;
  stage.env.set(variable.name, variable);
  if (variable.value === null) vars.delete(variable.name);
  else vars.set(variable.name, variable.value);
}

/** `A=1 B="x y"`, or the old form `A x y`. */
function readEnv(rest: string, line: number, vars: Variables): Variable[] {
  const words = plainWords(rest, vars);
  const pairs = words[0]?.text.includes('=')
    ? words.map(({ text, isPlain }) => ({ name: text.split('=', 1)[0] ?? '', value: text.slice(text.indexOf('=') + 1), isPlain }))
    : [
        {
          name: words[0]?.text ?? '',
          value: words
            .slice(1)
            .map(({ text }) => text)
            .join(' '),
          isPlain: words.every(({ isPlain }) => isPlain),
        },
      ];
  return pairs
    .filter(({ name }) => /^[A-Za-z_]\w{0,127}$/.test(name))
    .map(({ name, value, isPlain }) => ({ name, value: isPlain && value.length <= maxValue ? value : null, line }));
}

const maxSources = 50;

function readCopy({ rest, line }: Omit<Instruction, 'word'>, workdir: string, vars: Variables): Copy | null {
  const words = plainWords(rest, vars);
  const flags = words.findIndex(({ text }) => !text.startsWith('--'));
  const from =
    words
      .slice(0, Math.max(0, flags))
      .find(({ text }) => text.startsWith('--from='))
      ?.text.slice('--from='.length) ?? null;
  const list = rest.indexOf('[');
  const listed = list !== -1 && words[flags]?.text.startsWith('[') === true ? execForm(rest.slice(list)) : null;
  const paths = Array.isArray(listed) ? listed : words.slice(Math.max(0, flags)).map(({ text }) => text);
  const to = paths.at(-1);
  if (to === undefined || paths.length < 2) return null;
  const sources = paths.slice(0, -1).slice(0, maxSources);
  const isFolder = to.endsWith('/') || to === '.' || to.endsWith('/.') || sources.length > 1;
  return { line, from, sources, to: posix.resolve('/', workdir, to), isFolder };
}

function execForm(rest: string): string | string[] {
  if (!rest.startsWith('[')) return rest;
  try {
    const list: unknown = JSON.parse(rest);
    return Array.isArray(list) && list.every((part) => typeof part === 'string') ? list : rest;
  } catch {
    // Docker itself reads a list that is not JSON as a shell line.
    return rest;
  }
}
