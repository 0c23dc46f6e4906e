import { parse } from 'smol-toml';
import { BuildError } from '../build-error.ts';
import { compare } from '../compare-versions.ts';
import { versionOfImage } from '../detect/docker/read.ts';
import { firstLine, toolVersion, withoutComment } from '../detect/line-parts.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { Pyproject } from './pyproject.ts';

/** The Python version that a file or a setting requires. */
export interface PythonConstraint {
  /** A version or a PEP 440 range. */
  wish: string;
  because: string;
  /** Set for the file of a version manager, which names the version of the developer's machine. `allows` is the project's own range. */
  pin?: { allows: PythonConstraint | null };
  /** The version is only a hint: the author once used it, and any other may work as well. */
  is_hint?: true;
}

export function readPythonConstraint(tree: SourceTree, setting: string | undefined, pyproject: Pyproject | null): PythonConstraint | null {
  const from = (wish: string | undefined | null, because: string): PythonConstraint | null =>
    wish === undefined || wish === null || wish === '' ? null : { wish, because };
  const line = (path: string) => firstLine(tree.read(path));
  const tool = toolVersion(tree.read('.tool-versions'), ['python']);
  const asked = from(setting, 'setting');
  if (asked !== null) return asked;
  const required = from(pyproject?.requiresPython, pyproject?.file ?? '');
  const pin =
    from(numeric(line('.python-version')), '.python-version') ??
    from(numeric(tool), '.tool-versions') ??
    from(numeric(line('runtime.txt')?.replace(/^python-/, '')), 'runtime.txt') ??
    (required === null ? from(pipfileVersion(tree), 'Pipfile') : null);
  if (pin !== null) return { ...pin, pin: { allows: required } };
  if (required === null) return madeFor(tree, pyproject);
  // A range says what may do, the author's image what does.
  const image = versionOfImage(tree, pythonImage);
  const fits = image !== null && minorAllowed(required.wish, image.version);
  return fits ? { wish: image.version, because: image.because, pin: { allows: required } } : required;
}

const pythonImage = /python:?(3\.\d+)/;

const minorAllowed = (range: string, version: string) => allowsMinor(range, Number(version.split('.')[1]));

/** A version that the author once used, from files that mention it incidentally. Another version may work as well. */
function madeFor(tree: SourceTree, pyproject: Pyproject | null): PythonConstraint | null {
  const image = versionOfImage(tree, pythonImage);
  const wishes: [string | undefined, string][] = [
    [image?.version, image?.because ?? ''],
    [langgraphVersion(tree.read('langgraph.json')), 'langgraph.json'],
    [condaVersion(tree.read('environment.yml') ?? tree.read('environment.yaml')), 'environment.yml'],
    [pyproject?.testedWith.join(' || ') || undefined, 'pyproject.toml (classifiers)'],
  ];
  const found = wishes.find(([wish]) => wish !== undefined);
  return found?.[0] === undefined ? null : { wish: found[0], because: found[1], is_hint: true };
}

function langgraphVersion(source: string | null): string | undefined {
  try {
    const { python_version } = JSON.parse(source ?? '{}') as { python_version?: unknown };
    return typeof python_version === 'string' ? numeric(python_version) : undefined;
  } catch {
    return undefined; // the code that reads the file for its graphs reports the error
  }
}

/** `- python=3.10` among the dependencies. The file is read by lines, since nothing else in it matters. */
function condaVersion(source: string | null): string | undefined {
  const lines = (source ?? '').split(/\r?\n/).map((line) => withoutComment(line).trim());
  return lines
    .map((line) => /^-\s*["']?python\s*(?:==?|~=|>=)\s*(\d+(?:\.\d+){0,2})/.exec(line)?.[1])
    .find((version) => version !== undefined);
}

// `.python-version` may also name a virtual environment or another implementation. Such a line requires no version.
function numeric(text: string | undefined): string | undefined {
  return /^(?:cpython-|python)?(\d+(?:\.\d+){0,2})/.exec(text ?? '')?.[1];
}

function pipfileVersion(tree: SourceTree): string | null {
  const source = tree.read('Pipfile');
  if (source === null) return null;
  try {
    const requires = parse(source).requires as Record<string, unknown> | undefined;
    const wish = requires?.python_full_version ?? requires?.python_version;
    return typeof wish === 'string' && wish !== '*' ? wish : null;
  } catch (error) {
    throw new BuildError('detect', 'pipfile_invalid', {
      message: `Pipfile is not valid TOML: ${(error as Error).message.split('\n')[0]}.`,
    });
  }
}

interface Choice {
  /** A full version that is installed, or a minor version to download. */
  version: string;
  warning?: string;
  /** An installed version that is used if the download fails. */
  fallback?: string;
}

interface Offered {
  /** The system's versions, which agents see directly. */
  present: string[];
  /** Versions that the user who runs Paddock has in addition. */
  others?: string[];
  /** Minor versions that can be downloaded. */
  minors?: readonly number[];
}

/**
 * The newest version of the system that matches, otherwise of the others, otherwise the newest minor version that can be downloaded. For an
 * exact patch that is not installed, any patch of the same minor version is used. If a version manager's pin is not available in any form,
 * a version that the project allows is used or, if the project names no range, the next newer version.
 */
export function choosePython(wish: PythonConstraint | null, { present, others = [], minors = [] }: Offered): Choice {
  const newestFirst = (versions: string[]) => [...versions].sort((a, b) => compare(b, a));
  const sorted = [...newestFirst(present), ...newestFirst(others)];
  const newest = sorted[0];
  if (newest === undefined) {
    throw new BuildError('detect', 'python_missing', {
      message: 'This is a Python agent, but the machine has no Python that agents may use.',
      hint: 'The operator can install one (Debian and Ubuntu: apt-get install python3 python3-venv).',
    });
  }
  if (wish === null) return { version: newest };
  const fits = sorted.find((v) => matches(wish.wish, v));
  if (fits !== undefined) return { version: fits };
  const minor = /^\d+\.\d+/.exec(wish.wish)?.[0];
  const near = /^\d+\.\d+\.\d+$/.test(wish.wish) ? sorted.find((v) => v.startsWith(`${minor}.`)) : undefined;
  if (near !== undefined) return { version: near, warning: `${wish.because} asks for Python ${wish.wish}; ${near} is used.` };
  const fetched = [...minors].sort((a, b) => b - a).find((n) => allowsMinor(wish.wish, n));
  if (fetched !== undefined) {
    const version = `3.${fetched}`;
    const fallback = wish.is_hint ? newest : wish.pin && pinReplacement(wish, wish.pin.allows, sorted);
    return {
      version,
      ...(/^\d+\.\d+\.\d+$/.test(wish.wish)
        ? { warning: `${wish.because} asks for Python ${wish.wish}; the newest ${version} is used.` }
        : {}),
      ...(fallback === undefined ? {} : { fallback }),
    };
  }
  if (wish.pin !== undefined) return replacePin(wish, wish.pin.allows, sorted);
  if (wish.is_hint)
    return { version: newest, warning: `${wish.because} is made for Python ${wish.wish}, which isn’t here; ${newest} is used.` };
  throw unsupported(wish, { sorted, minors });
}

/** More than the patches of any minor version so far. */
const maxPatches = 40;

function allowsMinor(range: string, minor: number): boolean {
  if (/^\d+\.\d+\.\d+$/.test(range)) return range.startsWith(`3.${minor}.`);
  return Array.from({ length: maxPatches }, (_, patch) => `3.${minor}.${patch}`).some((version) => matches(range, version));
}

function pinReplacement(wish: PythonConstraint, allows: PythonConstraint | null, sorted: string[]): string | undefined {
  if (allows !== null) return sorted.find((v) => matches(allows.wish, v));
  return [...sorted].reverse().find((v) => v.split('.')[0] === wish.wish.split('.')[0] && compare(v, wish.wish) > 0);
}

function replacePin(wish: PythonConstraint, allows: PythonConstraint | null, sorted: string[]): Choice {
  const version = pinReplacement(wish, allows, sorted);
  if (version === undefined) throw unsupported(allows ?? wish, { sorted });
  const because = allows === null ? '' : `, which ${allows.because} allows (${allows.wish})`;
  return { version, warning: `${wish.because} asks for Python ${wish.wish}, which isn’t here; ${version} is used${because}.` };
}

function unsupported(
  { wish, because }: PythonConstraint,
  { sorted, minors = [] }: { sorted: string[]; minors?: readonly number[] },
): BuildError {
  const others = minors.length > 0 ? ` Can be fetched: ${minors.map((minor) => `3.${minor}`).join(', ')}.` : '';
  return new BuildError('detect', 'python_unsupported', {
    message: `The agent asks for Python ${wish} (${because}), which this machine doesn't have.`,
    hint: `Present: Python ${sorted.join(', ')}.${others} Change ${because === 'setting' ? 'the setting' : because}, or ask the operator to install that version.`,
  });
}

/**
 * Whether a version matches PEP 440 clauses, Poetry's carets and tildes, or a bare prefix such as `3.11`. `@renovatebot/pep440` cannot
 * replace this function: it knows neither `^`, `~`, `||` nor a bare prefix, and its `==3.11` and `<=3.11` exclude 3.11.2. Its patterns are
 * linear, but its comparison takes quadratic time for a version that ends with many `.0`.
 */
export function matches(range: string, version: string): boolean {
  return range
    .split('||')
    .some((part) => (part.match(/(?:[=<>!~^]{1,3}\s*)?\d[\w.*]*|\*/g) ?? []).every((clause) => clauseMatches(clause, version)));
}

function clauseMatches(clause: string, version: string): boolean {
  const op = /^[=<>!~^]*/.exec(clause)?.[0] ?? '';
  const wanted = clause.slice(op.length).trimStart();
  if (wanted === '*' || wanted === '') return true;
  const prefix = wanted.endsWith('.*') ? wanted.slice(0, -2) : wanted;
  const starts = version === prefix || version.startsWith(`${prefix}.`);
  const order = compare(version, prefix);
  const parts = prefix.split('.');
  switch (op) {
    case '>=':
      return order >= 0;
    case '<=':
      return order <= 0 || starts;
    case '>':
      return order > 0 && !starts;
    case '<':
      return order < 0;
    case '!=':
      return !(wanted.endsWith('.*') ? starts : order === 0);
    case '^':
      return order >= 0 && version.split('.')[0] === parts[0];
    case '~':
      return order >= 0 && version.startsWith(`${parts.slice(0, Math.min(2, parts.length)).join('.')}.`);
    case '~=':
      return order >= 0 && version.startsWith(`${parts.slice(0, -1).join('.')}.`);
    default:
      return starts;
  }
}
