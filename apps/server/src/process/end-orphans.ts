// `npm start` runs this after a server that did not exit cleanly. It ends the server's gateway and embedded PostgreSQL, which both outlive a kill.
// Agents and their databases keep running and are adopted, as after every exit.
import { resolve } from 'node:path';
import { readConfig } from '../config/config.ts';
import { embeddedFolder } from '../db/postgres/cluster.ts';
import { lockFolder } from '../db/postgres/folder-lock.ts';
import { findPostmaster, stopPostmaster } from '../db/postgres/postmaster.ts';
import { ownGateways } from '../gateway/own-gateways.ts';

const maxFindMs = 10_000;

const config = readConfig(process.env, process.argv);
const dataDir = resolve(config.dataDir);
if (config.role === 'all') {
  const unlock = lockFolder(dataDir, 'worker.lock'); // throws if another server has taken over already
  // The gateway drains its requests for at most half a minute, then exits by itself.
  for (const { pid } of ownGateways(dataDir).living()) askToEnd(pid);
  unlock();
}
if (config.databaseUrl === undefined) {
  const unlock = lockFolder(dataDir);
  try {
    const found = await findPostmaster(embeddedFolder(dataDir), AbortSignal.timeout(maxFindMs));
    if (found) await stopPostmaster(found);
  } finally {
    unlock();
  }
}

function askToEnd(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // ESRCH: it has exited meanwhile
  }
}
