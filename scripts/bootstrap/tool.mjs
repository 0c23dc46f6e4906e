import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, matches, remember } from './fingerprint.mjs';
import { npm } from './npm.mjs';
import { ROOT, RUNTIME } from './root.mjs';

const STAMP = join(RUNTIME, 'tool-stamp');
const SOURCES = ['apps/cli', 'packages/client', 'packages/contract', 'package-lock.json'];

/** Bundles the command line, which a running Paddock offers for download, when something that goes into it has changed (a second). */
export function buildTool(node) {
  const wanted = fingerprint(SOURCES);
  if (matches(STAMP, wanted) && existsSync(join(ROOT, 'apps/cli/dist/paddock.mjs'))) return;
  npm(node, ['run', 'build', '--silent', '--workspace', '@paddock/cli'], ROOT);
  remember(STAMP, wanted);
}
