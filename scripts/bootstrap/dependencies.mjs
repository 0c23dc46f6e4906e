import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, matches, remember } from './fingerprint.mjs';
import { say } from './messages.mjs';
import { npm } from './npm.mjs';
import { ROOT } from './root.mjs';

// npm ci empties node_modules first, so that an interrupted one leaves no stamp behind.
const STAMP = join(ROOT, 'node_modules', '.paddock-stamp');

/** Installs exactly what the lock file says, only when that has changed: a second start needs no network. */
export function installDependencies(node) {
  const wanted = fingerprint(['package-lock.json', 'patches', ...manifests()], `${process.platform}-${process.arch}`);
  if (matches(STAMP, wanted)) return;
  say('Installing dependencies ...');
  npm(node, ['ci', '--ignore-scripts', '--prefer-offline'], ROOT);
  npm(node, ['exec', '--offline', '--', 'patch-package', '--error-on-fail'], ROOT);
  remember(STAMP, wanted);
}

function manifests() {
  const folders = ['apps', 'packages'].flatMap((parent) => {
    const full = join(ROOT, parent);
    return existsSync(full)
      ? readdirSync(full)
          .sort()
          .map((name) => join(parent, name))
      : [];
  });
  return ['.', ...folders, 'e2e'].map((folder) => join(folder, 'package.json'));
}
