import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './root.mjs';

const SKIPPED = new Set(['node_modules', 'dist', 'test-results']);

/** A hash over the contents of files and folders of the clone; missing ones count as empty. */
export function fingerprint(paths, extra = '') {
  const hash = createHash('sha256').update(extra);
  for (const path of paths) addTo(hash, path);
  return hash.digest('hex');
}

function addTo(hash, path) {
  const full = join(ROOT, path);
  if (!existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort()) if (!SKIPPED.has(name)) addTo(hash, join(path, name));
  } else {
    hash.update(`\0${path}\0`).update(readFileSync(full));
  }
}

export function matches(stamp, value) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === value;
}

export function remember(stamp, value) {
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, value);
}
