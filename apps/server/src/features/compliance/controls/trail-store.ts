import type { Sql } from '../../../db/connect.ts';

export type TrailStore = ReturnType<typeof trailStore>;

/** The compared time range. */
interface Stretch {
  from: string;
  to: string;
  /** Records may be this much before or after the counted range. */
  marginSeconds: number;
}
export interface Counted {
  project_id: string;
  name: string;
  counted: number;
  requests: number;
  answers: number;
}

/** Queries of the controls for the audit trail. */
export const trailStore = (sql: Sql) => ({
  /** Requests to each project's agents: the gateways' counts, and the records in the trail. */
  requests: (team_id: string, { from, to, marginSeconds }: Stretch) => sql<Counted[]>`
    with counted as (
      select d.project_id, sum(t.requests)::float8 as counted
      from deployments d
      join traffic_minutes t on t.deployment_id = d.id
      where d.team_id = ${team_id}
        and t.minute >= ${from}
        and t.minute < ${to}
      group by d.project_id
    ),
    recorded as (
      select agent_id, count(*) filter (where action_type = 'request')::float8 as requests,
        count(*) filter (where action_type = 'response')::float8 as answers
      from audit_records
      where team_id = ${team_id}
        and agent_id in (
          select project_id
          from counted
        )
        and action_type in ('request', 'response')
        and timestamp >= ${from}::timestamptz - make_interval(secs => ${marginSeconds})
        and timestamp < ${to}::timestamptz + make_interval(secs => ${marginSeconds})
      group by agent_id
    )
    select c.project_id, p.name, c.counted, coalesce(r.requests, 0) as requests, coalesce(r.answers, 0) as answers
    from counted c
    join projects p on p.id = c.project_id
    left join recorded r on r.agent_id = c.project_id
    order by p.name`,

  /** Records of the whole installation that have waited to be chained for longer than `seconds`, and unreadable ones. */
  async waiting(seconds: number): Promise<{ waiting: number; unreadable: number }> {
    const [row] = await sql<[{ waiting: number; unreadable: number }]>`
      select
        (
          select count(*)::int
          from audit_intake
          where created_at < now() - make_interval(secs => ${seconds})
        ) as waiting,
        (
          select count(*)::int
          from audit_unreadable
        ) as unreadable`;
    return row;
  },

  async lastVerification(team_id: string): Promise<{ valid: boolean; up_to_seq: number; verified_at: string } | undefined> {
    const [row] = await sql<{ valid: boolean; up_to_seq: number; verified_at: string }[]>`
      select valid, up_to_seq, verified_at
      from audit_verifications
      where team_id = ${team_id}`;
    return row;
  },

  /** The first stored record, the head, and the signed and delivered checkpoints. */
  async kept(team_id: string): Promise<{
    first_seq: number | null;
    head_seq: number;
    checkpoints: number;
    last_checkpoint_at: string | null;
    undelivered: number;
    oldest_undelivered_at: string | null;
  }> {
    const [row] = await sql<[Awaited<ReturnType<TrailStore['kept']>>]>`
      select
        (
          select min(seq)
          from audit_records
          where team_id = ${team_id}
        ) as first_seq,
        coalesce((
          select seq
          from audit_heads
          where team_id = ${team_id}
        ), 0) as head_seq,
        count(*)::int as checkpoints, max(created_at) as last_checkpoint_at,
        count(*) filter (where delivered_at is null)::int as undelivered,
        min(created_at) filter (where delivered_at is null) as oldest_undelivered_at
      from audit_checkpoints
      where team_id = ${team_id}`;
    return row;
  },
});
