import type { Sql } from '@paddock/database';
import { machineIdentity } from '@paddock/network';
import { within } from '../database.ts';
import type { Route } from './route.ts';

const machine = machineIdentity();

/** A route as the database has it. */
export interface RouteRow {
  label: string;
  deployment_id: string | null;
  state: Exclude<Route['state'], 'elsewhere'>;
  target_host: string | null;
  target_port: number | null;
  target_machine: string | null;
  version: number;
}

/** Reads the table of routes; each read rejects after so many ms. */
export function routeRows(sql: Sql, maxMs: number) {
  return { all, labelled, fingerprint };

  function all(): Promise<RouteRow[]> {
    return within(
      maxMs,
      sql<RouteRow[]>`
        select label, deployment_id, state, target_host, target_port, target_machine, version
        from routes`,
    );
  }

  function labelled(labels: string[]): Promise<RouteRow[]> {
    return within(
      maxMs,
      sql<RouteRow[]>`
        select label, deployment_id, state, target_host, target_port, target_machine, version
        from routes
        where label in ${sql(labels)}`,
    );
  }

  /** Versions come from a sequence but commit in any order, so the greatest alone would miss a late one. */
  async function fingerprint(): Promise<{ count: number; sum: string }> {
    const [row] = await within(
      maxMs,
      sql<[{ count: number; sum: string }]>`
        select count(*)::int as count, coalesce(sum(version), 0)::text as sum
        from routes`,
    );
    return row;
  }
}

/** What the row means to this gateway. */
export function routeOf(row: RouteRow): Omit<Route, 'taps'> {
  const hasTarget = row.state === 'active' && row.target_host !== null && row.target_port !== null;
  // The same address may be somebody else's agent here.
  const isElsewhere = hasTarget && row.target_machine !== null && row.target_machine !== machine;
  const isReachable = hasTarget && !isElsewhere;
  let { state }: Pick<Route, 'state'> = row;
  if (isElsewhere) state = 'elsewhere';
  // An active route without a target: its instance is just being replaced.
  else if (state === 'active' && !isReachable) state = 'starting';
  return {
    label: row.label,
    deployment_id: row.deployment_id,
    state,
    target: isReachable ? { host: row.target_host!, port: row.target_port!, key: `${row.target_host!}:${row.target_port!}` } : undefined,
    version: row.version,
  };
}
