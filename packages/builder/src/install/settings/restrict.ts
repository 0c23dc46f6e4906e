import { parse as parseToml, stringify as writeToml } from 'smol-toml';
import { stringify as writeYaml } from 'yaml';
import { AliasError, parsePlainYaml } from '../../detect/yaml.ts';
import { berryShape, bunShape, npmLogin, npmNames, npmRegistry, pnpmShape, type Shape, uvShape, yarnNames } from './allowed.ts';

/** A settings file reduced to the settings that archives may make, and the names of the removed ones. Null if every setting is allowed. */
export type Restricted = { text: string; dropped: string[] } | null;

/** The settings files that each client reads in an archive. */
const filesOf: Record<string, string[]> = {
  npm: ['.npmrc'],
  pnpm: ['.npmrc', 'pnpm-workspace.yaml', '.pnpmfile.cjs', '.pnpmfile.mjs', '.pnpmfile.js', 'pnpmfile.js'],
  yarn: ['.npmrc', '.yarnrc'],
  'yarn-berry': ['.yarnrc.yml'],
  bun: ['.npmrc', 'bunfig.toml', '.bunfig.toml'],
};
const pythonFiles = ['uv.toml', 'pyproject.toml'];

/** The restriction of a file, by its name; undefined if the package client reads no settings from that file. */
export function findRestriction(manager: string, name: string): ((text: string) => Restricted) | undefined {
  if (!(filesOf[manager] ?? pythonFiles).includes(name)) return undefined;
  return restrictions[name] ?? (() => nothingOf('it is a program'));
}

interface Format {
  parse: (text: string) => unknown;
  write: (value: Table) => string;
}
const toml: Format = { parse: parseToml, write: writeToml };
const yaml: Format = { parse: parsePlainYaml, write: writeYaml };

interface Allowed {
  shape: Shape;
  /** Path of the restricted table; the whole file if absent. */
  below?: string[];
}

const restrictions: Record<string, (text: string) => Restricted> = {
  '.npmrc': (text) => restrictLines(text, npmLine),
  '.yarnrc': (text) => restrictLines(text, yarnLine),
  '.yarnrc.yml': (text) => restrictYaml(text, berryShape),
  'pnpm-workspace.yaml': (text) => restrictYaml(text, pnpmShape),
  'bunfig.toml': (text) => restrictParsed(text, toml, { shape: bunShape }),
  '.bunfig.toml': (text) => restrictParsed(text, toml, { shape: bunShape }),
  'uv.toml': (text) => restrictParsed(text, toml, { shape: uvShape }),
  'pyproject.toml': (text) => restrictParsed(text, toml, { shape: uvShape, below: ['tool', 'uv'] }),
};

/** A literal web address. Neither a variable of the step nor an escaped character can be in it. */
const address = /^https?:\/\/[^\s"'\\$<>]+$/;
/** Clients replace `$…` by variables of the step, even if the text writes it with escapes. */
const isLiteral = (value: string) => !/[$\\]/.test(value);
/** Longer names are not settings, and the build log shows the names. */
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

/** The parser reads this length in a few hundredths of a second. It runs on the shared thread. */
const MAX_YAML_CHARACTERS = 16 * 1024;

function restrictYaml(text: string, shape: Shape): Restricted {
  if (text.length > MAX_YAML_CHARACTERS) return nothingOf(`it is longer than ${MAX_YAML_CHARACTERS / 1024} kB`);
  return restrictParsed(text, yaml, { shape });
}

const nothingOf = (why: string) => ({ text: '', dropped: [`all of it, since ${why}`] });

function restrictParsed(text: string, { parse, write }: Format, allowed: Allowed): Restricted {
  try {
    return restrictValue(parse(text), write, allowed);
  } catch (error) {
    // The client may be able to read a text that we cannot read or write.
    return nothingOf(error instanceof AliasError ? 'it uses aliases' : 'it cannot be read');
  }
}

function restrictValue(whole: unknown, write: Format['write'], { shape, below = [] }: Allowed): Restricted {
  const dropped: string[] = [];
  let parent: Table = { whole };
  let last = 'whole';
  for (const name of below) {
    const next = parent[last];
    if (!isTable(next) || next[name] === undefined) return null;
    parent = next;
    last = name;
  }
  const kept = pick(parent[last], shape, { path: [], dropped });
  if (dropped.length === 0) return null;
  if (below.length === 0) return { text: write(isTable(kept) ? kept : {}), dropped };
  parent[last] = kept ?? {};
  return { text: write(whole as Table), dropped };
}

const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null && !Array.isArray(value);

interface Picked {
  /** The path of the value in the file. */
  path: string[];
  /** Receives the names of values that do not match. */
  dropped: string[];
}

/** The part of a value that matches the shape; undefined if nothing matches. */
function pick(value: unknown, shape: Shape, { path, dropped }: Picked): unknown {
  if (typeof shape === 'string') {
    if (value === null || fits(value, shape, 0)) return value;
    dropped.push(path.join('.').slice(0, MAX_NAME_CHARACTERS));
    return undefined;
  }
  if (Array.isArray(value)) return value.map((one) => pick(one, shape['*'] ?? shape, { path, dropped })).filter((one) => one !== undefined);
  if (!isTable(value)) {
    if (value !== null && value !== undefined) dropped.push(path.join('.') || 'all of it');
    return undefined;
  }
  const kept: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const wanted = Object.hasOwn(shape, name) ? shape[name] : shape['*'];
    const found = wanted === undefined ? undefined : pick(inner, wanted, { path: [...path, name], dropped });
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
