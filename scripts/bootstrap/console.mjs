import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, matches, remember } from './fingerprint.mjs';
import { say } from './messages.mjs';
import { npm } from './npm.mjs';
import { ROOT, RUNTIME } from './root.mjs';

const STAMP = join(RUNTIME, 'console-stamp');
const SOURCES = ['apps/console', 'packages/client', 'packages/contract', 'package-lock.json'];

/** Builds the console's files, only when something that goes into them has changed. */
export function buildConsole(node) {
  const wanted = fingerprint(SOURCES);
  if (matches(STAMP, wanted) && existsSync(join(ROOT, 'apps/console/dist/index.html'))) return;
  say('Building the console ...');
  npm(node, ['run', 'build', '--silent', '--workspace', '@paddock/console', '--', '--logLevel', 'warn'], ROOT);
  remember(STAMP, wanted);
}
