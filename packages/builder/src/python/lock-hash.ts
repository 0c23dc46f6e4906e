import { createHash } from 'node:crypto';
import { table } from './pyproject.ts';

type Table = Record<string, unknown>;

/**
 * The hashes that Poetry's versions store in the lock file for the parts of pyproject.toml that they read. Empty if the hash cannot be
 * computed.
 */
export function poetryHashes(pyproject: Table): string[] {
  const project = table(pyproject.project);
  const poetry = table(table(pyproject.tool).poetry);
  const groups = table(pyproject['dependency-groups']);
  const ofProject = picked(project, ['requires-python', 'dependencies', 'optional-dependencies']);
  const legacy = ['dependencies', 'source', 'extras', 'dev-dependencies'];
  const own = picked(poetry, [...legacy, 'group']);
  const older = { ...Object.fromEntries(legacy.map((key) => [key, null])), ...own };
  const hasProject = Object.keys(ofProject).length > 0;
  const hasGroups = Object.keys(groups).length > 0;
  const newest = {
    ...(hasProject ? { project: ofProject } : {}),
    ...(hasGroups ? { 'dependency-groups': groups } : {}),
    tool: { poetry: own },
  };
  // Poetry 1 hashed only its own table, and Poetry 2.0 no groups.
  const forms = [hasProject || hasGroups ? newest : older, hasProject ? { project: ofProject, tool: { poetry: own } } : older, older];
  return hashes(forms, pythonJson);
}

/** The same for PDM. */
export function pdmHashes(pyproject: Table): string[] {
  const project = table(pyproject.project);
  const pdm = table(table(pyproject.tool).pdm);
  const form = {
    sources: pdm.source ?? [],
    dependencies: project.dependencies ?? [],
    'dev-dependencies': { ...table(pyproject['dependency-groups']), ...table(pdm['dev-dependencies']) },
    'optional-dependencies': project['optional-dependencies'] ?? {},
    'requires-python': project['requires-python'] ?? '',
  };
  const resolution = pdm.resolution ?? {};
  // Groups may include other groups, which PDM expands.
  if (Object.values(form['dev-dependencies']).some((group) => !Array.isArray(group) || group.some((one) => typeof one !== 'string')))
    return [];
  return hashes([{ ...form, resolution }, { ...form, overrides: table(resolution).overrides ?? {} }, form], pythonJson);
}

/** The same for Pipenv and its Pipfile. Without a source Pipenv hashes its default source. */
export function pipfileHashes(pipfile: Table): string[] {
  const { source, requires, packages, pipenv: _, scripts: _scripts, ...rest } = pipfile;
  if (source === undefined) return [];
  const dev = table(rest['dev-packages']);
  const others = Object.fromEntries(Object.entries(rest).filter(([name]) => name !== 'dev-packages'));
  const form = { _meta: { sources: source, requires: requires ?? {} }, default: packages ?? {}, develop: dev, ...others };
  return hashes([form], compactJson);
}

function picked(from: Table, keys: string[]): Table {
  return Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]));
}

function hashes(forms: unknown[], write: (value: unknown) => string): string[] {
  return [...new Set(forms.map((form) => createHash('sha256').update(write(form)).digest('hex')))];
}

const pythonJson = (value: unknown) => sortedJson(value, [', ', ': ']);
const compactJson = (value: unknown) => sortedJson(value, [',', ':']);

/** JSON as Python writes it: keys sorted, all characters beyond ASCII escaped. */
function sortedJson(value: unknown, [comma, colon]: [string, string]): string {
  if (Array.isArray(value)) return `[${value.map((one) => sortedJson(one, [comma, colon])).join(comma)}]`;
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${pairs.map(([key, one]) => `${ascii(key)}${colon}${sortedJson(one, [comma, colon])}`).join(comma)}}`;
  }
  return typeof value === 'string' ? ascii(value) : String(value);
}

function ascii(text: string): string {
  return JSON.stringify(text).replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
