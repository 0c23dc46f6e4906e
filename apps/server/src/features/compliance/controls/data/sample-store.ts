import { randomBytes } from 'node:crypto';
import type { Sql } from '../../../../db/connect.ts';

/** A stored text that came from strangers. */
export interface StoredText {
  source: 'audit' | 'log' | 'span';
  project_id: string | null;
  project_name: string | null;
  /** Where it is, for whoever looks: a number of the trail, a line, a trace. */
  place: string;
  deployment_id: string | null;
  text: string;
}

/** Longer texts are cut: what is beyond is not looked at. */
export const mostOfText = 32 * 1024;
const mostDeployments = 200;

/** Some texts of a team by chance, found by the keys of their rows so that large tables cost no more than small ones. It is read only. */
export const sampleStore = (sql: Sql) => {
  async function numbersBetween(first: number, last: number, most: number): Promise<number[]> {
    const rows = await sql<{ n: number }[]>`
      select distinct (${first} + floor(random() * (${last}::float8 - ${first}::float8 + 1)))::bigint as n
      from generate_series(1, ${Math.min(most, last - first + 1) * 2}::int)
      limit ${most}`;
    return rows.map(({ n }) => n);
  }

  return {
    async payloads(team_id: string, most: number): Promise<StoredText[]> {
      const [ends] = await sql<{ first: number | null; last: number | null }[]>`
        select min(seq)::float8 as first, max(seq)::float8 as last
        from audit_payloads
        where team_id = ${team_id}`;
      if (ends?.first === null || ends?.first === undefined || ends.last === null) return [];
      const numbers = await numbersBetween(ends.first, ends.last, most);
      return sql<StoredText[]>`
        select
          'audit' as source, r.agent_id as project_id, r.agent_name as project_name, p.seq::text as place, null as deployment_id,
          left(p.body, ${mostOfText}) as text
        from audit_payloads p
        join audit_records r on r.team_id = p.team_id and r.seq = p.seq and r.recorded_at = p.recorded_at
        where p.team_id = ${team_id}
          and p.seq = any(${numbers})
        limit ${most}`;
    },

    /** Deployments by chance, and of each lines by chance. */
    lines: (team_id: string, most: number) => sql<StoredText[]>`
      with heads as (
        select h.deployment_id, h.last_number
        from log_heads h
        where h.team_id = ${team_id}
          and h.last_number > 0
        order by random()
        limit ${mostDeployments}
      ),
      weighed as (
        select deployment_id, last_number, ceil(${most}::float8 / count(*) over ())::int as wanted
        from heads
      ),
      drawn as (
        select distinct w.deployment_id, greatest(1, ceil(random() * w.last_number))::bigint as number
        from weighed w
        cross join lateral generate_series(1, w.wanted * 2) as turn
      )
      select
        'log' as source, d.project_id, p.name as project_name, l.number::text as place, l.deployment_id, left(l.message, ${mostOfText}) as text
      from drawn w
      join log_lines l on l.deployment_id = w.deployment_id and l.number = w.number
      join deployments d on d.id = l.deployment_id
      join projects p on p.id = d.project_id
      where l.team_id = ${team_id}
      limit ${most}`,

    spans: (team_id: string, most: number) => spansByChance(sql, team_id, most),
  };
};

/** Deployments by chance, and of each the spans that follow a trace id by chance. */
function spansByChance(sql: Sql, team_id: string, most: number): Promise<StoredText[]> {
  const from = randomBytes(16).toString('hex');
  return sql<StoredText[]>`
    with chosen as (
      select d.id, d.project_id, ceil(${most}::float8 / count(*) over ())::int as wanted
      from deployments d
      where d.team_id = ${team_id}
        and exists (
          select 1
          from traces t
          where t.deployment_id = d.id
        )
      order by random()
      limit ${mostDeployments}
    )
    select
      'span' as source, s.project_id, p.name as project_name, f.trace_id || '/' || f.span_id as place, s.id as deployment_id,
      left(concat_ws(chr(10), f.name, f.status_message, f.attributes::text, f.events::text), ${mostOfText}) as text
    from chosen s
    join projects p on p.id = s.project_id
    cross join lateral (
      (
        select *
        from spans x
        where x.deployment_id = s.id
          and x.trace_id >= ${from}
        order by x.trace_id
        limit s.wanted
      )
      union all
      (
        select *
        from spans x
        where x.deployment_id = s.id
          and x.trace_id < ${from}
        order by x.trace_id desc
        limit s.wanted
      )
    ) f
    limit ${most}`;
}
