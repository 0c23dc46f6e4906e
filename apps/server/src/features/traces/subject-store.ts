import type { Sql } from '../../db/connect.ts';
import type { Needles } from '../../subjects/needles.ts';
import { maxExamples, type SubjectErasure, type SubjectPlace } from '../../subjects/subject-store.ts';
import { holdsToken } from '../../subjects/tokens-store.ts';
import { withoutInJson } from '../../subjects/without-in-json.ts';

/** Spans that are rewritten per batch. */
const perBatch = 200;

interface SpanRow {
  trace_id: string;
  origin: string;
  span_id: string;
  name: string;
  status_message: string | null;
  attributes: string;
  events: string;
}

/** Spans and the names of traces: the values in them are replaced, the spans stay. Deployment by deployment, which is how they are indexed. */
export const spansOfSubject = (sql: Sql): SubjectPlace => ({
  place: 'traces',
  async find(team_id, needles, signal) {
    let found = 0;
    let total = 0;
    const examples: { id: string; at: string }[] = [];
    for (const deployment_id of await listDeploymentIds(sql, team_id)) {
      signal.throwIfAborted();
      const rows = await tracesWith(sql, deployment_id, needles);
      found += rows[0]?.found ?? 0;
      total += await countTraces(sql, deployment_id);
      examples.push(...rows.map(({ trace_id, at }) => ({ id: trace_id, at })));
    }
    return { found, total, examples: examples.slice(0, maxExamples) };
  },
  async erase(team_id, needles, signal) {
    let erased = 0;
    for (const deployment_id of await listDeploymentIds(sql, team_id)) erased += await eraseIn(sql, deployment_id, { needles, signal });
    return { erased, tables: erased > 0 ? ['spans', 'traces'] : [] } satisfies SubjectErasure;
  },
});

/** Returns the number of traces with replacements. */
async function eraseIn(sql: Sql, deployment_id: string, { needles, signal }: { needles: Needles; signal: AbortSignal }): Promise<number> {
  const traces = new Set<string>();
  let after = { trace_id: '', origin: '', span_id: '' };
  for (;;) {
    signal.throwIfAborted();
    const rows = await spansWith(sql, deployment_id, { needles, after });
    if (rows.length > 0) await rewrite(sql, deployment_id, { rows, needles });
    for (const { trace_id } of rows) traces.add(trace_id);
    const last = rows.at(-1);
    if (last === undefined || rows.length < perBatch) break;
    after = last;
  }
  for (const { trace_id } of await renameTraces(sql, deployment_id, needles)) traces.add(trace_id);
  return traces.size;
}

const listDeploymentIds = async (sql: Sql, team_id: string): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id
    from deployments
    where team_id = ${team_id}
    order by id`;
  return rows.map(({ id }) => id);
};

async function countTraces(sql: Sql, deployment_id: string): Promise<number> {
  const [row] = await sql<[{ traces: number }]>`
    select count(*)::int as traces
    from traces
    where deployment_id = ${deployment_id}`;
  return row.traces;
}

const isIn = (sql: Sql, { inText, inJson, tokens }: Needles) => sql`
  (
    name ilike any(${inText})
    or status_message ilike any(${inText})
    or attributes::text ilike any(${inJson})
    or events::text ilike any(${inJson})
    or ${holdsToken(sql, 'name', tokens)}
    or ${holdsToken(sql, 'status_message', tokens)}
    or ${holdsToken(sql, 'attributes::text', tokens)}
    or ${holdsToken(sql, 'events::text', tokens)}
  )`;

const tracesWith = (sql: Sql, deployment_id: string, needles: Needles) => sql<{ trace_id: string; at: string; found: number }[]>`
  select trace_id, min(started_at) as at, count(*) over () as found
  from (
    select trace_id, started_at
    from spans
    where deployment_id = ${deployment_id}
      and ${isIn(sql, needles)}
    union all
    select trace_id, started_at
    from traces
    where deployment_id = ${deployment_id}
      and (name ilike any(${needles.inText}) or ${holdsToken(sql, 'name', needles.tokens)})
  ) found
  group by trace_id
  order by 2 desc
  limit ${maxExamples}`;

const spansWith = (
  sql: Sql,
  deployment_id: string,
  { needles, after }: { needles: Needles; after: Pick<SpanRow, 'trace_id' | 'origin' | 'span_id'> },
) =>
  sql<SpanRow[]>`
    select trace_id, origin, span_id, name, status_message, attributes::text, events::text
    from spans
    where deployment_id = ${deployment_id}
      and (trace_id, origin, span_id) > (${after.trace_id}, ${after.origin}, ${after.span_id})
      and ${isIn(sql, needles)}
    order by trace_id, origin, span_id
    limit ${perBatch}`;

const rewrite = (sql: Sql, deployment_id: string, { rows, needles }: { rows: readonly SpanRow[]; needles: Needles }) => sql`
  update spans s
  set
    name = changed.name,
    status_message = changed.status_message,
    attributes = changed.attributes::jsonb,
    events = changed.events::jsonb
  from unnest(
    ${rows.map(({ trace_id }) => trace_id)}::text[],
    ${rows.map(({ origin }) => origin)}::text[],
    ${rows.map(({ span_id }) => span_id)}::text[],
    ${rows.map(({ name }) => needles.without(name))}::text[],
    ${rows.map(({ status_message }) => (status_message === null ? null : needles.without(status_message)))}::text[],
    ${rows.map(({ attributes }) => withoutInJson(attributes, needles))}::text[],
    ${rows.map(({ events }) => withoutInJson(events, needles))}::text[]
  ) as changed (trace_id, origin, span_id, name, status_message, attributes, events)
  where s.deployment_id = ${deployment_id}
    and s.trace_id = changed.trace_id
    and s.origin = changed.origin
    and s.span_id = changed.span_id`;

const renameTraces = (sql: Sql, deployment_id: string, { inText, tokens, pattern }: Needles) => sql<{ trace_id: string }[]>`
  update traces
  set name = without_tokens(regexp_replace(name, ${pattern}, '[ERASED]', 'gi'), ${tokens}, '[ERASED]')
  where deployment_id = ${deployment_id}
    and (name ilike any(${inText}) or ${holdsToken(sql, 'name', tokens)})
  returning trace_id`;
