import { withRedacted } from '@paddock/contract/data-protection';
import type { Sql } from '@paddock/database';
import { machineIdentity } from '@paddock/network';
import { within } from '../database.ts';
import { parseProtection } from './parse-protection.ts';
import type { Route } from './route.ts';

const machine = machineIdentity();

/** A route as stored in the database. */
export interface RouteRow {
  label: string;
  deployment_id: string | null;
  state: Exclude<Route['state'], 'elsewhere'>;
  target_host: string | null;
  target_port: number | null;
  target_machine: string | null;
  host_header: string | null;
  version: number;
  team_id: string;
  project_id: string;
  project_name: string;
  /** The stored settings, not validated; null without any. */
  protection: unknown;
  /** Kinds of data that policies of the team redact whatever the settings say. */
  redacted: string[];
}

/** Reads the table of routes; each read rejects after `maxMs`. */
export function routeRows(sql: Sql, maxMs: number) {
  return { all, labelled, fingerprint };

  function all(): Promise<RouteRow[]> {
    return within(
      maxMs,
      sql<RouteRow[]>`
        select
          label, deployment_id, state, target_host, target_port, target_machine, host_header, version,
          routes.team_id, routes.project_id, projects.name as project_name, data_protection.settings as protection,
          redacted_types(routes.team_id) as redacted
        from routes
        join projects on projects.id = routes.project_id
        left join data_protection on data_protection.project_id = routes.project_id`,
    );
  }

  function labelled(labels: string[]): Promise<RouteRow[]> {
    return within(
      maxMs,
      sql<RouteRow[]>`
        select
          label, deployment_id, state, target_host, target_port, target_machine, host_header, version,
          routes.team_id, routes.project_id, projects.name as project_name, data_protection.settings as protection,
          redacted_types(routes.team_id) as redacted
        from routes
        join projects on projects.id = routes.project_id
        left join data_protection on data_protection.project_id = routes.project_id
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

/** The row as a route of this gateway. */
export function toRoute(row: RouteRow): Omit<Route, 'taps'> {
  const hasTarget = row.state === 'active' && row.target_host !== null && row.target_port !== null;
  // On this machine the same address may belong to somebody else's agent.
  const isElsewhere = hasTarget && row.target_machine !== null && row.target_machine !== machine;
  const isReachable = hasTarget && !isElsewhere;
  let { state }: Pick<Route, 'state'> = row;
  if (isElsewhere) state = 'elsewhere';
  // An active route without a target: its instance is being replaced.
  else if (state === 'active' && !isReachable) state = 'starting';
  return {
    label: row.label,
    deployment_id: row.deployment_id,
    state,
    target: isReachable ? { host: row.target_host!, port: row.target_port!, key: `${row.target_host!}:${row.target_port!}` } : undefined,
    host_header: row.host_header,
    version: row.version,
    team_id: row.team_id,
    project_id: row.project_id,
    project_name: row.project_name,
    protection: withRedacted(parseProtection(row.protection), row.redacted),
  };
}
