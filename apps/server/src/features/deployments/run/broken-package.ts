import { posix } from 'node:path';
import { type Artifact, packageOfModule } from '@paddock/builder';
import { readStartBelow, StrangeFile, statBelow } from '@paddock/safe-files';
import { findSitePackages, installedPackage, maxEntries } from './installed-package.ts';
import { knownBreak } from './known-breaks.ts';
import { lastError } from './last-error.ts';
import { namesBelow } from './names-below.ts';

/** Bounds, because the agent writes the lines. */
const maxLines = 60;
const maxLineLength = 2000;

type Built = Pick<Artifact, 'app_dir' | 'mounts' | 'plan'>;

/**
 * The error that ended a start, if other versions of installed packages may fix it. Undefined if the archive's own modules may be the
 * cause, or variables in `set` or missing from it.
 */
export function brokenPackage(tail: string[], artifact: Built, set: readonly string[] = []): string | undefined {
  const error = lastError(tail);
  if (error === undefined) return undefined;
  if (knownBreak(tail, artifact) !== undefined) return error;
  return brokenByName(error, tail, artifact) ?? (mayWantVariables(error, artifact, set) || !isRaisedInPackage(tail) ? undefined : error);
}

/** The installed package, with its version, that should contain the missing module: `ag2 0.12.1`. Undefined if none is installed. */
export function installedFor(tail: string[], artifact: Built): string | undefined {
  const module = absentModule.exec(lastError(tail) ?? '')?.[1];
  return module === undefined ? undefined : installedPackage(resolvePackageName(module), artifact);
}

/**
 * The constraint below the installed version that lacks a required module or name: `mcp<2` if mcp 2.3.0 is installed. Undefined if the
 * error names no installed package.
 */
export function belowBroken(tail: string[], artifact: Built): string | undefined {
  const error = lastError(tail) ?? '';
  const module = (absentModule.exec(error) ?? absentName.exec(error) ?? absentAttribute.exec(error))?.[1];
  const [name, version = ''] = module === undefined ? [] : (installedPackage(resolvePackageName(module), artifact)?.split(' ') ?? []);
  const [, major = '0', minor = '0'] = /^(\d{1,9})(?:\.(\d{1,9}))?/.exec(version) ?? [];
  if (name === undefined || (Number(major) === 0 && Number(minor) === 0)) return undefined;
  return Number(major) > 0 ? `${name}<${major}` : `${name}<0.${minor}`;
}

const absentName = /^ImportError: cannot import name '[^']{1,200}' from (?:partially initialized module )?'([A-Za-z_][\w.]{0,200})'/;
const absentAttribute = /^AttributeError: (?:partially initialized )?module '([A-Za-z_][\w.]{0,200})' has no attribute '/;
const absentModule = /^ModuleNotFoundError: No module named '([A-Za-z_][\w.]{0,200})'/;
function resolvePackageName(module: string): string {
  const root = module.split('.', 1)[0] ?? module;
  return packageOfModule(module) ?? packageOfModule(root) ?? root;
}

/** Errors whose kind alone shows that versions do not match. */
function brokenByName(error: string, tail: string[], artifact: Built): string | undefined {
  if (/^ImportError: cannot import name '[^']{1,200}' from '[^']{1,200}'/.test(error)) return from(error, '/site-packages/');
  const module = /^AttributeError: (?:partially initialized )?module '([A-Za-z_]\w{0,100})(?:\.[\w.]{0,200})?' has no attribute '/.exec(
    error,
  )?.[1];
  if (module !== undefined) return isInstalled(module, artifact) ? error : undefined;
  const called = misfitCall.exec(error)?.[1];
  if (called !== undefined && isImported(called, tail, artifact)) return error;
  if (/^TypeError: .{0,200}\bunexpected keyword argument '/.test(error))
    return lastFrame(tail)?.includes('/site-packages/') ? error : undefined;
  const absent = /^ModuleNotFoundError: No module named '([A-Za-z_]\w{0,100})\.[\w.]{1,200}'/.exec(error)?.[1];
  if (absent !== undefined && isInstalled(absent, artifact)) return error;
  // The package is installed but no longer contains the module.
  const gone = absentModule.exec(error)?.[1];
  if (gone !== undefined && installedPackage(resolvePackageName(gone), artifact) !== undefined) return error;
  // A package whose own optional dependency is missing, or that rejects an installed one.
  if (/^(?:ImportError|ModuleNotFoundError): /.test(error)) return lastFrame(tail)?.includes('/site-packages/') ? error : undefined;
  if (/\[?ERR_(?:PACKAGE_PATH_NOT_EXPORTED|REQUIRE_ESM)\b/.test(error)) return from(error, '/node_modules/');
  return /^SyntaxError: The requested module '[^./'][^']{0,200}' does not provide an export named /.test(error) ? error : undefined;
}

/** A call whose arguments do not fit: the function, or the class of a method. */
const misfitCall =
  /^TypeError: ([A-Za-z_]\w{0,100})(?:\.\w{1,100})?\(\) (?:got an unexpected keyword argument '|missing \d{1,3} required (?:positional|keyword-only) argument)/;
const maxSource = 256 * 1024;

/** Whether the archive's file of the last frame imports that name from an installed package. */
function isImported(name: string, tail: string[], artifact: Built): boolean {
  const path = /^ {1,8}File "\/app\/([^".][^"]{0,200})", line \d/.exec(lastFrame(tail) ?? '')?.[1];
  if (path === undefined || path.includes('site-packages')) return false;
  const module = findModule(name, readSource(artifact.app_dir, path));
  return module !== undefined && isInstalled(module, artifact);
}

/** The first part of the module that a source imports the name from: `from a.b import (c, d as name)`. */
function findModule(name: string, source: string): string | undefined {
  for (const part of source.split(/^from /m).slice(1)) {
    const [module = '', list = ''] = part.slice(0, maxLineLength).split(' import ', 2);
    const names = list.startsWith('(') ? (list.slice(1).split(')', 1)[0] ?? '') : (list.split('\n', 1)[0] ?? '');
    if (/^[A-Za-z_]\w{0,100}(?:\.\w{1,100}){0,9}$/.test(module) && names.split(/\W+/).includes(name)) return module.split('.', 1)[0];
  }
  return undefined;
}

function readSource(root: string, path: string): string {
  try {
    return readStartBelow(root, path, maxSource)?.toString('utf8') ?? '';
  } catch (error) {
    if (error instanceof StrangeFile) return '';
    throw error;
  }
}

const from = (error: string, folder: string) => (error.includes(folder) ? error : undefined);

function lastFrame(tail: string[]): string | undefined {
  const lines = tail.slice(-maxLines).map((line) => line.slice(0, maxLineLength));
  return lines.findLast((line) => /^ {1,8}File "(?!<frozen )/.test(line));
}

/** Parts of names of errors caused by the machine, the network or the user's settings, not by versions. */
// biome-ignore format: a list of words
const outside = [
  'KeyError', 'EOFError', 'MemoryError', 'RecursionError', 'OSError', 'IOError', 'FileNotFound', 'FileExists', 'Directory', 'Permission', 'Connect', 'Timeout', 'Network',
  'Http', 'HTTP', 'API', 'Auth', 'Credential', 'Operational', 'Interface', 'Config', 'Settings', 'Validation',
];
const ofSettings =
  /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|api[_ -]?key|token|credential|password|secret|environment|connect|https?:|resolve|database|file/i;

/** Whether an unset or wrong variable, or the outside world, may have caused the error. */
function mayWantVariables(error: string, { plan }: Built, set: readonly string[]): boolean {
  const lacks = (plan.asked_variables ?? []).some(({ name, required }) => required && !set.includes(name));
  const name = error.split(/[:\s]/, 1)[0] ?? '';
  return lacks || outside.some((part) => name.includes(part)) || ofSettings.test(error);
}

const isRaisedInPackage = (tail: string[]) => lastFrame(tail)?.includes('/site-packages/') === true;

function isInstalled(module: string, artifact: Built): boolean {
  const packages = findSitePackages(artifact);
  return (
    packages !== undefined &&
    [module, `${module}.py`].some((path) => statBelow(packages.environment, `${packages.below}/${path}`) !== undefined)
  );
}

/** Packages that the start loads and that are not installed. */
export function absentPackages(artifact: Built): string[] {
  return artifact.plan.language === 'node' ? absentNodePackages(artifact) : absentPythonPackages(artifact);
}

function absentNodePackages({ mounts, plan }: Built): string[] {
  const { unlisted_modules: names = [], install } = plan;
  const folder = mounts.find(({ at }) => at === posix.join('/app', plan.root, 'node_modules'))?.from;
  // Without the folder nothing was installed, unless to a place that is not known here.
  if (folder === undefined) return install === null ? names : [];
  const present = new Map<string, Set<string>>();
  const entriesIn = (below: string) => {
    const known = present.get(below) ?? new Set(namesBelow(folder, below, maxEntries));
    present.set(below, known);
    return known;
  };
  if (entriesIn('').size === 0) return [];
  return names.filter((name) => {
    const [scope = '', below] = name.split('/');
    return below === undefined ? !entriesIn('').has(scope) : !entriesIn(scope).has(below);
  });
}

function absentPythonPackages(artifact: Built): string[] {
  const packages = findSitePackages(artifact);
  const { unlisted_modules: modules = [], install } = artifact.plan;
  // Without an environment nothing was installed, unless to a place that is not known here.
  if (modules.length === 0 || (packages === undefined && install !== null)) return [];
  const entries = packages === undefined ? [] : namesBelow(packages.environment, packages.below, maxEntries);
  if (packages !== undefined && entries.length === 0) return [];
  const present = new Set(entries.map((entry) => entry.split('.', 1)[0]));
  return modules.filter((module) => !present.has(module)).map((module) => packageOfModule(module) ?? module.replaceAll('_', '-'));
}
