import { readAddedPackages } from '@paddock/contract/added-packages';
import { BuildError, quoteName } from '../build-error.ts';
import type { PlanSettings } from './settings.ts';
import { type Document, isMap, isScalar, type Node, openYaml, readPairs, tooLong } from './yaml.ts';

export const manifestName = 'paddock.yaml';
const hint = 'Known keys: project, start, build, type, port, health, env, python, node, root, packages, start_budget.';

/** Bound of the variables: a program with more reads them from a file. */
const maxVariables = 500;

type Check = (value: unknown, node: Node) => string | null;
const text: Check = (v) => (typeof v === 'string' && v.trim() !== '' && !v.includes('\0') ? null : 'must be a text');
const version: Check = (v) =>
  typeof v === 'number' || (typeof v === 'string' && /^[\w.*<>=^~!|, -]{1,60}$/.test(v)) ? null : 'must be a version such as "3.11"';
const whole =
  (min: number, max: number): Check =>
  (v) =>
    Number.isInteger(v) && (v as number) >= min && (v as number) <= max ? null : `must be a whole number from ${min} to ${max}`;
const command: Check = (v) =>
  (typeof v === 'string' && text(v, undefined as never) === null) ||
  (Array.isArray(v) && v.length > 0 && v.every((p) => typeof p === 'string'))
    ? null
    : 'must be a command (a text or a list of texts)';

const checks = {
  // The command line uses the project. An archive that is being built was sent to a project already.
  project: text,
  start: command,
  build: command,
  type: (v) => (v === 'web' || v === 'worker' || v === 'job' ? null : 'must be web, worker or job'),
  port: whole(1, 65_535),
  health: (v) => (typeof v === 'string' && /^\/[\x21-\x7e]*$/.test(v) ? null : 'must be a path that starts with “/”'),
  env: (v) => (typeof v === 'object' && v !== null && !Array.isArray(v) ? null : 'must be a list of NAME: value'),
  python: version,
  node: version,
  root: (v) => (typeof v === 'string' && isInside(v) ? null : 'must be a folder inside of the archive'),
  packages: (v) => {
    const isTexts = typeof v === 'string' || (Array.isArray(v) && v.every((name) => typeof name === 'string'));
    return isTexts ? (readAddedPackages([v].flat().join(' ')).wrong ?? null) : 'must be names of packages (a text or a list of texts)';
  },
  start_budget: whole(1, 3600),
} satisfies Record<Exclude<keyof PlanSettings, 'of_project'> | 'project', Check>;

/** Whether a folder is relative and stays inside its parent. */
export function isInside(path: string): boolean {
  return !path.startsWith('/') && !path.includes('\\') && !path.includes('\0') && !path.split('/').includes('..');
}

/** Reads `paddock.yaml` strictly: anything unknown or wrong fails with file, line and column. */
export function readManifest(source: string): PlanSettings {
  const long = tooLong(source);
  if (long !== null) refuse(lineAndColumn(source, long.offset), long.why);
  const { document, placeOf } = openYaml(source);
  const fail = (offset: number, why: string): never => refuse(placeOf(offset), why);
  const broken = document.errors[0];
  if (broken !== undefined) fail(broken.pos[0], plainReason(broken.message));
  const root = document.contents;
  if (root === null) return {};
  if (!isMap(root)) return fail(root.range?.[0] ?? 0, 'the file must be a list of KEY: value');
  const settings: Record<string, unknown> = {};
  for (const { key, offset, value: node, repeated } of readPairs(root)) {
    const check: Check | undefined = Object.hasOwn(checks, key) ? checks[key as keyof typeof checks] : undefined;
    if (check === undefined) return fail(offset, `unknown key ${quoteName(key)}${nearest(key)}`);
    if (repeated) fail(offset, `${key} must be unique and stands above already`);
    const place = node?.range?.[0] ?? offset;
    const value = plainValue(node, document, (why) => fail(place, `${key}: ${why}`));
    const why = check(value, node as Node);
    if (why !== null) fail(place, `${key} ${why}`);
    // No program takes a NUL character in an argument or a variable.
    if (JSON.stringify(value).includes('\\u0000')) fail(place, `${key} contains a NUL character`);
    if (key === 'project') continue;
    if (key === 'env') settings[key] = readEnv(node, fail);
    else if (key === 'packages') settings[key] = readAddedPackages([value].flat().join(' ')).packages;
    else settings[key] = check === version ? versionText(node) : value;
  }
  return settings;
}

// YAML reads `python: 3.10` as the number 3.1, so the text as written counts.
function versionText(node: Node | null): string {
  if (!isScalar(node)) return '';
  return typeof node.value === 'number' ? (node.source ?? String(node.value)) : String(node.value);
}

function readEnv(node: Node | null, fail: (offset: number, why: string) => never): Record<string, string> {
  const env: Record<string, string> = {};
  if (!isMap(node)) return env;
  if (node.items.length > maxVariables) fail(node.range?.[0] ?? 0, `env has more than ${maxVariables} variables`);
  for (const { key: name, offset, value, repeated } of readPairs(node)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) fail(offset, `${quoteName(name)} is not a name for an environment variable`);
    if (repeated) fail(offset, `env.${name} must be unique and stands above already`);
    if (!isScalar(value) || typeof value.value === 'object')
      fail(value?.range?.[0] ?? offset, `env.${name} must be a text, a number, true or false`);
    const scalar = value as { value: unknown; source?: string };
    env[name] = typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? String(scalar.value));
  }
  return env;
}

function refuse({ line, col }: { line: number; col: number }, why: string): never {
  throw new BuildError('detect', 'manifest_invalid', { message: `${manifestName}:${line}:${col}: ${why}.`, hint });
}

function lineAndColumn(source: string, offset: number): { line: number; col: number } {
  const before = source.slice(0, offset).split('\n');
  return { line: before.length, col: (before.at(-1) ?? '').length + 1 };
}

/** The first line of the parser's message without the place: our message names the place already. */
function plainReason(message: string): string {
  const line = (message.split('\n')[0] ?? '').slice(0, 400);
  const place = line.lastIndexOf(' at line ');
  const reason = place === -1 ? line : line.slice(0, place);
  return reason.endsWith('.') ? reason.slice(0, -1) : reason;
}

/** The value of a node. At most ten names of other nodes (aliases) are followed. */
function plainValue(node: Node | null, document: Document, fail: (why: string) => never): unknown {
  try {
    return node?.toJS(document, { maxAliasCount: 10 }) ?? null;
  } catch (error) {
    if (error instanceof ReferenceError) return fail(error.message);
    throw error;
  }
}

function nearest(key: string): string {
  if (key.length > 40) return '';
  const close = Object.keys(checks).find((known) => distance(known, key.toLowerCase()) <= 2);
  return close === undefined ? '' : `, did you mean "${close}"?`;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
