import type { Sql } from '../../../../db/connect.ts';

export interface AboutData {
  id: string;
  kind: 'find' | 'erase';
  status: 'queued' | 'running' | 'completed' | 'failed';
  created_at: string;
  finished_at: string | null;
  has_certificate: boolean;
  now: string;
}

/** Requests that matter now: unfinished ones, unless a later one for the same person finished, and those finished within a year. */
export const requestsStore = (sql: Sql) => ({
  recent: (team_id: string, limit: number) => sql<AboutData[]>`
    select r.id, r.kind, r.status, r.created_at, r.finished_at, r.certificate is not null as has_certificate, now() as now
    from data_subject_requests r
    where r.team_id = ${team_id}
      and (r.status <> 'completed' or r.finished_at > now() - interval '1 year')
      and not (
        r.status = 'failed'
        and exists (
          select 1
          from data_subject_requests later
          where later.team_id = r.team_id
            and later.fingerprint = r.fingerprint
            and later.kind = r.kind
            and later.status = 'completed'
            and later.created_at > r.created_at
        )
      )
    order by r.status = 'completed', r.created_at
    limit ${limit}`,
});
