import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import { startTime } from './process-identity.ts';

const main = join(import.meta.dirname, '../../gateway/src/main.ts');
const readyMs = 15_000;
/** A longer log is put aside at the next start; the one before it goes. */
const logBytesMost = 8 * 1024 * 1024;
/** One that answers nothing for half a minute hangs for good: the longest request occupies a connection, never the process. */
const lookMs = 5_000;
const silentMs = 10_000;
const silencesMost = 3;
const restartMs = [200, 500, 1000, 2000, 5000, 10_000];

interface Note {
  pid: number;
  /** Start time in clock ticks since boot: a pid alone may be another process by now. */
  started: string;
}
/** The youngest gateway, and older ones that may still run: they are ended once it answers. */
type Noted = Note & { before?: Note[] };

/**
 * Runs the gateway as a process of its own that outlives a kill of this one: visitors notice nothing. The next start brings up its own
 * gateway on the same port first, then lets the old one finish its requests and leave.
 */
export async function startGatewayProcess(config: Config, databaseUrl: string, log: Log) {
  const noteFile = join(config.data_dir, 'gateway.json');
  const logFile = join(config.data_dir, 'gateway.log');
  let current: ChildProcess | undefined;
  let closing = false;
  let failures = 0;
  let silences = 0;
  let looking = false;

  async function start() {
    const previous = livingGateways(noteFile);
    const child = spawnGateway(config, databaseUrl, logFile);
    // Noted before it answers: should this process die now, the next one knows of it.
    if (child.pid !== undefined) writeNote(noteFile, { pid: child.pid, started: startTime(child.pid) ?? '', before: previous });
    current = child;
    child.once('exit', (code, signal) => void gone(child, code, signal));
    await untilAnswers(config, child);
    // failpoint: gateway-answering
    failures = 0;
    for (const { pid } of previous) {
      log.info({ pid }, 'the gateway of the run before finishes its requests');
      process.kill(pid, 'SIGTERM');
    }
  }

  async function gone(child: ChildProcess, code: number | null, signal: string | null) {
    if (closing || child !== current) return;
    const wait = restartMs[Math.min(failures++, restartMs.length - 1)]!;
    log.error({ code, signal, wait_ms: wait }, 'the gateway ended; it is started again');
    await sleep(wait);
    if (!closing) await start().catch((error: unknown) => log.error({ err: error }, 'the gateway could not be started again'));
  }

  /** The end of a hung one is heard by `gone`, which starts another. */
  async function look() {
    const child = current;
    if (looking || closing || !child || child.exitCode !== null || child.signalCode) return;
    looking = true;
    silences = (await healthOf(config, silentMs)) === undefined ? silences + 1 : 0;
    looking = false;
    if (silences < silencesMost || child !== current || closing) return;
    silences = 0;
    log.error({ pid: child.pid }, 'the gateway answers nothing any more and is ended');
    child.kill('SIGKILL');
  }
  const watch = setInterval(() => void look(), lookMs).unref();

  await start().catch((error: unknown) => {
    closing = true;
    clearInterval(watch);
    current?.kill('SIGKILL');
    throw error;
  });
  return {
    /** Lets it finish its requests (30 s at most). */
    async close() {
      closing = true;
      clearInterval(watch);
      if (!current || current.exitCode !== null || current.signalCode) return;
      const ended = once(current, 'exit');
      current.kill('SIGTERM');
      const kill = setTimeout(() => current?.kill('SIGKILL'), 35_000);
      await ended;
      clearTimeout(kill);
      rmSync(noteFile, { force: true });
    },
  };
}

function spawnGateway(config: Config, databaseUrl: string, logFile: string) {
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > logBytesMost) renameSync(logFile, `${logFile}.1`);
  const out = openSync(logFile, 'a', 0o600);
  try {
    return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
      detached: true, // a Ctrl-C in the terminal reaches the server alone, which lets the gateway finish
      stdio: ['ignore', out, out],
      env: {
        PATH: config.path,
        ...(config.compile_cache ? { NODE_COMPILE_CACHE: config.compile_cache } : {}),
        ...(config.extra_certificates ? { NODE_EXTRA_CA_CERTS: config.extra_certificates } : {}),
        PADDOCK_DATABASE_URL: databaseUrl,
        PADDOCK_GATEWAY_PORT: String(config.gateway_port),
        PADDOCK_HOST: config.host,
        PADDOCK_AGENT_DOMAIN: config.agent_domain,
        PADDOCK_PUBLIC_URL: config.public_url,
        PADDOCK_TRUSTED_PROXIES: config.trusted_proxies.join(','),
        PADDOCK_LOG_LEVEL: config.log_level,
      },
    });
  } finally {
    closeSync(out);
  }
}

async function untilAnswers(config: Config, child: ChildProcess) {
  for (const until = performance.now() + readyMs; performance.now() < until; await sleep(50)) {
    if (child.exitCode !== null || child.signalCode)
      throw new Error(
        `The gateway could not be started (exit code ${child.exitCode}); see gateway.log in the data directory. Is port ${config.gateway_port} in use? PADDOCK_GATEWAY_PORT changes it.`,
      );
    if ((await healthOf(config, 1000)) === String(child.pid)) return;
  }
  child.kill('SIGKILL');
  throw new Error(`The gateway did not answer within ${readyMs / 1000} s; see gateway.log in the data directory.`);
}

// A new connection each time: a kept one would stay with whichever gateway of the two took it.
/** The process that answers at the gateway's port; undefined when none does. */
const healthOf = ({ host, gateway_port: port }: Config, timeout: number) =>
  new Promise<string | undefined>((resolve) => {
    const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    const call = get({ host: address, port, path: '/healthz', agent: false, timeout }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200 ? String(answer.headers['x-gateway-process']) : '');
    });
    call.on('timeout', () => call.destroy(new Error('no answer')));
    call.on('error', () => resolve(undefined)); // not there yet, or it hangs
  });

function livingGateways(noteFile: string): Note[] {
  try {
    const { before = [], ...last } = JSON.parse(readFileSync(noteFile, 'utf8')) as Noted;
    return [last, ...before].filter(({ pid, started }) => started !== '' && startTime(pid) === started);
  } catch {
    return []; // no note, or one cut short: nothing of ours to end
  }
}

function writeNote(file: string, note: Noted) {
  writeFileSync(`${file}.new`, JSON.stringify(note), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
