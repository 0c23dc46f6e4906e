import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOnce } from './secrets/write-once.ts';

/** A label made at the first start: by it the runtime tells this installation's processes and networks from all others. */
export function installationLabel(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'installation');
  if (!existsSync(file)) writeOnce(file, randomBytes(4).toString('hex'));
  return readFileSync(file, 'utf8').trim();
}
