import { withoutComment } from '../detect/line-parts.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { Pyproject } from './pyproject.ts';
import { logicalLines, type Token } from './tokens.ts';

type Declared = Pick<Pyproject, 'name' | 'dependencies' | 'requiresPython' | 'scripts'>;

const MAX_LINES = 5_000;

/**
 * The project declared in setup.cfg or in a call of `setup()` in setup.py; null if neither declares one, such as a setup.cfg that only
 * configures tools. Values that setup.py computes are unknown: its build backend provides them when the project is installed.
 */
export function setuptoolsProject(tree: SourceTree): Pyproject | null {
  const cfg = readSetupCfg(tree.read('setup.cfg') ?? '');
  const call = readSetupCall(tree.read('setup.py') ?? '');
  if (cfg === null && call === null) return null;
  const found = [cfg, call].filter((one) => one !== null);
  return {
    file: cfg === null || (call !== null && call.dependencies.length > 0) ? 'setup.py' : 'setup.cfg',
    isProject: true,
    name: found.find(({ name }) => name !== null)?.name ?? null,
    dependencies: found.flatMap(({ dependencies }) => dependencies),
    requiresPython: found.find(({ requiresPython }) => requiresPython !== null)?.requiresPython ?? null,
    testedWith: [],
    scripts: new Map(found.flatMap(({ scripts }) => [...scripts])),
    needsSource: true,
    version: true,
    poetryDependencies: {},
    optional: [],
  };
}

/** Lists are indented lines below their key, see https://setuptools.pypa.io/en/latest/userguide/declarative_config.html */
function readSetupCfg(source: string): Declared | null {
  const values = readIni(source);
  const list = (key: string) => values.get(key) ?? [];
  const one = (key: string) => list(key)[0] ?? null;
  const declares = [...values.keys()].some((key) =>
    /^(?:options\.(?:install_requires|packages|py_modules)|options\.entry_points\.)/.test(key),
  );
  if (!declares) return null;
  return {
    name: one('metadata.name'),
    // The build backend reads `file: requirements.txt`.
    dependencies: list('options.install_requires').filter((line) => !line.startsWith('file:')),
    requiresPython: one('options.python_requires'),
    scripts: new Map(list('options.entry_points.console_scripts').flatMap(parseScript)),
  };
}

/** The lines of each value by `section.key`. */
function readIni(source: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  let section = '';
  let lines: string[] | undefined;
  for (const raw of source.split(/\r?\n/, MAX_LINES)) {
    const line = withoutComment(raw).trim();
    if (line === '' || line.startsWith(';')) continue;
    if (/^\s/.test(raw)) {
      lines?.push(line);
      continue;
    }
    const heading = /^\[([\w.:-]{1,100})\]$/.exec(line)?.[1];
    if (heading !== undefined) {
      section = heading;
      lines = undefined;
      continue;
    }
    const [key = '', ...rest] = line.split(/[=:]/);
    const first = rest.length === 0 ? '' : line.slice(key.length + 1).trim();
    lines = first === '' ? [] : [first];
    values.set(`${section}.${key.trim()}`, lines);
  }
  return values;
}

/** The literal arguments of `setup()`. */
function readSetupCall(source: string): Declared | null {
  for (const { tokens } of logicalLines(source)) {
    const call = tokens.findIndex(({ text }, at) => text === 'setup' && tokens[at + 1]?.text === '(');
    if (call === -1) continue;
    const texts = (key: string) => readStrings(tokens.slice(call), key);
    return {
      name: texts('name')[0] ?? null,
      dependencies: texts('install_requires'),
      requiresPython: texts('python_requires')[0] ?? null,
      scripts: new Map([...texts('console_scripts'), ...texts('entry_points').flatMap((text) => text.split('\n'))].flatMap(parseScript)),
    };
  }
  return null;
}

const opening = new Set(['[', '(', '{']);
const closing = new Set([']', ')', '}']);

/** The strings in `key='…'`, `key=[…]` or `'key': […]`. */
function readStrings(tokens: Token[], key: string): string[] {
  const at = tokens.findIndex(({ kind, text }, place) => kind !== 'op' && text === key && /^[=:]$/.test(tokens[place + 1]?.text ?? ''));
  if (at === -1) return [];
  const found: string[] = [];
  let depth = 0;
  for (const { kind, text } of tokens.slice(at + 2)) {
    if (kind === 'op' && opening.has(text)) depth += 1;
    if (kind === 'op' && closing.has(text)) depth -= 1;
    if (depth < 0 || (depth === 0 && text === ',')) break;
    if (kind === 'string') found.push(text);
    if (depth === 0) break;
  }
  return found;
}

/** `name = package.module:function`. */
function parseScript(line: string): [string, string][] {
  const [name = '', target = ''] = line.split('=').map((part) => part.trim());
  return /^[\w.-]{1,100}$/.test(name) && target.includes(':') ? [[name, target]] : [];
}
