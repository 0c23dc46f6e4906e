// Run by `npm start` after a server that did not end in good order: ends its gateway and the embedded PostgreSQL, which both outlive a kill. Agents
// and their databases go on and are adopted, as after every end.
import { resolve } from 'node:path';
import { readConfig } from './config.ts';
import { embeddedFolder } from './db/postgres/cluster.ts';
import { lockFolder } from './db/postgres/folder-lock.ts';
import { findPostmaster, stopPostmaster } from './db/postgres/postmaster.ts';
import { ownGateways } from './gateway/own-gateways.ts';

const maxFindMs = 10_000;

const config = readConfig(process.env, process.argv);
const dataDir = resolve(config.dataDir);
if (config.role === 'all') {
  const unlock = lockFolder(dataDir, 'worker.lock'); // refused where another server has taken over already
  // The gateway lets requests under way finish, for half a minute at most, and ends by itself.
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
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // else it has ended meanwhile
  }
}
