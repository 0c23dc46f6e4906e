import { ApiError } from '@paddock/contract';
import { usageLimits } from '@paddock/contract/limits';
import type { Sql } from '../../../db/connect.ts';
import { type Amount, computeUnitCents } from './pricing.ts';

export type UsageStore = ReturnType<typeof usageReadStore>;

/** First days of the first and last month, and a project; undefined: the whole team. */
export interface UsageQuery {
  from: string;
  to: string;
  project_id?: string | undefined;
}
export interface ProjectAmount extends Amount {
  project_id: string;
}

/** All SQL that reads the usage of a team. */
export const usageReadStore = (sql: Sql) => ({
  /** Throws project_not_found for a project that the team never had; the usage of a deleted one stays. */
  async checkProject(team_id: string, project_id: string): Promise<void> {
    const [known] = await sql`
      select 1
      from projects
      where team_id = ${team_id}
        and id = ${project_id}
      union all
      select 1
      from metered_projects
      where team_id = ${team_id}
        and project_id = ${project_id}
      limit 1`;
    if (!known) throw new ApiError('project_not_found');
  },

  byMonth: (team_id: string, asked: UsageQuery) => sql<(Amount & { month: string; of_month: string })[]>`
    select month::text, of_month::text, kind, sum(amount)::text as amount
    from ${used(sql, team_id, asked)}
    group by 1, 2, 3
    order by 1 desc`,

  byDay: (team_id: string, asked: UsageQuery) => sql<(Amount & { day: string })[]>`
    select day::text, kind, sum(amount)::text as amount
    from ${used(sql, team_id, asked)}
    where day is not null
    group by 1, 2`,

  byProject: (team_id: string, asked: UsageQuery) => byProject(sql, team_id, asked),

  /** When these months were closed, by their first days. */
  async closedAt(from: string): Promise<Map<string, string>> {
    const rows = await sql<{ month: string; closed_at: string }[]>`
      select month::text, closed_at
      from metered_months
      where month >= ${from}`;
    return new Map(rows.map(({ month, closed_at }) => [month, closed_at]));
  },

  async meteredAt(): Promise<string | null> {
    const [row] = await sql<{ metered_at: string | null }[]>`
      select date_trunc('milliseconds', metered_at) as metered_at
      from metering`;
    return row?.metered_at ?? null;
  },
});

/** month, of_month, project_id, day, kind and amount; a correction has no day. */
function used(sql: Sql, team_id: string, { from, to, project_id }: UsageQuery) {
  const ofProject = project_id === undefined ? sql`` : sql`and project_id = ${project_id}`;
  return sql`(
    select
      date_trunc('month', day)::date as month, date_trunc('month', day)::date as of_month, project_id, day, kind, amount
    from metered_days
    where team_id = ${team_id}
      and day >= ${from}::date
      and day < ${to}::date + interval '1 month'
      ${ofProject}
    union all
    select month, of_month, project_id, null, kind, amount
    from metered_corrections
    where team_id = ${team_id}
      and month between ${from} and ${to}
      ${ofProject}
  ) u`;
}

/** The projects with the highest cost in a month, the most expensive first. */
const byProject = (sql: Sql, team_id: string, asked: UsageQuery) => sql<(ProjectAmount & { project_name: string; is_deleted: boolean })[]>`
  with amounts as (
    select project_id, kind, sum(amount) as amount
    from ${used(sql, team_id, asked)}
    group by 1, 2
  ),
  ranked as (
    select project_id, sum(amount * case kind
      when 'compute_s' then ${computeUnitCents('compute', asked.from)}::float8
      when 'bandwidth_bytes' then ${computeUnitCents('bandwidth', asked.from)}::float8
      when 'storage_byte_hours' then ${computeUnitCents('storage', asked.from)}::float8
      else 0
    end) as cents
    from amounts
    group by 1
    order by cents desc, project_id
    limit ${usageLimits.projects}
  )
  select
    r.project_id, a.kind, a.amount::text, coalesce(p.name, n.name, r.project_id) as project_name,
    p.id is null or p.deleting_at is not null as is_deleted
  from ranked r
  join amounts a using (project_id)
  left join projects p on p.id = r.project_id
  left join metered_projects n on n.team_id = ${team_id}
    and n.project_id = r.project_id
  order by r.cents desc, r.project_id`;
