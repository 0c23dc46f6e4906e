import type { Sql } from '../../../db/connect.ts';

const maxAlerts = 1_000;

export interface OpenAlert {
  id: string;
  title: string | null;
  message: string;
  project_name: string | null;
  created_at: string;
}

/** Open critical alerts, and whether the job that opens alerts runs. */
export const incidentsStore = (sql: Sql) => ({
  critical: (team_id: string) => sql<OpenAlert[]>`
    select a.id, a.title, a.message, p.name as project_name, a.created_at
    from alerts a
    left join projects p on p.id = a.project_id
    where a.team_id = ${team_id}
      and p.deleting_at is null
      and a.severity = 'critical'
      and a.resolved_at is null
    order by a.created_at, a.id
    limit ${maxAlerts}`,

  /** The last time that the job that opens alerts succeeded. */
  async evaluated(): Promise<string | undefined> {
    const [row] = await sql<{ last_run_at: string | null }[]>`
      select last_run_at
      from periodic_jobs
      where name = 'alert-rule.evaluate'
        and last_error is null`;
    return row?.last_run_at ?? undefined;
  },
});
