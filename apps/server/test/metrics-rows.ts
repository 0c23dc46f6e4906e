import { newId } from '../src/ids.ts';
import type { databaseRows } from './database-rows.ts';

type Rows = Awaited<ReturnType<typeof databaseRows>>;
type Team = Awaited<ReturnType<Rows['team']>>;

/** Some buckets and their middles in microseconds. The gateway's own test checks the same values: both sides must agree. */
export const knownBuckets: readonly [bucket: number, us: number][] = [
  [0, 0],
  [63, 63],
  [64, 64],
  [127, 127],
  [128, 128.5],
  [191, 254.5],
  [192, 257.5],
  [193, 261.5],
  [500, 7455.5],
  [1000, 1712127.5],
  [1727, 4278190079.5],
];

/** The same computation as in the gateway's histogram.ts. */
export function bucketOf(us: number): number {
  const shift = Math.max(0, Math.floor(Math.log2(Math.max(1, us))) - 6);
  return shift * 64 + Math.floor(us / 2 ** shift);
}

/** A visit as the gateway counts it: its status and duration. */
export interface Visit {
  status: number;
  us: number;
  bytes_in?: number;
  bytes_out?: number;
}

/** Deployments and the gateways' counts of them, written directly into the tables. */
export const metricsRows = ({ sql }: Pick<Rows, 'sql'>) => ({
  /** An active deployment, or one that has ended, with its transitions. */
  async deployment(
    team: Team,
    { at, environment = 'production', ended }: { at: Date; environment?: string; ended?: Date },
  ): Promise<string> {
    const id = newId('dep');
    await sql`
      insert into deployments (
        id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by, created_at, deployed_at, is_current
      )
      values (
        ${id}, ${team.team_id}, ${team.project_id}, ${environment}, ${ended ? 'stopped' : 'active'}, 'b', 'n', 1, ${team.user_id}, ${at.toISOString()},
        ${at.toISOString()}, ${!ended}
      )`;
    await this.move(team, id, { at, environment, from: 'deploying', to: 'active', why: 'ready' });
    if (ended) await this.move(team, id, { at: ended, environment, from: 'active', to: 'stopped', why: 'replaced' });
    return id;
  },

  move: (
    { team_id, project_id }: Team,
    deployment_id: string,
    { at, environment = 'production', from, to, why }: { at: Date; environment?: string; from: string; to: string; why: string },
  ) => sql`
    insert into moves (team_id, project_id, environment, deployment_id, fence, from_status, to_status, at, why)
    values (
      ${team_id}, ${project_id}, ${environment}, ${deployment_id}, (select count(*) from moves where deployment_id = ${deployment_id}),
      ${from}, ${to}, ${at.toISOString()}, ${why}
    )`,

  /** The counts of one gateway in one minute. */
  async visits(
    deployment_id: string,
    { at, visits, gateway = 'gw-1' }: { at: Date; visits: readonly Visit[]; gateway?: string },
  ): Promise<void> {
    const latency: Record<number, number> = {};
    const statuses = [0, 0, 0, 0, 0];
    for (const { us, status } of visits) {
      latency[bucketOf(us)] = (latency[bucketOf(us)] ?? 0) + 1;
      statuses[Math.floor(status / 100) - 1]! += 1;
    }
    const sum = (of: (visit: Visit) => number) => visits.reduce((total, visit) => total + of(visit), 0);
    await sql`
      insert into traffic_minutes (
        deployment_id, minute, gateway_id, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency
      )
      values (
        ${deployment_id}, date_trunc('minute', ${at.toISOString()}::timestamptz), ${gateway}, ${visits.length}, ${statuses},
        ${sum(({ status }) => (status === 502 ? 1 : 0))}, ${sum(({ bytes_in }) => bytes_in ?? 0)}, ${sum(({ bytes_out }) => bytes_out ?? 0)},
        ${sum(({ us }) => us)}, ${sql.json(latency)}
      )`;
  },
});

/** Within 2 %, which the buckets guarantee; they are 1.6 % wide. */
export const isNear = (found: number | null | undefined, expected: number) =>
  found !== null && found !== undefined && Math.abs(found - expected) <= Math.max(expected * 0.02, 0.002);
