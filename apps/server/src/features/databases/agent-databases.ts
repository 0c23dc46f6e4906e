import { ApiError, type Database, type DatabaseType, databaseTypes, type Environment } from '@paddock/contract';
import { type Availability, connectionString } from '@paddock/database-driver';
import type { LoopbackService } from '@paddock/runtime';
import type { Changes } from '../../db/changes.ts';
import { databaseContext } from '../../secrets/contexts.ts';
import type { Seal } from '../../secrets/seal.ts';
import type { AgentDatabase, AgentDatabaseStore } from './agent-store.ts';
import type { CheckByo } from './byo/byo-check.ts';
import { typeLabel } from './type-labels.ts';

/** How long an agent's start waits for its databases. A new one takes seconds; recovery after a crash may take longer. */
const waitMs = 120_000;
const lookMs = 200;
/** Default ports, used by agents that know only the host of a database. */
const usualPorts: Record<DatabaseType, number> = { postgresql: 5432, redis: 6379 };

/** The databases for an agent's start, or why they are not available. */
export type AgentDatabases =
  | {
      kind: 'ready';
      urls: Partial<Record<DatabaseType, string>>;
      /** Services to provide at the instance's own loopback. */
      services: LoopbackService[];
      /** For the deployment's log. */
      warnings: string[];
      /**
       * Whether the addresses and passwords are still current. Checked once the agent serves: a password may have changed during its start.
       */
      isCurrent: () => Promise<boolean>;
    }
  /** Not available in time; `message` tells the user the cause and the next step. */
  | { kind: 'missing'; message: string }
  /** The databases are on another machine, so the agent has to run there. */
  | { kind: 'elsewhere' };

interface Deps {
  store: AgentDatabaseStore;
  seal: Seal;
  changes: Changes;
  available: (type: DatabaseType) => Promise<Availability>;
  /** Whether one of this node's databases is known to run. The status in its row may be from before a restart of the server. */
  isLive: (id: string) => boolean;
  checkByo: CheckByo;
  node: string;
  machine: string;
}
interface Wanted {
  project_id: string;
  environment: Environment;
  database_mode: Database['mode'] | 'none';
}

/** Resolves an agent's databases at its start: waits until managed ones are available, checks external ones. */
export const agentDatabases = ({ store, seal, changes, available, isLive, checkByo, node, machine }: Deps) => {
  const unsealUrl = (row: AgentDatabase) => {
    const secret = seal.open({ sealed: row.secret_sealed, key_id: row.secret_key_id }, databaseContext(row.id));
    return row.mode === 'byo' ? secret : connectionString(row.type, { host: row.host!, port: row.port! }, secret);
  };
  const isUp = (row: AgentDatabase) =>
    row.status === 'available' && row.port !== null && row.host !== null && (row.node !== node || isLive(row.id));

  async function managed(
    d: Wanted,
    budgetMs: number,
    signal: AbortSignal,
  ): Promise<AgentDatabase[] | Exclude<AgentDatabases, { kind: 'ready' }>> {
    await store.take(d);
    await store.wake(d);
    for (const end = performance.now() + budgetMs; ; ) {
      signal.throwIfAborted();
      const rows = await store.attached(d, 'managed');
      if (!rows.length) return { kind: 'missing', message: 'its databases were deleted. Redeploy to get new ones.' };
      if (rows.some((row) => row.node !== node && row.machine !== machine)) return { kind: 'elsewhere' };
      const late = rows.filter((row) => !isUp(row));
      if (!late.length) return rows;
      if (performance.now() > end) return { kind: 'missing', message: notReady(late, budgetMs) };
      await changes.wait('databases', { payload: '', maxMs: lookMs }, signal);
    }
  }

  return async (d: Wanted, signal: AbortSignal, budgetMs = waitMs): Promise<AgentDatabases> => {
    if (d.database_mode === 'none') return { kind: 'ready', urls: {}, services: [], warnings: [], isCurrent: async () => true };
    const mode = d.database_mode;
    const rows = mode === 'managed' ? await managed(d, budgetMs, signal) : await store.attached(d, 'byo');
    if (!Array.isArray(rows)) return rows;
    const warnings = mode === 'managed' ? await missing(rows) : await unreachable(rows, signal);
    return {
      kind: 'ready',
      urls: Object.fromEntries(rows.map((row) => [row.type, unsealUrl(row)])),
      services: mode === 'managed' ? rows.map(({ port, type }) => ({ port: port!, usual_port: usualPorts[type] })) : [],
      warnings,
      isCurrent: async () => same(rows, await store.attached(d, mode)),
    };
  };

  async function missing(rows: AgentDatabase[]): Promise<string[]> {
    const lines: string[] = [];
    for (const type of databaseTypes) {
      if (rows.some((row) => row.type === type)) continue;
      const state = await available(type);
      lines.push(
        state.ok
          ? `There is no managed ${typeLabel[type]} in this environment: redeploy to get one.`
          : `Managed ${typeLabel[type]} is not available here: ${state.reason} ${state.remedy}`,
      );
    }
    return lines;
  }

  async function unreachable(rows: AgentDatabase[], signal: AbortSignal): Promise<string[]> {
    const checks = rows.map(async (row) => {
      // The sandbox refuses the same addresses. A name may resolve to another address than before, so the agent's connections fail and this
      // warning tells its owner why.
      const { reachable, message } = await checkByo({ type: row.type, url: unsealUrl(row) }, signal).catch((error: unknown) => {
        if (error instanceof ApiError) return { reachable: false, message: error.message };
        throw error;
      });
      await store.checked(row.id, reachable, message);
      return reachable ? [] : [`The ${typeLabel[row.type]} database that was brought along does not answer: ${message}`];
    });
    return (await Promise.all(checks)).flat();
  }
};

const notReady = (late: AgentDatabase[], budgetMs: number) =>
  `${late.map((row) => `the ${typeLabel[row.type]} database is ${row.status}${row.status_message ? `: ${row.status_message.replace(/\.$/, '')}` : ''}`).join('; ')} (waited ${Math.round(budgetMs / 1000)} s). Look at them under Databases; a redeploy tries again.`;

const same = (before: AgentDatabase[], now: AgentDatabase[]) =>
  before.every((row) => {
    const other = now.find((one) => one.id === row.id);
    return other !== undefined && other.port === row.port && other.secret_sealed.equals(row.secret_sealed);
  });
