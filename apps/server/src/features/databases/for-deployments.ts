import { ApiError, type DatabaseType, databaseTypes, type Environment } from '@paddock/contract';
import type { Availability } from '@paddock/database-driver';
import type { Tx } from '../../db/connect.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { newId } from '../../ids.ts';
import type { Seal } from '../../secrets/seal.ts';
import type { CheckByo, CheckedByo } from './byo/byo-check.ts';
import { takeCheck } from './byo/byo-routes.ts';
import type { ByoStore } from './byo/byo-store.ts';
import { checkedUrls, type DatabaseUrls } from './byo/byo-url.ts';
import { newPassword } from './passwords.ts';
import { reserve } from './store.ts';

type Of = { project_id: string; environment: Environment };
/** Runs in the transaction that creates a deployment: a deployment never exists without its databases. */
export type Attach = (tx: Tx, team_id: string, of: Of) => Promise<void>;

interface Deps {
  seal: Seal;
  available: (type: DatabaseType) => Promise<Availability>;
  check: CheckByo;
  limit: Pick<RateLimit, 'take'>;
  upsertByo: ByoStore['upsertByo'];
  /** Runs in the transaction that created a database with a storage limit: throws plan_limit_reached. */
  assertStorageLimit: (tx: Tx, team_id: string) => Promise<void>;
}
interface Asked {
  team_id: string;
  urls?: DatabaseUrls;
  signal: AbortSignal;
}

/**
 * Creates or attaches a deployment's databases in its transaction. Throws database_mode_unavailable when a managed one is not available (an
 * environment that already has its PostgreSQL continues without Redis), input_invalid for malformed addresses, database_address_refused for
 * addresses that agents may not reach, too_many_requests, and plan_limit_reached when one would be created. Existing databases are attached
 * without that last check.
 */
export const attachDatabases = ({ seal, available, check, limit, upsertByo, assertStorageLimit }: Deps) => {
  const tried = async ({ team_id, urls = {}, signal }: Asked): Promise<CheckedByo[]> => {
    const { postgres_url, redis_url } = checkedUrls(urls);
    const given: Parameters<CheckByo>[0][] = [];
    if (postgres_url) given.push({ type: 'postgresql', url: postgres_url, path: 'postgres_url' });
    if (redis_url) given.push({ type: 'redis', url: redis_url, path: 'redis_url' });
    for (const _ of given) await takeCheck(limit, team_id);
    return Promise.all(given.map((one) => check(one, signal)));
  };

  return async (mode: 'managed' | 'byo' | 'none', asked: Asked): Promise<Attach> => {
    if (mode === 'none') return async () => undefined;
    if (mode === 'byo') {
      const urls = await tried(asked);
      return (tx, team_id, of) => upsertByo(tx, team_id, { ...of, urls });
    }
    const states = await Promise.all(databaseTypes.map(async (type) => ({ type, state: await available(type) })));
    const [lacking] = states.flatMap(({ type, state }) => (state.ok ? [] : [{ type, state }]));
    if (lacking?.type === 'postgresql') throw unavailable(lacking);
    const types = states.filter(({ state }) => state.ok).map(({ type }) => type);
    return async (tx, team_id, of) => {
      const made = await reserve(
        tx,
        types.map((type) => {
          const id = newId('db');
          return { id, team_id, ...of, type, secret: newPassword(seal, id) };
        }),
      );
      if (!made.includes('postgresql')) return;
      if (lacking !== undefined) throw unavailable(lacking);
      await assertStorageLimit(tx, team_id);
    };
  };
};

const names: Record<DatabaseType, string> = { postgresql: 'PostgreSQL', redis: 'Redis' };

const unavailable = ({ type, state }: { type: DatabaseType; state: Extract<Availability, { ok: false }> }) =>
  new ApiError('database_mode_unavailable', {
    detail: `Managed ${names[type]} is not available on this installation: ${state.reason} ${state.remedy} Or choose "byo" and enter the URLs of your own databases, or choose "none".`,
  });
