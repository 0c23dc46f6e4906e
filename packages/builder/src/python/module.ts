import { secretReads } from './streamlit-secrets.ts';
import { type LogicalLine, logicalLines, type Token } from './tokens.ts';

/** Imports, apps and calls of a Python file, read without running it. */
export interface PythonModule {
  /** Top-level packages that it imports. */
  imports: Set<string>;
  /** The `imports` that are executed unconditionally when the file is loaded: not in a function, condition or `try`. */
  firmImports: Set<string>;
  /** Full dotted names of its imports, with the leading dots of relative imports: `a.b`, `a.b.c`, `.d`. */
  paths: Set<string>;
  /** An import at the top level begins with a dot, so the file only works as part of its package. */
  isRelative: boolean;
  /** Number of dots of the relative import that reaches furthest up; 0 if there is none. */
  maxDots: number;
  /** Strings that name a Python file (`tools.py`) or an MCP transport (`stdio`). */
  words: Set<string>;
  /** Names that it reads from Streamlit's secrets. */
  secrets: Set<string>;
  /** Variables at the top level and the call that created each: `app` ← `fastapi.FastAPI`. */
  variables: { name: string; made: string }[];
  /** Functions at the top level, with the names of the calls inside. */
  functions: ModuleFunction[];
  /** Calls anywhere, by their resolved dotted name: `uvicorn.run`, `mcp.run`. */
  calls: Set<string>;
  /** The `calls` at the top level, in the main part, or in a function `main`. */
  firmCalls: Set<string>;
  /** Functions that are run in a thread or a process of their own, and the calls of such a lambda: `run_server`, `app.run`. */
  threads: Set<string>;
  /** The string arguments of the first `uvicorn.run`; null if there is none. */
  served: string[] | null;
  hasMain: boolean;
  /**
   * `parse_args()` is called on import, or in a function that may be called on import. Absent if it is called nowhere except in the main
   * part.
   */
  readsArguments?: 'at import' | 'in a function';
}

export interface ModuleFunction {
  name: string;
  needsArguments: boolean;
  makes: string[];
}

/** Maximum calls and functions of one file that are read. No file of an agent has as many. */
const maxNames = 20_000;
/** Bound of the secrets, whose names are part of the start command. */
const maxSecrets = 40;
/** Strings that show how files of the archive depend on each other, or which transport an MCP server uses. */
const telling = /^[\w./-]{1,200}\.py$|^(?:stdio|sse|http|streamable[-_]http)$/;
/** Maximum parts of a dotted name. No file of an agent has longer names. */
const maxParts = 20;

/** Names that imports of the file bind. */
interface Names {
  /** The dotted path of each name. */
  known: Map<string, string>;
  /** Modules of `from … import *`. */
  stars: string[];
}

/** Reads imports, assignments and calls of a Python file; names are resolved through its imports. */
export function readModule(source: string): PythonModule {
  const module: PythonModule = {
    imports: new Set(),
    firmImports: new Set(),
    paths: new Set(),
    isRelative: false,
    maxDots: 0,
    words: new Set(),
    secrets: new Set(),
    variables: [],
    functions: [],
    calls: new Set(),
    firmCalls: new Set(),
    threads: new Set(),
    served: null,
    hasMain: false,
  };
  const names: Names = { known: new Map(), stars: [] };
  let inside: ModuleFunction | null = null;
  let isMain = false;
  for (const line of logicalLines(source)) {
    const first = line.tokens[0];
    if (line.indent === 0) {
      inside = null;
      isMain = isMainGuard(line) || isMainFunction(line);
    }
    if (first?.text === 'import' || first?.text === 'from') {
      const tops = readImport(line.tokens, module, names);
      if (line.indent === 0) for (const top of tops) module.firmImports.add(top);
      module.isRelative ||= line.indent === 0 && first.text === 'from' && line.tokens[1]?.text.startsWith('.') === true;
      continue;
    }
    for (const { kind, text } of line.tokens)
      if (kind === 'string' && telling.test(text) && module.words.size < maxNames) module.words.add(text);
    for (const { name } of secretReads(line.tokens)) if (module.secrets.size < maxSecrets) module.secrets.add(name);
    const calls = callsIn(line.tokens, names);
    for (const { name, at } of calls) {
      if (module.calls.size < maxNames) module.calls.add(name);
      if ((isMain || line.indent === 0) && module.firmCalls.size < maxNames) module.firmCalls.add(name);
      if (!isMain && name.endsWith('.parse_args')) noteArguments(module, line);
      if (name === 'uvicorn.run') module.served ??= argumentStrings(line.tokens, at);
    }
    const thread = calls.find(({ name }) => ofThreads.test(name));
    if (thread !== undefined && module.threads.size < maxThreads)
      for (const target of threadTargets(line.tokens, thread.at, names)) module.threads.add(target);
    if (line.indent === 0) {
      if (isMainGuard(line)) module.hasMain = true;
      inside = parseFunction(line.tokens);
      if (inside !== null && module.functions.length < maxNames) module.functions.push(inside);
      const made = parseAssignment(line.tokens, names);
      if (made !== null && module.variables.length < maxNames) module.variables.push(made);
    } else if (inside !== null && inside.makes.length < maxNames) {
      for (const { name } of calls) inside.makes.push(name);
    }
  }
  return module;
}

function isMainGuard(line: LogicalLine): boolean {
  return (
    line.tokens[0]?.text === 'if' &&
    line.tokens.some((t) => t.text === '__name__') &&
    line.tokens.some((t) => t.kind === 'string' && t.text === '__main__')
  );
}

const isMainFunction = ({ tokens }: LogicalLine) =>
  tokens.slice(0, 3).some(({ text }) => text === 'def') && tokens.some(({ text }) => text === 'main');

function noteArguments(module: PythonModule, { indent }: LogicalLine): void {
  if (indent === 0) module.readsArguments = 'at import';
  else module.readsArguments ??= 'in a function';
}

/** Returns the top-level packages that the line imports. */
function readImport(tokens: Token[], module: PythonModule, { known, stars }: Names): string[] {
  const { imports, paths } = module;
  const tops: string[] = [];
  const note = (path: string) => (paths.size < maxNames ? paths.add(path) : paths);
  const words = tokens.filter((t) => t.text !== '(' && t.text !== ')').map((t) => t.text);
  if (words[0] === 'import') {
    for (const part of split(words.slice(1))) {
      const as = part.indexOf('as');
      const path = joined(part.slice(0, as === -1 ? undefined : as));
      const top = path.split('.')[0] ?? path;
      tops.push(top);
      imports.add(top);
      note(path);
      if (as === -1) known.set(top, top);
      else known.set(part[as + 1] ?? top, path);
    }
    return tops;
  }
  const at = words.indexOf('import');
  if (at === -1) return tops;
  const path = joined(words.slice(1, at));
  module.maxDots = Math.max(module.maxDots, /^\.{0,40}/.exec(path)?.[0].length ?? 0);
  if (!path.startsWith('.')) {
    tops.push(path.split('.')[0] ?? path);
    imports.add(path.split('.')[0] ?? path);
  }
  note(path);
  for (const part of split(words.slice(at + 1))) {
    const name = part[0] ?? '';
    note(`${path}${path.endsWith('.') ? '' : '.'}${name}`);
    if (name === '*') stars.push(path);
    else known.set(part[1] === 'as' ? (part[2] ?? name) : name, `${path}.${name}`);
  }
  return tops;
}

// The dotted path of a module, which precedes each name imported from it.
const joined = (words: string[]) => words.slice(0, maxParts * 2).join('');

function split(words: string[]): string[][] {
  const parts: string[][] = [[]];
  for (const word of words) {
    if (word === ',') parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts.filter((p) => p.length > 0);
}

/** Reads the dotted name `a.b.c` at a token; null if there is no name. */
function dotted(tokens: Token[], at: number): { name: string; next: number } | null {
  if (tokens[at]?.kind !== 'name') return null;
  const parts = [tokens[at].text];
  let next = at + 1;
  while (tokens[next]?.text === '.' && tokens[next + 1]?.kind === 'name') {
    if (parts.length < maxParts) parts.push(tokens[next + 1]?.text ?? '');
    next += 2;
  }
  return { name: parts.join('.'), next };
}

function resolve(name: string, { known, stars }: Names): string {
  const [first = '', ...rest] = name.split('.');
  const full = known.get(first);
  if (full !== undefined) return [full, ...rest].join('.');
  // A star import may have bound the name. If there are several star imports, the first is as good a guess as any.
  return stars[0] !== undefined && /^[A-Z]|^fast_app$/.test(first) ? `${stars[0]}.${name}` : name;
}

/** The calls of a line: their names and the positions of their brackets. */
function callsIn(tokens: Token[], names: Names): { name: string; at: number }[] {
  const calls: { name: string; at: number }[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const isChained = tokens[i - 1]?.text === '.';
    // In `create().run(…)` the method called on the result of a call has no name of its own.
    if (isChained && tokens[i - 2]?.text === ')' && tokens[i + 1]?.text === '(') calls.push({ name: `().${tokens[i]?.text}`, at: i + 1 });
    const path = isChained ? null : dotted(tokens, i);
    if (path === null) continue;
    if (tokens[path.next]?.text === '(' && tokens[i - 1]?.text !== 'def') {
      calls.push({ name: resolve(path.name, names), at: path.next });
    }
    i = path.next - 1;
  }
  return calls;
}

function argumentStrings(tokens: Token[], open: number): string[] {
  const strings: string[] = [];
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    const { kind, text } = tokens[i] as Token;
    if (kind === 'op' && '([{'.includes(text)) depth++;
    if (kind === 'op' && ')]}'.includes(text) && --depth === 0) break;
    if (kind === 'string') strings.push(text);
  }
  return strings;
}

const maxThreads = 40;
const ofThreads = /^(?:threading\.Thread|multiprocessing\.(?:context\.)?Process)$/;

/** The name behind `target=`, or the calls of a lambda there. */
function threadTargets(tokens: Token[], open: number, names: Names): string[] {
  const inside = tokens.slice(open + 1, closing(tokens, open));
  const at = inside.findIndex(({ text }, i) => text === 'target' && inside[i + 1]?.text === '=') + 2;
  if (at < 2) return [];
  if (inside[at]?.text === 'lambda') return callsIn(inside.slice(at + 1), names).map(({ name }) => name);
  const path = dotted(inside, at);
  return path === null ? [] : [resolve(path.name, names)];
}

function parseFunction(tokens: Token[]): ModuleFunction | null {
  const at = tokens[0]?.text === 'async' ? 1 : 0;
  const name = tokens[at + 1]?.text;
  if (tokens[at]?.text !== 'def' || name === undefined) return null;
  const parameters = split(tokens.slice(at + 3, closing(tokens, at + 2)).map((t) => t.text));
  return { name, needsArguments: !parameters.every((p) => p.includes('=') || p[0] === '*'), makes: [] };
}

function closing(tokens: Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if ('([{'.includes(tokens[i]?.text ?? ' ') && tokens[i]?.kind === 'op') depth++;
    if (')]}'.includes(tokens[i]?.text ?? ' ') && tokens[i]?.kind === 'op' && --depth === 0) return i;
  }
  return tokens.length;
}

/** `x = Call(…)`, `x: T = Call(…)`, `x, y = Call(…)` and `with Call(…) as x:`. */
function parseAssignment(tokens: Token[], names: Names): { name: string; made: string } | null {
  const first = tokens[0];
  if (first?.text === 'with') {
    const path = dotted(tokens, 1);
    const as = tokens.findIndex((t) => t.text === 'as');
    return path !== null && tokens[path.next]?.text === '(' && as !== -1
      ? { name: tokens[as + 1]?.text ?? '', made: resolve(path.name, names) }
      : null;
  }
  if (first?.kind !== 'name' || ![',', ':', '='].includes(tokens[1]?.text ?? '')) return null;
  const equals = tokens.findIndex(
    (t, i) => t.text === '=' && tokens[i + 1]?.text !== '=' && !['=', '!', '<', '>'].includes(tokens[i - 1]?.text ?? ''),
  );
  if (equals === -1) return null;
  const path = dotted(tokens, equals + 1);
  return path !== null && tokens[path.next]?.text === '(' ? { name: first.text, made: resolve(path.name, names) } : null;
}
