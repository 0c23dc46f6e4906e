// For `npm start`, after a server that had to be ended hard when it was asked to end: ends the PostgreSQL that came along, which outlives
// a kill. The gateway sees by itself that its server is gone. Agents and their databases go on and are adopted, as after every end.
import { join, resolve } from 'node:path';
import { readConfig } from './config.ts';
import { lockFolder } from './db/postgres/folder-lock.ts';
import { findPostmaster, stopPostmaster } from './db/postgres/postmaster.ts';

const findMs = 10_000;

const config = readConfig(process.env, process.argv);
if (config.database_url === undefined) {
  const dataDir = resolve(config.data_dir);
  const unlock = lockFolder(dataDir); // refused where another server has taken over already
  try {
    const found = await findPostmaster(join(dataDir, 'postgres'), AbortSignal.timeout(findMs));
    if (found) await stopPostmaster(found);
  } finally {
    unlock();
  }
}
