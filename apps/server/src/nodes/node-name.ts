import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOnce } from '../secrets/write-once.ts';

/** The name of the node of a data directory, created at its first start. The runtime uses it to identify the node's processes and networks. */
export function nodeName(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'installation');
  if (!existsSync(file)) writeOnce(file, randomBytes(4).toString('hex'));
  return readFileSync(file, 'utf8').trim();
}
