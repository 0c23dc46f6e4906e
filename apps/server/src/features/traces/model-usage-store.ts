import { ApiError, type Environment } from '@paddock/contract';
import { modelUsageLimits } from '@paddock/contract/limits';
import type { Sql } from '../../db/connect.ts';
import type { Usage } from './prices.ts';

export type ModelUsageStore = ReturnType<typeof modelUsageStore>;

/** First and last day (UTC). */
export interface ModelUsageQuery {
  from: string;
  to: string;
  project_id?: string | undefined;
  environment?: Environment | undefined;
}
export interface ModelUsageRow extends Usage {
  day: string;
  /** Null for pairs of a project and a model beyond those with the most tokens. */
  project_id: string | null;
  project_name: string | null;
  model: string;
  calls: number;
}

/** Pairs of a project and a model that a budget counts; those with the most tokens, should an agent make up more. */
const pairsOfMonth = 10_000;

/** The name of all models beyond those with the most tokens. The receiver counts an agent's many models under the same name. */
const otherModels = 'other models';

/** All SQL that reads the daily sums of model calls. A trigger on `spans` writes them. */
export const modelUsageStore = (sql: Sql) => ({
  /** Throws project_not_found for a project that the team never had; the sums of a deleted one stay. */
  async checkProject(team_id: string, project_id: string): Promise<void> {
    const [known] = await sql`
      select 1
      from projects
      where team_id = ${team_id}
        and id = ${project_id}
      union all
      select 1
      from model_usage_days
      where team_id = ${team_id}
        and project_id = ${project_id}
      limit 1`;
    if (!known) throw new ApiError('project_not_found');
  },

  /** By project and model, of the month of this first day. */
  month: (team_id: string, month: string) => sql<(Usage & { project_id: string; model: string })[]>`
    select
      project_id, model, sum(input_tokens)::bigint as input_tokens, sum(cached_tokens)::bigint as cached_tokens,
      sum(cache_write_tokens)::bigint as cache_write_tokens, sum(output_tokens)::bigint as output_tokens
    from model_usage_days
    where team_id = ${team_id}
      and day >= ${month}::date
      and day < ${month}::date + interval '1 month'
    group by project_id, model
    order by sum(input_tokens + output_tokens) desc
    limit ${pairsOfMonth}`,

  /** By day, project and model, the earliest first. Pairs and models beyond the limits are summed up, so that the rows are bounded. */
  days: (team_id: string, { from, to, project_id, environment }: ModelUsageQuery) => sql<ModelUsageRow[]>`
    with used as materialized (
      select
        day, project_id, model, sum(calls)::bigint as calls, sum(input_tokens)::bigint as input_tokens,
        sum(cached_tokens)::bigint as cached_tokens, sum(cache_write_tokens)::bigint as cache_write_tokens,
        sum(output_tokens)::bigint as output_tokens
      from model_usage_days
      where team_id = ${team_id}
        and day between ${from}::date and ${to}::date
        ${project_id === undefined ? sql`` : sql`and project_id = ${project_id}`}
        ${environment === undefined ? sql`` : sql`and environment = ${environment}`}
      group by day, project_id, model
    ),
    pairs as (
      select project_id, model
      from used
      group by project_id, model
      order by sum(input_tokens + output_tokens) desc, sum(calls) desc, project_id, model
      limit ${modelUsageLimits.pairs}
    ),
    models as (
      select model
      from used
      group by model
      order by sum(input_tokens + output_tokens) desc, sum(calls) desc, model
      limit ${modelUsageLimits.models}
    ),
    summed as (
      select
        u.day, s.project_id, coalesce(s.model, m.model, ${otherModels}) as model, sum(u.calls)::bigint as calls,
        sum(u.input_tokens)::bigint as input_tokens, sum(u.cached_tokens)::bigint as cached_tokens,
        sum(u.cache_write_tokens)::bigint as cache_write_tokens, sum(u.output_tokens)::bigint as output_tokens
      from used u
      left join pairs s using (project_id, model)
      left join models m on m.model = u.model
      group by 1, 2, 3
    )
    select
      s.day::text, s.project_id, p.name as project_name, s.model, s.calls, s.input_tokens, s.cached_tokens, s.cache_write_tokens, s.output_tokens
    from summed s
    left join projects p on p.team_id = ${team_id}
      and p.id = s.project_id
      and p.deleting_at is null
    order by s.day, s.project_id nulls last, s.model`,
});
