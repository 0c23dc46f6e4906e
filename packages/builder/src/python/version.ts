import { parse } from 'smol-toml';
import { BuildError } from '../build-error.ts';
import { compare } from '../compare-versions.ts';
import { firstLine, toolVersion } from '../detect/line-parts.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { Pyproject } from './pyproject.ts';

/** The Python version that a file or a setting asks for. */
export interface VersionWish {
  /** A version or a PEP 440 range. */
  wish: string;
  because: string;
  /** Set for a version manager's file, which names the version of the developer's machine. `allows` is the project's own range. */
  pin?: { allows: VersionWish | null };
}

export function pythonWish(tree: SourceTree, setting: string | undefined, pyproject: Pyproject | null): VersionWish | null {
  const from = (wish: string | undefined | null, because: string): VersionWish | null =>
    wish === undefined || wish === null || wish === '' ? null : { wish, because };
  const line = (path: string) => firstLine(tree.read(path));
  const tool = toolVersion(tree.read('.tool-versions'), ['python']);
  const asked = from(setting, 'setting');
  if (asked !== null) return asked;
  const required = from(pyproject?.requiresPython, 'pyproject.toml');
  const pin =
    from(numeric(line('.python-version')), '.python-version') ??
    from(numeric(tool), '.tool-versions') ??
    from(numeric(line('runtime.txt')?.replace(/^python-/, '')), 'runtime.txt') ??
    (required === null ? from(pipfileVersion(tree), 'Pipfile') : null);
  return pin === null ? required : { ...pin, pin: { allows: required } };
}

// `.python-version` may also name a virtual environment or another implementation: such a line asks for no version.
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

/**
 * The newest present version that fits. For an exact patch that is absent, any patch of the same minor version is taken. For a version
 * manager's pin that is absent, a version that the project allows is taken or, if the project names no range, the next newer version.
 */
export function choosePython(wish: VersionWish | null, present: string[]): { version: string; warning?: string } {
  const sorted = [...present].sort((a, b) => compare(b, a));
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
  if (wish.pin !== undefined) return replacePin(wish, wish.pin.allows, sorted);
  throw unsupported(wish, sorted);
}

function replacePin(wish: VersionWish, allows: VersionWish | null, sorted: string[]): { version: string; warning?: string } {
  const newer = [...sorted].reverse().find((v) => v.split('.')[0] === wish.wish.split('.')[0] && compare(v, wish.wish) > 0);
  const version = allows === null ? newer : sorted.find((v) => matches(allows.wish, v));
  if (version === undefined) throw unsupported(allows ?? wish, sorted);
  const because = allows === null ? '' : `, which ${allows.because} allows (${allows.wish})`;
  return { version, warning: `${wish.because} asks for Python ${wish.wish}, which isn’t here; ${version} is used${because}.` };
}

function unsupported({ wish, because }: VersionWish, sorted: string[]): BuildError {
  return new BuildError('detect', 'python_unsupported', {
    message: `The agent asks for Python ${wish} (${because}), which this machine doesn't have.`,
    hint: `Present: Python ${sorted.join(', ')}. Change ${because === 'setting' ? 'the setting' : because}, or ask the operator to install that version.`,
  });
}

/**
 * Whether a version fits PEP 440 clauses, Poetry's carets and tildes, or a bare prefix such as `3.11`. `@renovatebot/pep440` does not
 * replace this function: it knows neither `^`, `~`, `||` nor a bare prefix, and `==3.11` and `<=3.11` exclude 3.11.2 there. Its patterns
 * are linear, but its comparison takes quadratic time for a version that ends with many `.0`.
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
