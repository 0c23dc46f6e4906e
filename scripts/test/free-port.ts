import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFree } from '../../apps/server/src/process/free-port.ts';

/**
 * Below the ports that the system gives to outgoing connections: one of those could take a port between its choice and the start of the
 * program that it is for. Above 10080, which browsers refuse, and below the ports that the product chooses itself.
 */
const MIN_PORT = 11_000;
const MAX_PORT = 20_000;
const MAX_ATTEMPTS = 50;
/** A claim of a process that was killed counts no longer. */
const MAX_CLAIM_MS = 3_600_000;

const folder = join(tmpdir(), 'paddock-test-ports');
const claimed: string[] = [];
process.once('exit', () => claimed.forEach((path) => rmSync(path, { force: true })));

/** A port that nothing listens on and no other process of tests was given, for a program that is started next. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const port = randomInt(MIN_PORT, MAX_PORT);
    if (claim(port) && (await isFree(port, '0.0.0.0'))) return port;
  }
  throw new Error(`Found no free port between ${MIN_PORT} and ${MAX_PORT}.`);
}

/** Whether this process is the first to claim the port. The claim ends with the process. */
function claim(port: number): boolean {
  const path = join(folder, String(port));
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(path, '', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!isOld(path)) return false;
    rmSync(path, { force: true });
    return claim(port);
  }
  claimed.push(path);
  return true;
}

const isOld = (path: string) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > MAX_CLAIM_MS;
