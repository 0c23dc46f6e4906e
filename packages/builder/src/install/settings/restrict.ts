import { parse as parseToml, stringify as writeToml } from 'smol-toml';
import { stringify as writeYaml } from 'yaml';
import { AliasError, parsePlainYaml } from '../../detect/yaml.ts';
import { berryShape, bunShape, npmLogin, npmNames, npmRegistry, pnpmShape, type Shape, uvShape, yarnNames } from './allowed.ts';

/** A file of settings with only what archives may say, and the names of what was left out. Null: unchanged, all of it may stand. */
export type Restricted = { text: string; dropped: string[] } | null;

/** The files of settings that each client reads in an archive. */
const filesOf: Record<string, string[]> = {
  npm: ['.npmrc'],
  pnpm: ['.npmrc', 'pnpm-workspace.yaml', '.pnpmfile.cjs', '.pnpmfile.mjs', '.pnpmfile.js', 'pnpmfile.js'],
  yarn: ['.npmrc', '.yarnrc'],
  'yarn-berry': ['.yarnrc.yml'],
  bun: ['.npmrc', 'bunfig.toml', '.bunfig.toml'],
};
const pythonFiles = ['uv.toml', 'pyproject.toml'];

/** By the name of the file; undefined for what is no settings of that package client. */
export function restrictionOf(manager: string, name: string): ((text: string) => Restricted) | undefined {
  if (!(filesOf[manager] ?? pythonFiles).includes(name)) return undefined;
  return restrictions[name] ?? (() => nothingOf('it is a program'));
}

const restrictions: Record<string, (text: string) => Restricted> = {
  '.npmrc': (text) => restrictLines(text, npmLine),
  '.yarnrc': (text) => restrictLines(text, yarnLine),
  '.yarnrc.yml': (text) => restrictYaml(text, berryShape),
  'pnpm-workspace.yaml': (text) => restrictYaml(text, pnpmShape),
  'bunfig.toml': (text) => restrictParsed(text, parseToml, writeToml, bunShape),
  '.bunfig.toml': (text) => restrictParsed(text, parseToml, writeToml, bunShape),
  'uv.toml': (text) => restrictParsed(text, parseToml, writeToml, uvShape),
  'pyproject.toml': (text) => restrictParsed(text, parseToml, writeToml, uvShape, ['tool', 'uv']),
};

/** A literal web address. Neither a variable of the step nor an escaped character can be in it. */
const address = /^https?:\/\/[^\s"'\\$<>]+$/;
/** Clients put variables of the step in the place of these, also where they were written with escapes. */
const isLiteral = (value: string) => !/[$\\]/.test(value);
/** Nobody calls a setting so, and everybody may read the build log. */
const MAX_NAME_CHARACTERS = 80;

function restrictLines(text: string, keep: (line: string) => { name: string; kept: string | null }): Restricted {
  const lines: string[] = [];
  const dropped = new Set<string>();
  let section = false;
  for (const raw of text.split(/\r\n|\r|\n/)) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    section ||= line.startsWith('[');
    const { name, kept } = section ? { name: line, kept: null } : keep(line);
    if (kept === null) dropped.add(name.slice(0, MAX_NAME_CHARACTERS));
    else lines.push(kept);
  }
  return dropped.size === 0 ? null : { text: lines.map((line) => `${line}\n`).join(''), dropped: [...dropped] };
}

function npmLine(line: string): { name: string; kept: string | null } {
  const at = line.indexOf('=');
  const name = (at === -1 ? line : line.slice(0, at)).trim();
  const value = at === -1 ? 'true' : unquoted(line.slice(at + 1).trim());
  const plain = name.endsWith('[]') ? name.slice(0, -2) : name;
  const isAllowed = npmRegistry.test(name) ? address.test(value) : (npmNames.has(plain) || npmLogin.test(name)) && isLiteral(value);
  return { name, kept: isAllowed ? `${name}=${value}` : null };
}

function yarnLine(line: string): { name: string; kept: string | null } {
  const at = line.search(/\s/);
  const name = unquoted(at === -1 ? line : line.slice(0, at)).replace(/:$/, '');
  const value = at === -1 ? 'true' : unquoted(line.slice(at).trim());
  const isAllowed = npmRegistry.test(name) ? address.test(value) : yarnNames.has(name) && /^[\w.^~-]*$/.test(value);
  return { name, kept: isAllowed ? `"${name}" "${value}"` : null };
}

function unquoted(text: string): string {
  const quote = text[0];
  return text.length >= 2 && (quote === '"' || quote === "'") && text.endsWith(quote) ? text.slice(1, -1) : text;
}

type Table = Record<string, unknown>;

/** What the parser reads in some hundredths of a second: it runs on the thread that serves everybody. */
const MAX_YAML_CHARACTERS = 16 * 1024;

function restrictYaml(text: string, shape: Shape): Restricted {
  if (text.length > MAX_YAML_CHARACTERS) return nothingOf(`it is longer than ${MAX_YAML_CHARACTERS / 1024} kB`);
  return restrictParsed(text, parsePlainYaml, writeYaml, shape);
}

const nothingOf = (why: string) => ({ text: '', dropped: [`all of it, since ${why}`] });

function restrictParsed(
  text: string,
  parse: (text: string) => unknown,
  write: (value: Table) => string,
  shape: Shape,
  below: string[] = [],
): Restricted {
  try {
    return restrictValue(parse(text), write, shape, below);
  } catch (error) {
    // What we cannot read, the client may read in its own way; what we cannot write again it may not read as we do.
    return nothingOf(error instanceof AliasError ? 'it uses aliases' : 'it cannot be read');
  }
}

function restrictValue(whole: unknown, write: (value: Table) => string, shape: Shape, below: string[]): Restricted {
  const dropped: string[] = [];
  let parent: Table = { whole };
  let last = 'whole';
  for (const name of below) {
    const next = parent[last];
    if (!isTable(next) || next[name] === undefined) return null;
    [parent, last] = [next, name];
  }
  const kept = pick(parent[last], shape, [], dropped);
  if (dropped.length === 0) return null;
  if (below.length === 0) return { text: write(isTable(kept) ? kept : {}), dropped };
  parent[last] = kept ?? {};
  return { text: write(whole as Table), dropped };
}

const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What of a value fits the shape; undefined for nothing, with its name among the dropped. */
function pick(value: unknown, shape: Shape, path: string[], dropped: string[]): unknown {
  if (typeof shape === 'string') {
    if (value === null || fits(value, shape, 0)) return value;
    dropped.push(path.join('.').slice(0, MAX_NAME_CHARACTERS));
    return undefined;
  }
  if (Array.isArray(value)) return value.map((one) => pick(one, shape['*'] ?? shape, path, dropped)).filter((one) => one !== undefined);
  if (!isTable(value)) {
    if (value !== null && value !== undefined) dropped.push(path.join('.') || 'all of it');
    return undefined;
  }
  const kept: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const wanted = Object.hasOwn(shape, name) ? shape[name] : shape['*'];
    const found = wanted === undefined ? undefined : pick(inner, wanted, [...path, name], dropped);
    if (wanted === undefined) dropped.push([...path, name].join('.').slice(0, MAX_NAME_CHARACTERS));
    else if (found !== undefined) kept.push([name, found]);
  }
  return Object.fromEntries(kept);
}

const MAX_DEPTH = 20;

function fits(value: unknown, shape: 'any' | 'address', depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (typeof value === 'string') return shape === 'address' ? address.test(value) : isLiteral(value);
  if (Array.isArray(value)) return value.every((one) => fits(one, shape, depth + 1));
  if (isTable(value) && !(value instanceof Date)) {
    return shape === 'any' && Object.entries(value).every(([name, one]) => isLiteral(name) && fits(one, shape, depth + 1));
  }
  return shape === 'any';
}
