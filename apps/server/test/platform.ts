import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment } from '@paddock/contract';
import { freePort } from '../../../scripts/test/free-port.ts';
import { runMark } from '../../../scripts/test/leftovers.ts';
import { programOf } from '../../../scripts/test/product.ts';
import { linkRunTools } from '../../../scripts/test/run-tools.ts';
import small from '../process.json' with { type: 'json' };
import { zip } from './archives.ts';
import { atEnd, testDatabase } from './postgres.ts';
import { type Api, apiOf } from './server.ts';

/** Bounds of waits, not promises: a busy machine takes long. */
const MAX_BOOT_MS = 120_000;
const MAX_WAIT_S = 300;

/** A scope that runs clean-ups at its end: a test, or a fault outside of tests. Without one they run at the end of the file. */
export interface Scope {
  after(end: () => unknown): void;
}

export interface Surroundings {
  /** For Node. */
  execArgv?: string[];
  /** A database other than a new one; `embedded` is the product's own. The caller removes it. */
  databaseUrl?: string;
  /** An existing folder, which is not removed. */
  dataDir?: string;
  /** A file that the server writes to directly, as after `npm start > file`; else this process reads its output. */
  output_file?: string;
  /** Shell commands before the server is started, e.g. `ulimit -n 100`. */
  prepare?: string;
}

/** All of Paddock as processes, with its own database, data directory and free ports: what `npm start` runs. */
export async function startPlatform(t: Scope | undefined, settings: Record<string, string> = {}, around: Surroundings = {}) {
  const { execArgv = [], prepare, output_file } = around;
  const database = around.databaseUrl === undefined ? await testDatabase() : { url: around.databaseUrl, drop: async () => undefined };
  const dataDir = around.dataDir ?? (await mkdtemp(join(tmpdir(), 'paddock-platform-')));
  if (around.dataDir === undefined) linkRunTools(dataDir);
  const [port, gatewayPort] = [await freePort(), await freePort()];
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '/',
    ...registrySettings(),
    ...compileCache(),
    ...runMark(),
    ...small.env,
    PADDOCK_PORT: String(port),
    PADDOCK_GATEWAY_PORT: String(gatewayPort),
    PADDOCK_GATEWAY_PROCESSES: '1', // the same on every machine; fault tests count processes
    PADDOCK_DATA_DIR: dataDir,
    ...(database.url === 'embedded' ? {} : { PADDOCK_DATABASE_URL: database.url }),
    PADDOCK_AGENTS_ON_EXIT: 'stop',
    PADDOCK_LOG_LEVEL: 'warn',
    PADDOCK_TRIAL_S: '0', // tests crash agents right after their start, and expect a restart
    ...settings,
  };
  let server: ChildProcess;
  let output = '';
  const log_file = `${dataDir}.log`;
  const origin = `http://127.0.0.1:${port}`;

  async function boot(more: Record<string, string> = {}) {
    Object.assign(env, more);
    const command = [process.execPath, ...small.args, ...execArgv, programOf('server', execArgv)];
    const [program = '', ...args] = prepare ? ['sh', '-c', `${prepare} && exec "$@"`, 'sh', ...command] : command;
    const before = output_file === undefined ? 0 : (statSync(output_file, { throwIfNoEntry: false })?.size ?? 0);
    const own = output_file === undefined ? undefined : openSync(output_file, 'a', 0o600);
    server = spawn(program, args, { env, stdio: ['ignore', own ?? 'pipe', own ?? 'pipe'] });
    if (own !== undefined) closeSync(own);
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-20_000);
        appendFileSync(log_file, chunk);
      });
    for (const end = Date.now() + MAX_BOOT_MS; ; await sleep(50)) {
      if (output_file !== undefined) output = ownOutput(before);
      if (output.includes('is ready:') || (output_file !== undefined && (await isUp()))) break;
      if (hasEnded()) throw new Error(`the server ended with ${server.exitCode ?? server.signalCode}:\n${output}`);
      if (Date.now() > end) throw new Error(`the server is not ready after ${MAX_BOOT_MS / 1000} s:\n${output}`);
    }
    output = output.replace('is ready:', '');
  }
  const ownOutput = (from = 0) =>
    readFileSync(output_file ?? log_file)
      .subarray(from)
      .toString('utf8')
      .slice(-20_000);
  /** Does not rely on output, which is missing on a full disk. The gateway starts last. */
  async function isUp() {
    const api = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    const gateway = api?.ok ? await visit(gatewayPort, 'localhost', '/healthz', {}).catch(() => undefined) : undefined;
    return gateway?.status === 200;
  }
  async function terminate() {
    const ended = once(server, 'exit');
    server.kill('SIGCONT');
    server.kill('SIGTERM');
    await ended;
  }
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  async function end() {
    if (!hasEnded() && env.PADDOCK_AGENTS_ON_EXIT === 'keep') await terminate();
    // A killed server, and one that keeps its agents, leaves them and a gateway behind, which only a start adopts.
    if (hasEnded()) await boot({ PADDOCK_AGENTS_ON_EXIT: 'stop' });
    await terminate();
    await database.drop();
    for (const path of around.dataDir ? [log_file] : [dataDir, log_file]) await rm(path, { recursive: true, force: true });
  }
  if (t) t.after(end);
  else atEnd(end);
  await boot();

  const platform = {
    origin,
    gatewayPort,
    dataDir,
    databaseUrl: database.url,
    /** The server's last output; all of it is in `log_file`. */
    output: () => (output_file === undefined ? output : ownOutput()),
    log_file,
    pid: () => server.pid!,
    isRunning: () => !hasEnded(),
    env: () => ({ ...env }),
    signal: (name: NodeJS.Signals) => server.kill(name),
    /** Waits until the server has exited and returns how. */
    async gone(seconds = MAX_WAIT_S): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
      if (!hasEnded()) await once(server, 'exit', { signal: AbortSignal.timeout(seconds * 1000) });
      return { code: server.exitCode, signal: server.signalCode };
    },
    /** Kills the server and waits until it has exited. */
    async kill() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      return (await ended)[0] as number;
    },
    boot,
    serverPid: () => server.pid ?? 0,
    gatewayPid: async () => (JSON.parse(await readFile(join(dataDir, 'gateway.json'), 'utf8')) as { pid: number }).pid,
    /** A new person, signed in. */
    async person(email = `p${Math.random().toString(36).slice(2)}@example.com`): Promise<{ api: Api; token: string }> {
      await apiOf(origin).accounts.signup({ email, password: 'correct horse', name: 'Ada' });
      const { token } = await apiOf(origin).accounts.login({ email, password: 'correct horse' });
      return { api: apiOf(origin, token), token };
    },
    /** GET through the gateway. `silent_ms`: timeout of silence. */
    visit: (host: string, path = '/', headers: Record<string, string> = {}, silent_ms?: number) =>
      visit(gatewayPort, host, path, headers, silent_ms),
  };
  return platform;
}
export type Platform = Awaited<ReturnType<typeof startPlatform>>;

export const deploy = async (
  api: Api,
  project_id: string,
  files: Record<string, string>,
  more: { environment?: 'production' | 'preview' } = {},
) => api.deployments.create({ project_id, file: zip(files), file_name: 'agent.zip', ...more });

/** Polling costs the server work too: the interval grows after two seconds. */
const pollMs = (begun: number) => (Date.now() - begun < 2_000 ? 50 : 150);

/** Waits until the deployment has one of the states; fails with its error when it ends in another. */
export async function reaches(api: Api, id: string, wanted: Deployment['status'][], seconds = MAX_WAIT_S) {
  return awaited(`${id} is ${wanted.join(' or ')}`, async () => {
    let last: Deployment | undefined;
    const begun = Date.now();
    for (; Date.now() < begun + seconds * 1000; await sleep(pollMs(begun))) {
      last = await api.deployments.get({ id });
      if (wanted.includes(last.status)) return last;
      if (['failed', 'stopped', 'completed'].includes(last.status)) break;
    }
    throw new Error(`${id} is ${last?.status}, not ${wanted.join(' or ')}: ${last?.error_message}`);
  });
}

/** The waits of this process, so that a bound around several waits can name the one that it ended. */
export const currentWaits = new Set<string>();

async function awaited<T>(what: string, result: () => Promise<T>): Promise<T> {
  currentWaits.add(what);
  try {
    return await result();
  } finally {
    currentWaits.delete(what);
  }
}

/** Waits until a condition holds; `what` names it. */
export const until = (what: string, holds: () => Promise<boolean>, seconds = MAX_WAIT_S) =>
  awaited(what, async () => {
    const begun = Date.now();
    for (; Date.now() < begun + seconds * 1000; await sleep(pollMs(begun))) if (await holds()) return;
    throw new Error(`waited ${seconds} s in vain: ${what}`);
  });

export function visit(
  port: number,
  host: string,
  path: string,
  headers: Record<string, string>,
  silent_ms = 10_000,
): Promise<{ status: number; body: string; type: string }> {
  return new Promise((resolve, reject) => {
    const call = get({ host: '127.0.0.1', port, path, headers: { host, ...headers }, agent: false, timeout: silent_ms }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString(), type: answer.headers['content-type'] ?? '' }),
      );
      answer.on('error', reject);
    });
    call.on('timeout', () => call.destroy(new Error('time-out')));
    call.on('error', reject);
  });
}

/** Node's compile cache of our TypeScript, which `npm start` uses too; empty means none. */
export const compileCache = () => ({ NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' });

/** Settings for package clients on this machine (mirrors, proxies, certificates), and nothing else. */
const registrySettings = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(https?_proxy|no_proxy|npm_config_|pip_|uv_|ssl_cert|node_extra_ca|requests_ca|curl_ca)/i.test(name),
    ),
  ) as Record<string, string>;
