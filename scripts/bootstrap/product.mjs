import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint } from './fingerprint.mjs';
import { say, stop } from './messages.mjs';
import { ROOT, RUNTIME } from './root.mjs';
import { envOf } from './run.mjs';

const FOLDER = join(RUNTIME, 'product');
const SOURCES = [
  'apps/server',
  'apps/gateway',
  'packages',
  'scripts/build-product.ts',
  'faults/failpoints',
  'package-lock.json',
  'patches',
];
/** A server or gateway of an older state of the clone may still run, and begin threads. Tests build two folders of each state. */
const KEPT = 8;

/**
 * Builds the server and the gateway as few files where their source has changed, which takes seconds, and returns the folder. `forTests`: beside it,
 * in a folder whose name ends with `-failpoints`, the same with the failpoints of the source as code.
 */
export function buildProduct(node, { forTests = false } = {}) {
  const folder = join(FOLDER, fingerprint(SOURCES).slice(0, 16));
  const isBuilt = existsSync(folder) && (!forTests || existsSync(`${folder}-failpoints`));
  if (!isBuilt) say('Building the server ...');
  build(node, folder, []);
  if (forTests) build(node, `${folder}-failpoints`, ['--failpoints']);
  if (!isBuilt) removeOld();
  return folder;
}

function build(node, folder, options) {
  if (existsSync(folder)) return touch(folder);
  mkdirSync(FOLDER, { recursive: true });
  // Under another name until it is whole; whoever builds the same at the same time makes the same.
  const unfinished = `${folder}.${process.pid}`;
  const { status, error } = spawnSync(node, [join(ROOT, 'scripts/build-product.ts'), unfinished, ...options], {
    cwd: ROOT,
    env: envOf(node),
    stdio: 'inherit',
  });
  if (status !== 0) stop(`The server could not be built${error ? `: ${error.message}` : ', for the reason above'}.`);
  if (existsSync(folder)) rmSync(unfinished, { recursive: true, force: true });
  else renameSync(unfinished, folder);
}

function touch(folder) {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch (error) {
    if (!['EPERM', 'EACCES', 'EROFS'].includes(error.code)) throw error; // somebody else's, who looks after it
  }
}

/** The least recently started first. */
function removeOld() {
  const age = (name) => statSync(join(FOLDER, name)).mtimeMs;
  const newestFirst = readdirSync(FOLDER).sort((a, b) => age(b) - age(a));
  for (const name of newestFirst.slice(KEPT)) rmSync(join(FOLDER, name), { recursive: true, force: true });
}
