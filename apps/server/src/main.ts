import './small-threads.ts';
import { join } from 'node:path';
import { processDatabaseDriver } from '@paddock/database-driver';
import { portRefusedMessage, portTakenMessage } from '@paddock/network';
import { standardOutput, survivePrinting } from '@paddock/output';
import { prepareToEnd } from '@paddock/output/ending';
import { type Probe, probe, processDriver, stepRunner } from '@paddock/runtime';
import { watchLoop } from '@paddock/runtime/watchdog';
import { type AppParts, createApp } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { listenForChanges } from './db/changes.ts';
import { connect, isConnectionError, type Sql } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { lockFolder } from './db/postgres/folder-lock.ts';
import { startPostgres } from './db/postgres/start-postgres.ts';
import { diskReserve, type Reserve } from './disk/reserve.ts';
import { keyAddresses } from './features/accounts/addresses.ts';
import { rememberedAvailability } from './features/databases/availability.ts';
import { makePartitions } from './features/logs/retention.ts';
import { blobsOf, buildFeatures } from './features.ts';
import { startGatewayProcess } from './gateway/start-gateway.ts';
import { createLog, type Log } from './log.ts';
import { nodeName } from './nodes/node-name.ts';
import { refuseOtherArchives } from './nodes/register.ts';
import { nodeStore } from './nodes/store.ts';
import { ownServices } from './own-services.ts';
import { buildParts } from './parts.ts';
import { type RuntimeProbe, watchRuntime } from './runtime-probe.ts';
import { checkKey } from './secrets/key-check.ts';
import { loadSeal } from './secrets/seal.ts';
import { tokenKey } from './secrets/token-key.ts';
import { StartRefused } from './start-refused.ts';
import { tellCrashes } from './tell-crashes.ts';
import { version } from './version.ts';
import { startWork } from './work.ts';

type Work = Awaited<ReturnType<typeof startWork>>;

const root = join(import.meta.dirname, '../../..');
const closers: (() => Promise<unknown>)[] = [];
// A terminal and a supervisor may both pass one signal on: only a later one means 'at once'.
const sameSignalMs = 500;
/** Networks kept ready for agents: enough for one agent that replaces another, and one more. */
const sparesKept = 2;
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
process.on('unhandledRejection', (error) => log.error({ err: error }, 'a promise was rejected and nobody looked'));

tellCrashes();

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

async function start() {
  const name = nodeName(config.dataDir);
  const reserve = diskReserve(config.dataDir, log);
  closers.push(() => reserve.close());
  if (config.role !== 'api') {
    const unlock = lockFolder(config.dataDir, 'worker.lock');
    closers.push(async () => unlock());
  }
  const databaseUrl = config.databaseUrl ?? (await embedded(reserve));
  const sql = await openDatabase(databaseUrl);
  const seal = loadSeal(config.dataDir, config.secretKey);
  await checkKey(sql, seal);
  const blobs = blobsOf(config);
  await refuseOtherArchives(nodeStore(sql, config.role === 'api' ? '' : name), {
    blobStore: await blobs.storeId(),
    blobDir: config.blobDir,
    timeoutSeconds: config.nodeTimeoutSeconds,
  });
  const changes = await listenForChanges(sql);
  closers.push(() => changes.close());

  const runtime = {
    dataDir: join(config.dataDir, 'runtime'),
    installation: name,
    unsandboxed: config.unsandboxed,
    platformPorts: [config.port, config.gatewayPort],
    log: childLog(log),
  };
  const probed = await runtimeProbe(runtime);
  const databaseDriver = processDatabaseDriver({
    dataDir: config.dataDir,
    installation: name,
    unsandboxed: config.unsandboxed,
    log: childLog(log),
    path: config.path,
  });
  const available = rememberedAvailability(databaseDriver.available);
  const parts = buildParts({
    config,
    sql,
    databaseUrl,
    changes,
    seal,
    reserve,
    log,
    available,
    services: ownServices(config, databaseUrl),
  });
  const steps = stepRunner(runtime);
  const features = buildFeatures(parts, {
    blobs,
    describe: describeBy(probed),
    examplesDir: join(root, 'examples'),
    sandbox: config.role !== 'api' && probed().ok ? steps : undefined,
  });
  let work: Work | undefined;
  if (config.role !== 'api') {
    const driver = processDriver({ ...runtime, spares: { count: sparesKept, egress: { allow: config.egressAllow } } });
    // Also of a start that is refused: it makes networks ahead of need.
    closers.push(() => driver.close());
    const started = await startWork({
      parts,
      features,
      config,
      databaseUrl,
      driver,
      databaseDriver,
      steps,
      probed,
      name,
      blobs,
      displaced,
    });
    // failpoint: boot-working
    closers.push(() => started.close());
    work = started;
  }
  await openDoors({ parts, features, blobs }, databaseUrl);
  work?.takeDeployments();
  closers.push(async () => tellLeft(work));
  tellReady(probed());
}

/** A connection to the database, brought to this release. */
async function openDatabase(databaseUrl: string): Promise<Sql> {
  const migrating = connect(databaseUrl, { max: 1, name: 'paddock-migrations', patient: true });
  for (const step of await migrate(migrating).finally(() => void migrating.end({ timeout: 5 }))) log.info({ step }, 'migrated');
  const sql = connect(databaseUrl, { max: 20, name: 'paddock-server' });
  closers.push(() => sql.end({ timeout: 5 }));
  await makePartitions(sql);
  await keyAddresses(sql);
  return sql;
}

async function runtimeProbe(runtime: Parameters<typeof probe>[0]): Promise<RuntimeProbe> {
  const watch = await watchRuntime(() => probe(runtime), { log });
  closers.push(() => watch.close());
  return watch.now;
}

function describeBy(probed: RuntimeProbe) {
  return () => {
    const last = probed();
    const isolated = last.ok ? last.isolated : !config.unsandboxed;
    const runtime_problem = last.ok ? null : { reason: last.reason, remedy: last.remedy };
    return { version, isolated, runtime_problem, agent_domain: config.agentDomain };
  };
}

/** Listens for the API and the console, and starts the gateway, as this server's role says. */
async function openDoors(given: Pick<AppParts, 'parts' | 'features' | 'blobs'>, databaseUrl: string) {
  // Both let requests finish, which may take a while: at the same time, so that the end of the server does not take both times.
  const doors: (() => Promise<unknown>)[] = [];
  closers.push(() => Promise.all(doors.map((shut) => shut())));
  if (config.role !== 'worker') {
    const probeSql = connect(databaseUrl, { max: 1, name: 'paddock-health', statementMs: 5_000 });
    closers.push(() => probeSql.end({ timeout: 1 }));
    const app = await createApp({ ...given, probeSql, version, consoleDir: join(root, 'apps/console/dist') });
    await app.listen({ port: config.port, host: config.host });
    // failpoint: boot-listening
    doors.push(() => app.close());
  }
  if (config.role === 'all') {
    const gateway = await startGatewayProcess(config, { databaseUrl, auditTokenKey: tokenKey(given.parts.seal) }, log);
    doors.push(() => gateway.close());
  }
}

function displaced() {
  log.fatal('another server has taken over this data directory; this one ends');
  process.exit(1);
}

async function tellLeft(work: Work | undefined) {
  const left = work && config.agentsOnExit === 'keep' ? await work.running() : 0;
  if (!left) return;
  standardOutput().write(
    `${left} ${left === 1 ? 'agent goes' : 'agents go'} on running and will be adopted at the next start (PADDOCK_AGENTS_ON_EXIT=stop ends them with the server).\n`,
  );
}

function tellReady(probed: Probe) {
  const problem = probed.ok ? '' : `  Agents cannot run yet: ${probed.reason}\n  To mend it: ${probed.remedy}\n`;
  standardOutput().write(
    `\n  Paddock ${version} is ready: ${config.publicUrl}\n  Agents answer at ${config.agentUrl('<project>')}\n${problem}\n`,
  );
}

async function embedded(reserve: Reserve) {
  const postgres = await startPostgres({
    dataDir: config.dataDir,
    log,
    signal: AbortSignal.timeout(120_000),
    makeRoom: () => reserve.makeRoom('removal'),
  });
  closers.push(() => postgres.stop());
  return postgres.url;
}

// In reverse order of the start: a part that closes still has the parts it needs.
async function close() {
  for (const closer of closers.splice(0).reverse())
    await closer().catch((error: unknown) => log.error({ err: error }, 'a part could not be closed cleanly'));
}

function leave() {
  if (config.role === 'gateway') return; // it has a handler of its own
  if (leavingSince) {
    if (performance.now() - leavingSince > sameSignalMs) process.exit(1);
    return;
  }
  leavingSince = performance.now();
  prepareToEnd();
  log.info('stopping; once more stops at once');
  void close().then(() => process.exit(0));
}

function childLog(parent: Log) {
  return parent.child({ part: 'runtime' });
}
