import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PORT_REFUSED_CODE, PORT_TAKEN_CODE, portRefusedMessage, portTakenMessage } from '@paddock/network';
import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import { StartRefused } from '../process/start-refused.ts';

const main = fileURLToPath(new URL('../../../gateway/src/main.ts', import.meta.url));
const maxStartMs = 15_000;
/** A larger log is rotated at the next start; one old log is kept. */
const maxLogBytes = 8 * 1024 * 1024;

export interface GatewayProcess {
  pid: number | undefined;
  hasEnded: () => boolean;
  /** How the process ended, as fields of a log line. Never rejects. */
  ended: Promise<{ code: number | null; signal: string | null; error?: Error }>;
  kill: (signal: NodeJS.Signals) => void;
}

interface GatewayParts {
  config: Config;
  databaseUrl: string;
  /** Key by which values in audit records are tokenised. */
  auditTokenKey: Buffer;
  /** An argument that identifies the gateways of this data directory; a gateway with several processes passes it to each. */
  mark: string;
  /** Gateways of this data directory that exit once the new one answers. */
  predecessors: readonly number[];
  log: Log;
}

/** Starts a gateway that outlives this process. If this throws, no process was started. */
export function spawnGateway({ config, databaseUrl, auditTokenKey, mark, predecessors, log }: GatewayParts): GatewayProcess {
  const out = openLog(join(config.dataDir, 'gateway.log'), log);
  let child: ChildProcess;
  try {
    child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, mark], {
      detached: true, // Ctrl-C in the terminal reaches only the server, which lets the gateway drain
      stdio: ['ignore', out, out],
      env: {
        PATH: config.path,
        ...(config.compileCache ? { NODE_COMPILE_CACHE: config.compileCache } : {}),
        ...(config.extraCertificates ? { NODE_EXTRA_CA_CERTS: config.extraCertificates } : {}),
        PADDOCK_DATABASE_URL: databaseUrl,
        PADDOCK_GATEWAY_PORT: String(config.gatewayPort),
        PADDOCK_GATEWAY_PROCESSES: String(config.gatewayProcesses ?? ''),
        PADDOCK_GATEWAY_PREDECESSORS: predecessors.join(','),
        PADDOCK_HOST: config.host,
        PADDOCK_AGENT_DOMAIN: config.agentDomain,
        PADDOCK_PUBLIC_URL: config.publicUrl,
        PADDOCK_TRUSTED_PROXIES: config.trustedProxies.join(','),
        PADDOCK_LOG_LEVEL: config.logLevel,
        PADDOCK_AUDIT_SPOOL_DIR: join(config.dataDir, 'audit-spool'),
        PADDOCK_AUDIT_SPOOL_MB: String(config.auditSpoolMb),
        PADDOCK_AUDIT_TOKEN_KEY: auditTokenKey.toString('hex'),
      },
    });
  } finally {
    if (typeof out === 'number') closeSync(out);
  }
  const ended: GatewayProcess['ended'] = new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => child.pid === undefined && resolve({ code: null, signal: null, error }));
  });
  const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  return { pid: child.pid, hasEnded, ended, kill: (signal) => child.kill(signal) };
}

/** Opens the gateway's log; on failure the gateway runs without one. */
function openLog(file: string, log: Log): number | 'ignore' {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes) renameSync(file, `${file}.1`);
    return openSync(file, 'a', 0o600);
  } catch (error) {
    log.error({ err: error }, 'opening gateway.log failed; the gateway runs without a log');
    return 'ignore';
  }
}

/** Waits for the first response. Throws when the gateway exits or does not answer in time, and when the signal aborts. */
export async function untilAnswers(config: Config, gateway: GatewayProcess, signal: AbortSignal) {
  for (const until = performance.now() + maxStartMs; performance.now() < until; await sleep(50, undefined, { signal })) {
    if (gateway.hasEnded()) {
      const { code, signal: by, error } = await gateway.ended;
      const place = { host: config.host, port: config.gatewayPort, setting: 'PADDOCK_GATEWAY_PORT' };
      if (code === PORT_TAKEN_CODE) throw new StartRefused(portTakenMessage(place));
      // The server already listens on the same host, so the port is the cause.
      if (code === PORT_REFUSED_CODE) throw new StartRefused(portRefusedMessage({ code: 'EACCES', syscall: 'listen' }, place) ?? '');
      throw new Error(
        `The gateway could not be started (${error?.message ?? `exit code ${code ?? by}`}); see gateway.log in the data directory.`,
      );
    }
    if ((await checkHealth(config, 1000)) === String(gateway.pid)) return;
  }
  throw new Error(`The gateway did not answer within ${maxStartMs / 1000} s; see gateway.log in the data directory.`);
}

/**
 * The process that answers at the gateway's port; undefined when none does. Each call opens a new connection: a kept-alive one would stay with one
 * of two gateways.
 */
export const checkHealth = ({ host, gatewayPort: port }: Config, timeout: number) =>
  new Promise<string | undefined>((resolve) => {
    const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    const call = get({ host: address, port, path: '/healthz', agent: false, timeout }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200 ? String(answer.headers['x-gateway-process']) : '');
    });
    call.on('timeout', () => call.destroy(new Error('no answer')));
    call.on('error', () => resolve(undefined)); // the gateway does not listen yet, or it hangs
  });
