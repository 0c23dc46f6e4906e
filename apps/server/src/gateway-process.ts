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
const restartMs = [200, 500, 1000, 2000, 5000, 10_000];

interface Note {
  pid: number;
  /** Start time in clock ticks since boot: a pid alone may be another process by now. */
  started: string;
}

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

  async function start() {
    const previous = livingGateway(noteFile);
    const child = spawnGateway(config, databaseUrl, logFile);
    current = child;
    child.once('exit', (code, signal) => void gone(child, code, signal));
    await untilAnswers(config, child);
    failures = 0;
    writeNote(noteFile, { pid: child.pid!, started: startTime(child.pid!) ?? '' });
    if (previous) {
      log.info({ pid: previous.pid }, 'the gateway of the run before finishes its requests');
      process.kill(previous.pid, 'SIGTERM');
    }
  }

  async function gone(child: ChildProcess, code: number | null, signal: string | null) {
    if (closing || child !== current) return;
    const wait = restartMs[Math.min(failures++, restartMs.length - 1)]!;
    log.error({ code, signal, wait_ms: wait }, 'the gateway ended; it is started again');
    await sleep(wait);
    if (!closing) await start().catch((error: unknown) => log.error({ err: error }, 'the gateway could not be started again'));
  }

  await start().catch((error: unknown) => {
    closing = true;
    current?.kill('SIGKILL');
    throw error;
  });
  return {
    /** Lets it finish its requests (30 s at most). */
    async close() {
      closing = true;
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
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  for (const until = Date.now() + readyMs; Date.now() < until; await sleep(50)) {
    if (child.exitCode !== null || child.signalCode)
      throw new Error(
        `The gateway could not be started (exit code ${child.exitCode}); see gateway.log in the data directory. Is port ${config.gateway_port} in use? PADDOCK_GATEWAY_PORT changes it.`,
      );
    if (await answers(host, config.gateway_port, child.pid!)) return;
  }
  child.kill('SIGKILL');
  throw new Error(`The gateway did not answer within ${readyMs / 1000} s; see gateway.log in the data directory.`);
}

// A new connection each time: a kept one would stay with whichever gateway of the two took it.
const answers = (host: string, port: number, pid: number) =>
  new Promise<boolean>((resolve) => {
    const call = get({ host, port, path: '/healthz', agent: false, timeout: 1000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200 && answer.headers['x-gateway-process'] === String(pid));
    });
    call.on('timeout', () => call.destroy(new Error('no answer')));
    call.on('error', () => resolve(false)); // not there yet
  });

function livingGateway(noteFile: string): Note | undefined {
  try {
    const note = JSON.parse(readFileSync(noteFile, 'utf8')) as Note;
    return startTime(note.pid) === note.started && note.started !== '' ? note : undefined;
  } catch {
    return undefined; // no note, or one cut short: nothing of ours to end
  }
}

function writeNote(file: string, note: Note) {
  writeFileSync(`${file}.new`, JSON.stringify(note), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
