import { createHash } from 'node:crypto';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NetworkList, networkList, parseNetwork } from '@paddock/network';

export interface Config {
  databaseUrl: string;
  /** 0 lets the system choose; the `gateway ready` log line names the port. */
  port: number;
  host: string;
  agentDomain: string;
  /** The console's address, to which pages link. */
  consoleUrl: string | undefined;
  /** Peers whose X-Forwarded-* and X-Request-Id headers are trusted; undefined trusts nobody. */
  trustedProxies: NetworkList | undefined;
  logLevel: string;
  /** The gateway drains and exits when this process has exited. */
  parentPid: number | undefined;
  /** Pids of this installation's earlier gateways, which may listen on the port until this one is ready. */
  predecessors: number[];
  /** Number of processes that share the port. */
  processes: number;
  /** Folder in which audit records are spooled until the database has them. */
  auditSpoolDir: string;
  /** Maximum size of the spool, over all processes. */
  auditSpoolBytes: number;
  /** Key by which values are tokenised; when undefined they are masked. */
  auditTokenKey: Buffer | undefined;
}

/** Each process has up to three connections to PostgreSQL; the embedded one allows a hundred. */
const maxDefaultProcesses = 8;
const maxProcesses = 64;
/** Other systems do not spread connections over processes. */
const canShare = process.platform === 'linux';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** The only reader of the environment. Throws an Error that names the variable and its valid values. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const databaseUrl = env.PADDOCK_DATABASE_URL;
  if (!databaseUrl || !URL.canParse(databaseUrl)) throw new Error('PADDOCK_DATABASE_URL must be the address of a PostgreSQL database.');
  const consoleUrl = env.PADDOCK_PUBLIC_URL || undefined;
  if (consoleUrl && !/^https?:$/.test(URL.parse(consoleUrl)?.protocol ?? ''))
    throw new Error('PADDOCK_PUBLIC_URL must be an http or https address.');
  const agentDomain = (env.PADDOCK_AGENT_DOMAIN || 'localhost').toLowerCase();
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(agentDomain)) throw new Error('PADDOCK_AGENT_DOMAIN must be a host name without a port.');
  const logLevel = env.PADDOCK_LOG_LEVEL || 'info';
  if (!logLevels.includes(logLevel)) throw new Error(`PADDOCK_LOG_LEVEL must be one of ${logLevels.join(', ')}.`);
  return {
    databaseUrl,
    port: wholeNumber('PADDOCK_GATEWAY_PORT', env.PADDOCK_GATEWAY_PORT || '4001', { max: 65_535 }),
    host: env.PADDOCK_HOST || '127.0.0.1',
    agentDomain,
    consoleUrl,
    trustedProxies: trustedList('PADDOCK_TRUSTED_PROXIES', env.PADDOCK_TRUSTED_PROXIES ?? ''),
    logLevel,
    parentPid: env.PADDOCK_PARENT_PID ? wholeNumber('PADDOCK_PARENT_PID', env.PADDOCK_PARENT_PID, { max: 2 ** 31 - 1 }) : undefined,
    predecessors: (env.PADDOCK_GATEWAY_PREDECESSORS ?? '')
      .split(',')
      .filter(Boolean)
      .map((pid) => wholeNumber('PADDOCK_GATEWAY_PREDECESSORS', pid, { max: 2 ** 31 - 1 })),
    processes: env.PADDOCK_GATEWAY_PROCESSES
      ? wholeNumber('PADDOCK_GATEWAY_PROCESSES', env.PADDOCK_GATEWAY_PROCESSES, { min: 1, max: canShare ? maxProcesses : 1 })
      : defaultProcesses(availableParallelism()),
    auditSpoolDir: env.PADDOCK_AUDIT_SPOOL_DIR || ownTemporary(databaseUrl),
    auditSpoolBytes:
      1024 * 1024 * wholeNumber('PADDOCK_AUDIT_SPOOL_MB', env.PADDOCK_AUDIT_SPOOL_MB || '1024', { min: 1, max: 1024 * 1024 }),
    auditTokenKey: env.PADDOCK_AUDIT_TOKEN_KEY ? parseKey('PADDOCK_AUDIT_TOKEN_KEY', env.PADDOCK_AUDIT_TOKEN_KEY) : undefined,
  };
}

/** A process for every two cores: agents need the others. */
export const defaultProcesses = (cores: number) => (canShare ? Math.min(Math.max(1, Math.floor(cores / 2)), maxDefaultProcesses) : 1);

/** Records of one database must never reach another. */
const ownTemporary = (databaseUrl: string) =>
  join(tmpdir(), `paddock-audit-${createHash('sha256').update(databaseUrl).digest('hex').slice(0, 16)}`);

function parseKey(name: string, value: string): Buffer {
  if (!/^[0-9a-f]{64}$/.test(value)) throw new Error(`${name} must be 64 hexadecimal digits.`);
  return Buffer.from(value, 'hex');
}

function wholeNumber(name: string, value: string, { min = 0, max }: { min?: number; max: number }): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) throw new Error(`${name} must be a whole number from ${min} to ${max}.`);
  return number;
}

function trustedList(name: string, value: string): NetworkList | undefined {
  const entries = value.split(',').flatMap((entry) => entry.trim() || []);
  if (entries.length === 0) return undefined;
  for (const entry of entries)
    if (!parseNetwork(entry)) throw new Error(`${name} must be a comma-separated list of addresses or CIDR ranges; '${entry}' is neither.`);
  return networkList(entries);
}
