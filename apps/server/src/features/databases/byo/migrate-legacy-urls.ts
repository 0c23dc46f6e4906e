import { ApiError, type DatabaseType, type Environment } from '@paddock/contract';
import type { Sql, Tx } from '../../../db/connect.ts';
import type { Log } from '../../../log.ts';
import type { CheckByo } from './byo-check.ts';
import type { ByoStore, KeptByo } from './byo-store.ts';

/** An environment whose addresses are stored in a deployment of an older release. */
interface Older {
  id: string;
  team_id: string;
  project_id: string;
  environment: Environment;
}

/** Access to those deployments, offered by the feature that owns them. */
interface OlderAddresses<T extends Older> {
  page(after: T | undefined): Promise<T[]>;
  open(older: T): { postgres_url?: string | undefined; redis_url?: string | undefined };
  carried(tx: Tx, older: T): Promise<unknown>;
}

interface Deps<T extends Older> {
  sql: Sql;
  older: OlderAddresses<T>;
  keepOlder: ByoStore['keepOlder'];
  check: CheckByo;
  log: Log;
}

const checkMs = 15_000;
/** Time limit of a run, because other jobs wait for it. The next run continues where this one ended. */
const runMs = 30_000;

/**
 * Converts addresses stored in deployments of an older release to databases. Each one is checked first, so that its card shows the truth.
 * Addresses stored by users meanwhile are not replaced. Later runs convert what is left: a server of the older release may still run beside
 * this one.
 */
export const migrateLegacyUrls =
  <T extends Older>({ sql, older, keepOlder, check, log }: Deps<T>) =>
  async (signal: AbortSignal): Promise<void> => {
    const end = performance.now() + runMs;
    for (let page = await older.page(undefined); page.length > 0 && performance.now() < end; page = await older.page(page.at(-1))) {
      await Promise.all(page.map(carry));
    }

    /** A failure, such as a missing key, does not block the others. */
    async function carry(one: T) {
      if (signal.aborted) return;
      try {
        await carryOne(one);
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error, deployment: one.id }, 'migration of legacy database addresses failed; retrying');
      }
    }

    async function carryOne(one: T) {
      const { postgres_url, redis_url } = older.open(one);
      const kept: KeptByo[] = [];
      if (postgres_url) kept.push(await tried('postgresql', postgres_url));
      if (redis_url) kept.push(await tried('redis', redis_url));
      const place = { project_id: one.project_id, environment: one.environment };
      await sql.begin(async (tx) => {
        await keepOlder(tx, one.team_id, { ...place, kept });
        await older.carried(tx, one);
      });
    }

    /** The older release accepted addresses that this one refuses. Their agents get them as before, and users see what is wrong. */
    function tried(type: DatabaseType, url: string): Promise<KeptByo> {
      return check({ type, url }, AbortSignal.any([signal, AbortSignal.timeout(checkMs)])).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        return { type, url, host: null, port: null, reachable: false, message: error.message };
      });
    }
  };
