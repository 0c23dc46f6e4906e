import type { ControlId, ControlStatus, FrameworkId } from '@paddock/contract';
import type { Sql } from '../../../db/connect.ts';
import { removeInBatches } from '../../../jobs/remove-in-batches.ts';
import type { ControlFinding } from './control.ts';

export type ResultStore = ReturnType<typeof resultStore>;

/** The result of one run of a control. */
export interface Result {
  control: ControlId;
  status: ControlStatus;
  looked_at: string;
  /** Failed ones first; truncated if there are very many. */
  resources: ControlFinding[];
  resources_total: number;
  failed_total: number;
  /** How many resources break a clause of each framework; empty for runs from before these counts existed. */
  failed_by: Partial<Record<FrameworkId, number>>;
  unverified_total: number;
  checked_at: string;
  duration_ms: number;
  version: string;
}
interface LastOf {
  team: ControlId[];
  installation: ControlId[];
  withEvidence: boolean;
}
export type PastRun = Pick<Result, 'checked_at' | 'status' | 'failed_total' | 'duration_ms'>;

const kept = { runs: 50, days: 90 };

/** All SQL about results of controls. Team null is the installation, whose results all teams see. */
export const resultStore = (sql: Sql) => ({
  keep: (team_id: string | null, result: Result) => sql`
    insert into compliance_results (team_id, control, status, looked_at, resources, resources_total, failed_total, failed_by,
      unverified_total, checked_at, duration_ms, version)
    values (${team_id}, ${result.control}, ${result.status}, ${result.looked_at}, ${sql.json(result.resources)}, ${result.resources_total},
      ${result.failed_total}, ${sql.json(result.failed_by)}, ${result.unverified_total}, ${result.checked_at}, ${result.duration_ms}, ${result.version})`,

  /**
   * The last run of each of these controls, of the team and of the installation. Without evidence, only resources that did not pass are
   * returned, with only the fields that waivers are matched by.
   */
  async last(team_id: string, controls: LastOf): Promise<Map<ControlId, Result>> {
    const wanted = controls.withEvidence ? columns(sql) : briefColumns(sql);
    const rows = await sql<Result[]>`
      select r.*
      from unnest(${controls.team}::text[]) as asked (control)
      cross join lateral (
        select ${wanted}
        from compliance_results
        where team_id = ${team_id}
          and control = asked.control
        order by id desc
        limit 1
      ) r
      union all
      select r.*
      from unnest(${controls.installation}::text[]) as asked (control)
      cross join lateral (
        select ${wanted}
        from compliance_results
        where team_id is null
          and control = asked.control
        order by id desc
        limit 1
      ) r`;
    return new Map(rows.map((row) => [row.control, row]));
  },

  /** Whether the last run of a control began after that time. */
  async isCheckedSince(team_id: string | null, control: ControlId, since: string): Promise<boolean> {
    const [row] = await sql`
      select 1
      from compliance_results
      where ${team_id === null ? sql`team_id is null` : sql`team_id = ${team_id}`}
        and control = ${control}
        and checked_at >= ${since}
      limit 1`;
    return row !== undefined;
  },

  /** Earlier runs, newest first. */
  history: (team_id: string | null, control: ControlId) => sql<PastRun[]>`
    select checked_at, status, failed_total, duration_ms
    from compliance_results
    where ${team_id === null ? sql`team_id is null` : sql`team_id = ${team_id}`}
      and control = ${control}
    order by id desc
    limit ${kept.runs}`,

  /** Limits each control's history by number of runs and by days. The last run is kept. */
  sweep: () =>
    removeInBatches(
      (rows) => sql`
        delete from compliance_results
        where id in (
          select id
          from (
            select id, checked_at, row_number() over (partition by team_id, control order by id desc) as nth
            from compliance_results
          ) numbered
          where nth > ${kept.runs}
            or (nth > 1 and checked_at < now() - ${`${kept.days} days`}::interval)
          limit ${rows}
        )`,
    ),
});

const columns = (sql: Sql) => sql`
  control, status, looked_at, resources, resources_total, failed_total, failed_by, unverified_total, checked_at, duration_ms, version`;

const briefColumns = (sql: Sql) => sql`
  control, status, looked_at,
  (
    select
      coalesce(
        jsonb_agg(
          jsonb_build_object('type', r->'type', 'id', r->'id', 'name', null, 'status', r->'status', 'finding', '', 'evidence', null, 'fix', null,
            'problems', r->'problems')
        ),
        '[]'
      )
    from jsonb_array_elements(resources) r
    where r->>'status' <> 'passed'
  ) as resources,
  resources_total, failed_total, failed_by, unverified_total, checked_at, duration_ms, version`;
