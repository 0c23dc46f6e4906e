import { ApiError, type ComplianceRun, type FrameworkId } from '@paddock/contract';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import { removeInBatches } from '../../../jobs/remove-in-batches.ts';

export type RunStore = ReturnType<typeof runStore>;

const keptDays = 90;

/** All SQL about requested checks. */
export const runStore = (sql: Sql) => ({
  /** Starts a check, or returns the one in progress. */
  begin: (team_id: string, { id, framework, controls_total }: { id: string; framework: FrameworkId; controls_total: number }) =>
    sql.begin(async (tx): Promise<ComplianceRun> => {
      const [made] = await tx<ComplianceRun[]>`
        insert into compliance_runs (id, team_id, framework, status, controls_total)
        values (${id}, ${team_id}, ${framework}, 'queued', ${controls_total})
        on conflict do nothing
        returning ${columns(tx)}`;
      if (made) await recordAction(tx, team_id);
      if (made) return made;
      const [other] = await tx<ComplianceRun[]>`
        select ${columns(tx)}
        from compliance_runs
        where team_id = ${team_id}
          and framework = ${framework}
        order by finished_at is null desc, started_at desc
        limit 1`;
      if (!other) throw new ApiError('compliance_run_not_found');
      return other;
    }),

  async get(team_id: string, id: string): Promise<ComplianceRun> {
    const [run] = await sql<ComplianceRun[]>`
      select ${columns(sql)}
      from compliance_runs
      where team_id = ${team_id}
        and id = ${id}`;
    if (!run) throw new ApiError('compliance_run_not_found');
    return run;
  },

  async underWay(team_id: string, framework: FrameworkId): Promise<ComplianceRun | null> {
    const [run] = await sql<ComplianceRun[]>`
      select ${columns(sql)}
      from compliance_runs
      where team_id = ${team_id}
        and framework = ${framework}
        and finished_at is null`;
    return run ?? null;
  },

  sweep: () =>
    removeInBatches(
      (rows) => sql`
        delete from compliance_runs
        where ctid = any(array(
          select ctid
          from compliance_runs
          where started_at < now() - ${`${keptDays} days`}::interval
          limit ${rows}
        ))`,
    ),
});

const columns = (sql: Tx) => sql`
  id, framework, status, controls_total, controls_done, started_at, finished_at`;
