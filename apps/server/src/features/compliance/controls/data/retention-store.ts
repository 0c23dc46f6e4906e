import type { Sql } from '../../../../db/connect.ts';

export interface JobRun {
  name: string;
  last_run_at: string | null;
  last_error: string | null;
}

/** How long each kind may be kept, in days, including the allowed delay of a sweep. */
export interface Limits {
  audit: number;
  logs: number;
  traces: number;
  visits: number;
}

/** The oldest overdue item of a kind. */
export interface Overdue {
  kind: 'audit' | 'logs' | 'traces' | 'visits' | 'backups';
  /** Its owner: a project, a database. */
  subject_id: string | null;
  subject_name: string | null;
  at: string;
}

/** Data left over by retention. Read only; each query stops at the first row. */
export const retentionStore = (sql: Sql) => ({
  async jobs(names: readonly string[]): Promise<{ jobs: JobRun[]; now: string }> {
    const jobs = await sql<JobRun[]>`
      select name, last_run_at, last_error
      from periodic_jobs
      where split_part(name, '@', 1) = any(${names as string[]})
      order by name`;
    const [{ now }] = await sql<[{ now: string }]>`select now() as now`;
    return { jobs, now };
  },

  /** Nodes that have managed databases of a team; each one removes its own expired backups. */
  async backupNodes(team_id: string): Promise<string[]> {
    const rows = await sql<{ node: string }[]>`
      select distinct node
      from databases
      where team_id = ${team_id}
        and mode = 'managed'
        and node is not null`;
    return rows.map(({ node }) => node);
  },

  async overdue(team_id: string, days: Limits): Promise<Overdue[]> {
    const before = (kind: keyof Limits) => sql`now() - ${`${days[kind]} days`}::interval`;
    const audit = sql<Overdue[]>`
      select 'audit' as kind, null as subject_id, null as subject_name, recorded_at as at
      from audit_payloads
      where team_id = ${team_id}
        and recorded_at < ${before('audit')}
      limit 1`;
    const logs = sql<Overdue[]>`
      select 'logs' as kind, d.project_id as subject_id, p.name as subject_name, l.created_at as at
      from log_lines l
      left join deployments d on d.id = l.deployment_id
      left join projects p on p.id = d.project_id
      where l.team_id = ${team_id}
        and l.created_at < ${before('logs')}
      limit 1`;
    const traces = sql<Overdue[]>`
      select 'traces' as kind, d.project_id as subject_id, p.name as subject_name, t.started_at as at
      from traces t
      join deployments d on d.id = t.deployment_id
      join projects p on p.id = d.project_id
      where d.team_id = ${team_id}
        and t.started_at < ${before('traces')}
      order by t.started_at
      limit 1`;
    const visits = sql<Overdue[]>`
      select 'visits' as kind, d.project_id as subject_id, p.name as subject_name, v.minute as at
      from traffic_minutes v
      join deployments d on d.id = v.deployment_id
      join projects p on p.id = d.project_id
      where d.team_id = ${team_id}
        and v.minute < ${before('visits')}
      order by v.minute
      limit 1`;
    // The newest backup is kept, because it is the last one to restore from.
    const backups = sql<Overdue[]>`
      select 'backups' as kind, b.id as subject_id, p.name || ', ' || b.environment || ', ' || b.type as subject_name, k.expires_at as at
      from database_backups k
      join databases b on b.id = k.database_id
      join projects p on p.id = b.project_id
      where k.team_id = ${team_id}
        and k.expires_at < now() - interval '2 hours'
        and k.id is distinct from (
          select n.id
          from database_backups n
          where n.database_id = k.database_id
            and n.status = 'available'
          order by n.created_at desc, n.id desc
          limit 1
        )
      order by k.expires_at
      limit 1`;
    return (await Promise.all([audit, logs, traces, visits, backups])).flat();
  },
});
