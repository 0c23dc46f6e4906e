import { randomBytes } from 'node:crypto';
import type { Sql } from '../../../../db/connect.ts';

/** A stored text of untrusted origin. */
export interface StoredText {
  source: 'audit' | 'log' | 'span';
  project_id: string | null;
  project_name: string | null;
  /** Its location: a number of the trail, a line, a trace. */
  place: string;
  deployment_id: string | null;
  text: string;
}

/** Longer texts are cut, and the rest is not scanned. */
export const maxTextLength = 32 * 1024;
const maxDeployments = 200;

/** Random texts of a team, found by row keys, so that large tables cost no more than small ones. Read only. */
export const sampleStore = (sql: Sql) => {
  return {
    async payloads(team_id: string, most: number): Promise<StoredText[]> {
      const [ends] = await sql<[{ first: number | null; last: number | null }]>`
        select
          (
            select p.seq
            from audit_payloads p
            where p.team_id = ${team_id}
            order by p.seq
            limit 1
          )::float8 as first,
          (
            select p.seq
            from audit_payloads p
            where p.team_id = ${team_id}
            order by p.seq desc
            limit 1
          )::float8 as last`;
      if (ends.first === null || ends.last === null) return [];
      const numbers = await numbersBetween(sql, { first: ends.first, last: ends.last }, most);
      // Row by row: a plan for all rows at once may read the whole table.
      return sql<StoredText[]>`
        select
          'audit' as source, r.agent_id as project_id, r.agent_name as project_name, p.seq::text as place, null as deployment_id, p.body as text
        from unnest(${numbers}::bigint[]) as drawn (seq)
        cross join lateral (
          select x.seq, left(x.body, ${maxTextLength}) as body
          from audit_payloads x
          where x.team_id = ${team_id}
            and x.seq = drawn.seq
          limit 1
        ) p
        cross join lateral (
          select y.agent_id, y.agent_name
          from audit_records y
          where y.team_id = ${team_id}
            and y.seq = drawn.seq
          limit 1
        ) r`;
    },

    /** Random lines of random deployments. */
    lines: (team_id: string, most: number) => sql<StoredText[]>`
      with heads as (
        select h.deployment_id, h.last_number
        from log_heads h
        where h.team_id = ${team_id}
          and h.last_number > 0
        order by random()
        limit ${maxDeployments}
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
        'log' as source, d.project_id, p.name as project_name, w.number::text as place, w.deployment_id, l.message as text
      from drawn w
      join deployments d on d.id = w.deployment_id
      join projects p on p.id = d.project_id
      cross join lateral (
        select left(x.message, ${maxTextLength}) as message
        from log_lines x
        where x.deployment_id = w.deployment_id
          and x.number = w.number
          and x.team_id = ${team_id}
        limit 1
      ) l
      limit ${most}`,

    spans: (team_id: string, most: number) => sampleSpans(sql, team_id, most),
  };
};

/** Random numbers without duplicates. */
async function numbersBetween(sql: Sql, { first, last }: { first: number; last: number }, most: number): Promise<number[]> {
  const rows = await sql<{ n: number }[]>`
    select distinct (${first} + floor(random() * (${last}::float8 - ${first}::float8 + 1)))::bigint as n
    from generate_series(1, ${Math.min(most, last - first + 1) * 2}::int)
    limit ${most}`;
  return rows.map(({ n }) => n);
}

/** The spans that follow a random trace id, of random deployments. */
function sampleSpans(sql: Sql, team_id: string, most: number): Promise<StoredText[]> {
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
      limit ${maxDeployments}
    )
    select
      'span' as source, s.project_id, p.name as project_name, f.trace_id || '/' || f.span_id as place, s.id as deployment_id,
      left(concat_ws(chr(10), f.name, f.status_message, f.attributes::text, f.events::text), ${maxTextLength}) as text
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
