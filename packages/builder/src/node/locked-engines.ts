import semver from 'semver';
import type { SourceTree } from '../detect/source-tree.ts';

/** A package in a lock file, and the versions of Node that it supports. */
export interface LockedEngine {
  name: string;
  range: string;
  lock: string;
}

/** Bound of a package's range: semver itself bounds versions but not ranges. */
const maxRange = 256;

/**
 * The Node ranges of the direct dependencies, from the lock of npm or pnpm; other locks have no engines. Transitive dependencies are left
 * out: many of them run without the versions that they name.
 */
export function lockedEngines(tree: SourceTree, direct: Iterable<string>): LockedEngine[] {
  const names = new Set(direct);
  const lock = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml'].find((name) => tree.has(name));
  if (lock === undefined) return [];
  const lines = (tree.read(lock) ?? '').split('\n');
  const found = lock.endsWith('.yaml') ? ofPnpm(lines) : ofNpm(lines);
  return found
    .filter(({ name, range }) => names.has(name) && range.length <= maxRange && semver.validRange(range) !== null)
    .map((one) => ({ ...one, lock }));
}

type Found = Omit<LockedEngine, 'lock'>;

/** Read by lines, since a lock may be longer than the part that is read. */
function ofNpm(lines: string[]): Found[] {
  const found: Found[] = [];
  let name: string | undefined;
  let inEngines = false;
  for (const line of lines) {
    const entry = /^ {4}"node_modules\/((?:@[^/"]{1,100}\/)?[^/"]{1,200})": \{/.exec(line)?.[1];
    if (entry !== undefined || /^ {4}\S/.test(line)) name = entry;
    if (/^ {6}"/.test(line)) inEngines = line.startsWith('      "engines": {');
    const range = inEngines ? /^ {8}"node": "([^"]{1,256})"/.exec(line)?.[1] : undefined;
    if (name !== undefined && range !== undefined) found.push({ name, range });
  }
  return found;
}

/** `next@14.2.0:`, with quotes if it has a scope, and with a leading slash in older locks. */
function ofPnpm(lines: string[]): Found[] {
  const found: Found[] = [];
  let name: string | undefined;
  for (const line of lines) {
    const entry = /^ {2}'?\/?((?:@[^/'@]{1,100}\/)?[^/'@]{1,200})[@/]\d/.exec(line)?.[1];
    if (entry !== undefined || /^ {0,2}\S/.test(line)) name = entry;
    const range = /^ {4}engines: \{.{0,200}?\bnode: '?([^'},]{1,256})/.exec(line)?.[1];
    if (name !== undefined && range !== undefined) found.push({ name, range: range.trim() });
  }
  return found;
}
