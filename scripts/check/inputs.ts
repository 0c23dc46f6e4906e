import { createHash } from 'node:crypto';
import { type Dirent, existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Files that no check reads: tools (their versions count), a running Paddock's data, and leftovers of test runs. */
const NOT_READ = new Set(['.git', 'node_modules', '.runtime', '.paddock', '.test', 'test-results', 'playwright-report']);
const RESULTS = /^(?:e2e\/results|bench\/results\.json|.*\.log)$/;
/** npm's list of the installed packages, with versions and hashes. */
const INSTALLED = 'node_modules/.package-lock.json';

/** A hash of everything that a check can depend on: each file of the clone, the installed packages, and the Node that runs them. */
export function inputsOf(root: string): string {
  const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}\0`);
  const installed = join(root, INSTALLED);
  hash.update(existsSync(installed) ? readFileSync(installed) : '').update('\0');
  for (const { path, entry } of entriesBelow(root, '')) {
    const full = join(root, path);
    const content = entry.isSymbolicLink() ? `link to ${readlinkSync(full)}` : readFileSync(full);
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Files and links, in the same order each time. */
function entriesBelow(root: string, folder: string): { path: string; entry: Dirent }[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (NOT_READ.has(entry.name) || RESULTS.test(path)) return [];
    if (entry.isDirectory()) return entriesBelow(root, path);
    return entry.isFile() || entry.isSymbolicLink() ? [{ path, entry }] : [];
  });
}
