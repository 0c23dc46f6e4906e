import './process/small-threads.ts';
import { portRefusedMessage, portTakenMessage } from '@paddock/network';
import { survivePrinting } from '@paddock/output';
import { prepareToEnd } from '@paddock/output/ending';
import { watchLoop } from '@paddock/runtime/watchdog';
import { type Config, readConfig } from './config/config.ts';
import { isConnectionError } from './db/connect.ts';
import { lockFolder } from './db/postgres/folder-lock.ts';
import { startPostgres } from './db/postgres/start-postgres.ts';
import { diskReserve, type Reserve } from './disk/reserve.ts';
import { createLog } from './log.ts';
import { nodeName } from './nodes/node-name.ts';
import { setCrashExitCode } from './process/report-crashes.ts';
import { StartRefused } from './process/start-refused.ts';

const closers: (() => Promise<unknown>)[] = [];
// A terminal and a supervisor may both deliver the same signal: only a later one requests an immediate exit.
const sameSignalMs = 500;
let leavingSince = 0;
survivePrinting();
let config: Config;
try {
  config = readConfig(process.env, process.argv);
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
const log = createLog(config.logLevel);
process.on('SIGINT', leave);
process.on('SIGTERM', leave);
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));

setCrashExitCode();

if (config.role === 'gateway') await import('../../gateway/src/main.ts');
else {
  watchLoop('server');
  await start().catch(async (error: unknown) => {
    const { code = '', port, path, message } = error as { code?: string; port?: number; path?: string; message: string };
    const isRefused = isConnectionError(error) || /^(ENOTFOUND|EAI_AGAIN|28...|3D...)$/.test(code);
    const place = { host: config.host, port: config.port, setting: 'PADDOCK_PORT' };
    const refused = portRefusedMessage(error, place);
    if (error instanceof StartRefused) console.error(`Paddock does not start. ${message}`);
    else if (path?.startsWith(config.dataDir)) console.error(`PADDOCK_DATA_DIR cannot be used: ${message}`);
    else if (config.databaseUrl && isRefused) console.error(`The database of PADDOCK_DATABASE_URL cannot be used: ${message || code}`);
    else if (refused !== undefined) console.error(`Paddock does not start. ${refused}`);
    else if (code === 'EADDRINUSE' && port === config.port) console.error(`Paddock does not start. ${portTakenMessage(place)}`);
    else log.fatal({ err: error }, 'Paddock could not start');
    await close();
    process.exit(1);
  });
}

/** Starts the server. The embedded database, if used, starts while the rest of the server is loaded. */
async function start() {
  const name = nodeName(config.dataDir);
  const reserve = diskReserve(config.dataDir, log);
  closers.push(() => reserve.close());
  if (config.role !== 'api') {
    const unlock = lockFolder(config.dataDir, 'worker.lock');
    closers.push(async () => unlock());
  }
  const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
  const databaseUrl = config.databaseUrl === undefined ? embedded(reserve, begins) : Promise.resolve(config.databaseUrl);
  databaseUrl.catch(() => undefined); // reported by the start
  // Loading the rest blocks the event loop, so the database's programs must have been started before.
  await Promise.race([begun, databaseUrl.catch(() => undefined)]);
  const { startServer } = await import('./start.ts');
  await startServer({ config, log, name, reserve, databaseUrl, closers });
}

async function embedded(reserve: Reserve, begun: () => void) {
  const starting = startPostgres({
    dataDir: config.dataDir,
    log,
    begun,
    signal: AbortSignal.timeout(120_000),
    makeRoom: () => reserve.makeRoom('removal'),
  });
  const ended = starting.then(
    (postgres) => postgres.stop,
    () => undefined, // reported by the start
  );
  closers.push(async () => (await ended)?.());
  return (await starting).url;
}

// In reverse order of the start: a component that closes still has its dependencies.
async function close() {
  for (const closer of closers.splice(0).reverse())
    await closer().catch((error: unknown) => log.error({ err: error }, 'closing a component failed'));
}

function leave() {
  if (config.role === 'gateway') return; // the gateway has its own handler
  if (leavingSince) {
    if (performance.now() - leavingSince > sameSignalMs) process.exit(1);
    return;
  }
  leavingSince = performance.now();
  prepareToEnd();
  log.info('shutting down; a second signal exits immediately');
  void close().then(() => process.exit(0));
}
