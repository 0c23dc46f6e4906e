import { join } from 'node:path';
import { processDatabaseDriver } from '@paddock/database-driver';
import { standardOutput } from '@paddock/output';
import { type Probe, probe, processDriver, stepRunner } from '@paddock/runtime';
import { type AppParts, createApp } from './app.ts';
import type { Config } from './config/config.ts';
import { buildCore } from './core.ts';
import { listenForChanges } from './db/changes.ts';
import { connect } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import type { Reserve } from './disk/reserve.ts';
import { keyAddresses } from './features/accounts/addresses.ts';
import { cachedAvailability } from './features/databases/availability.ts';
import { makePartitions } from './features/logs/retention.ts';
import { blobsOf, buildFeatures } from './features.ts';
import { startGatewayProcess } from './gateway/start-gateway.ts';
import type { Log } from './log.ts';
import { refuseOtherArchives } from './nodes/register.ts';
import { nodeStore } from './nodes/store.ts';
import { ownServices } from './process/own-services.ts';
import { postgresExtensions } from './process/postgres-extensions.ts';
import { type RuntimeProbe, watchRuntime } from './process/runtime-probe.ts';
import { version } from './process/version.ts';
import { checkKey } from './secrets/key-check.ts';
import { loadSeal } from './secrets/seal.ts';
import { tokenKey } from './secrets/token-key.ts';
import { startWork } from './work.ts';

type Work = Awaited<ReturnType<typeof startWork>>;

type Closers = (() => Promise<unknown>)[];

interface Deps {
  config: Config;
  log: Log;
  /** This node. */
  name: string;
  reserve: Reserve;
  /** The database's address, as soon as it can be used. */
  databaseUrl: Promise<string>;
  /** Run at shutdown, in reverse order. */
  closers: Closers;
}

const root = join(import.meta.dirname, '../../..');
/** Networks kept ready for agents: enough for one agent that replaces another, and one more. */
const sparesKept = 2;

/**
 * Starts the components of the role. Components that wait for other programs, threads and processes start as early as possible, in parallel. Resolves
 * when the API, the agents' address and the background work are ready, and reports so to the operator.
 */
export async function startServer(given: Deps): Promise<void> {
  const { config, log, name, closers } = given;
  const { promise: isReady, resolve: tellOthers } = Promise.withResolvers<void>();
  const own = { dataDir: config.dataDir, installation: name, unsandboxed: config.unsandboxed, log: log.child({ part: 'runtime' }) };
  const runtime = { ...own, dataDir: join(config.dataDir, 'runtime'), platformPorts: [config.port, config.gatewayPort] };
  const probing = runtimeProbe(runtime, given);
  probing.catch(() => undefined); // reported below
  const databaseUrl = await given.databaseUrl;
  const { sql, seal, blobs, changes } = await openStores(databaseUrl, given);
  const doors = closedOnce(closers);
  const gateway = config.role === 'all' ? startGatewayProcess(config, { databaseUrl, auditTokenKey: tokenKey(seal) }, log) : undefined;
  if (gateway) doors.add(() => gateway.close());

  const probed = await probing;
  const databaseDriver = processDatabaseDriver({
    ...own,
    path: config.path,
    extensions: postgresExtensions(config.dataDir, own.log),
  });
  const available = cachedAvailability(databaseDriver.available);
  const services = ownServices(config, databaseUrl);
  const core = buildCore({ config, sql, databaseUrl, changes, seal, reserve: given.reserve, log, available, services });
  const steps = stepRunner(runtime);
  const features = buildFeatures(core, {
    blobs,
    describe: describeBy(probed, config),
    examplesDir: join(root, 'examples'),
    sandbox: config.role !== 'api' && probed().ok ? steps : undefined,
  });
  let starting: Promise<Work> | undefined;
  if (config.role !== 'api') {
    const ports = async () => (starting ? [(await starting).tracePort] : []);
    const spares = { count: sparesKept, egress: { allow: config.egressAllow }, after: isReady, ports };
    const driver = processDriver({ ...runtime, spares });
    // Needed for a refused start too: the driver creates networks ahead of need.
    closers.push(() => driver.close());
    const displaced = () => {
      log.fatal('another server has taken over this data directory; this one ends');
      process.exit(1);
    };
    starting = startWork({ core, features, config, databaseUrl, driver, databaseDriver, steps, probed, name, blobs, displaced });
    closers.push(createCloser(starting, (work) => work.close()));
  }
  // Threads and the gateway are loaded meanwhile.
  const listen = config.role === 'worker' ? undefined : await openApp({ core, features, blobs }, { config, databaseUrl, doors, closers });
  const work = await starting;
  // failpoint: boot-working
  await listen?.();
  await gateway?.takeOver();
  work?.takeDeployments();
  closers.push(doors.close, async () => tellLeft(work, config));
  tellReady(probed(), config);
  tellOthers();
}

/** Migrates the database and opens the connections, keys and stores of this installation. */
async function openStores(databaseUrl: string, { config, log, name, closers }: Deps) {
  const migrating = connect(databaseUrl, { max: 1, name: 'paddock-migrations', patient: true });
  for (const step of await migrate(migrating).finally(() => void migrating.end({ timeout: 5 }))) log.info({ step }, 'migrated');
  const sql = connect(databaseUrl, { max: 20, name: 'paddock-server' });
  closers.push(() => sql.end({ timeout: 5 }));
  await makePartitions(sql);
  await keyAddresses(sql);
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
  return { sql, seal, blobs, changes };
}

async function runtimeProbe(runtime: Parameters<typeof probe>[0], { log, closers }: Deps): Promise<RuntimeProbe> {
  const watching = watchRuntime(() => probe(runtime), { log });
  closers.push(createCloser(watching, (watch) => watch.close()));
  return (await watching).now;
}

/** A closer for a component that may still be starting. A failed start is reported to its own caller. */
function createCloser<T>(starting: Promise<T>, close: (started: T) => Promise<unknown>): () => Promise<unknown> {
  const ending = starting.then(
    (started) => () => close(started),
    () => async () => undefined,
  );
  return async () => (await ending)();
}

function describeBy(probed: RuntimeProbe, config: Config) {
  return () => {
    const last = probed();
    const isolated = last.ok ? last.isolated : !config.unsandboxed;
    const runtime_problem = last.ok ? null : { reason: last.reason, remedy: last.remedy };
    return { version, isolated, runtime_problem, agent_domain: config.agentDomain };
  };
}

/**
 * The components that accept requests. They are closed before everything else and in parallel, because each lets its requests finish, which may take
 * a while. If a start fails, the components that are open by then are closed.
 */
function closedOnce(closers: Closers) {
  const open: (() => Promise<unknown>)[] = [];
  let closing: Promise<unknown> | undefined;
  const close = () => (closing ??= Promise.all(open.map((shut) => shut())));
  closers.push(close);
  return { add: (shut: () => Promise<unknown>) => open.push(shut), close };
}

interface AppDeps {
  config: Config;
  databaseUrl: string;
  doors: ReturnType<typeof closedOnce>;
  closers: Closers;
}

/** Creates the API and the console. Returns the function that makes them listen. */
async function openApp(given: Pick<AppParts, 'core' | 'features' | 'blobs'>, { config, databaseUrl, doors, closers }: AppDeps) {
  const probeSql = connect(databaseUrl, { max: 1, name: 'paddock-health', statementMs: 5_000 });
  closers.push(() => probeSql.end({ timeout: 1 }));
  const app = await createApp({ ...given, probeSql, version, consoleDir: join(root, 'apps/console/dist') });
  return async () => {
    await app.listen({ port: config.port, host: config.host });
    // failpoint: boot-listening
    doors.add(() => app.close());
  };
}

async function tellLeft(work: Work | undefined, config: Config) {
  const left = work && config.agentsOnExit === 'keep' ? await work.running() : 0;
  if (!left) return;
  standardOutput().write(
    `${left} ${left === 1 ? 'agent goes' : 'agents go'} on running and will be adopted at the next start (PADDOCK_AGENTS_ON_EXIT=stop ends them with the server).\n`,
  );
}

function tellReady(probed: Probe, config: Config) {
  const problem = probed.ok ? '' : `  Agents cannot run yet: ${probed.reason}\n  To mend it: ${probed.remedy}\n`;
  standardOutput().write(
    `\n  Paddock ${version} is ready: ${config.publicUrl}\n  Agents answer at ${config.agentUrl('<project>')}\n${problem}\n`,
  );
}
