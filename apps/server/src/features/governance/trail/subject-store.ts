import type { SigningKey } from '@paddock/audit';
import type { Sql, Tx } from '../../../db/connect.ts';
import { withLongTimeout } from '../../../subjects/long-timeout.ts';
import type { Needles } from '../../../subjects/needles.ts';
import { listPartitions } from '../../../subjects/partitions-store.ts';
import { maxExamples, type SubjectPlace } from '../../../subjects/subject-store.ts';
import { holdsToken } from '../../../subjects/tokens-store.ts';
import { listRemoved } from './removals/removal-store.ts';

/** Payloads of the trail's records, which are removed completely: the facts and the place in the chain remain. */
export const auditPayloads = (sql: Sql, key: () => Promise<SigningKey>): SubjectPlace => ({
  place: 'records',
  async find(team_id, needles, signal) {
    let piiSummary = 0;
    let total = 0;
    const examples: { id: string; at: string }[] = [];
    for (const table of (await listPartitions(sql, 'audit_payloads')).reverse()) {
      signal.throwIfAborted();
      const rows = await withLongTimeout(sql, (tx) => matching(tx, table, { team_id, needles }));
      piiSummary += rows.length;
      total += await withLongTimeout(sql, (tx) => payloadsIn(tx, table, team_id));
      if (examples.length < maxExamples) examples.push(...(await named(sql, team_id, rows.slice(0, maxExamples - examples.length))));
    }
    return { found: piiSummary, total, examples };
  },
  async erase(team_id, needles, signal) {
    const signingKey = await key();
    const seqs: number[] = [];
    const tables: string[] = [];
    for (const table of await listPartitions(sql, 'audit_payloads')) {
      signal.throwIfAborted();
      const rows = await withLongTimeout(sql, async (tx) => {
        const removed = await removeMatching(tx, table, { team_id, needles });
        await listRemoved(tx, { team_id, reason: 'erasure', seqs: removed.map(({ seq }) => seq) }, signingKey);
        return removed;
      });
      if (rows.length > 0) tables.push(table);
      seqs.push(...rows.map(({ seq }) => seq));
    }
    return { erased: seqs.length, tables, seqs: seqs.sort((one, other) => one - other) };
  },
});

/**
 * Permanent fields of records: the action and the name of the agent, and the remainder of records of configuration and data access. Reported only.
 */
export const auditFacts = (sql: Sql): SubjectPlace => ({
  place: 'facts',
  async find(team_id, { inText, inJson, tokens }) {
    const rows = await withLongTimeout(
      sql,
      (tx) => tx<{ id: string; at: string; found: number }[]>`
        select r.id, r.timestamp as at, count(*) over () as found
        from audit_records r
        left join audit_remainders m on m.team_id = r.team_id and m.seq = r.seq
        where r.team_id = ${team_id}
          and (
            r.action ilike any(${inText})
            or r.agent_name ilike any(${inText})
            or m.body ilike any(${inJson})
            or ${holdsToken(tx, 'r.action', tokens)}
            or ${holdsToken(tx, 'm.body', tokens)}
          )
        order by r.seq desc
        limit ${maxExamples}`,
    );
    return { found: rows[0]?.found ?? 0, examples: rows.map(({ id, at }) => ({ id, at })) };
  },
});

interface SubjectQuery {
  team_id: string;
  needles: Needles;
}

const matching = (tx: Tx, table: string, { team_id, needles }: SubjectQuery) => tx<{ seq: number }[]>`
  select seq
  from ${tx(table)}
  where team_id = ${team_id}
    and (body ilike any(${needles.inJson}) or ${holdsToken(tx, 'body', needles.tokens)})
  order by seq desc`;

async function payloadsIn(tx: Tx, table: string, team_id: string): Promise<number> {
  const [row] = await tx<[{ payloads: number }]>`
    select count(*)::int as payloads
    from ${tx(table)}
    where team_id = ${team_id}`;
  return row.payloads;
}

/**
 * Records of configuration and data access keep who did what to which things; an erasure's record also keeps its input, which never names
 * identifiers.
 */
async function removeMatching(tx: Tx, table: string, { team_id, needles }: SubjectQuery) {
  await tx`select set_config('paddock.erasing', 'erasure', true)`;
  return await tx<{ seq: number }[]>`
    with gone as (
      delete from ${tx(table)}
      where team_id = ${team_id}
        and (body ilike any(${needles.inJson}) or ${holdsToken(tx, 'body', needles.tokens)})
      returning team_id, seq, recorded_at, body
    ), kept as (
      insert into audit_remainders (team_id, seq, recorded_at, body)
      select g.team_id, g.seq, g.recorded_at, json_build_object(
        'actor_name', g.body::json->'actor_name',
        'user_id', g.body::json->'user_id',
        'targets', g.body::json->'targets',
        'input_data', case when r.action like 'data-subject.%' then g.body::json->'input_data' end,
        'output_data', case when r.action like 'data-subject.%' then g.body::json->'output_data' end
      )::text
      from gone g
      join audit_records r on r.team_id = g.team_id and r.seq = g.seq and r.recorded_at = g.recorded_at
      where r.action_type in ('configuration', 'data_access')
    )
    select seq
    from gone`;
}

const named = (sql: Sql, team_id: string, rows: readonly { seq: number }[]) => sql<{ id: string; at: string }[]>`
  select id, timestamp as at
  from audit_records
  where team_id = ${team_id}
    and seq = any(${rows.map(({ seq }) => seq)})
  order by seq desc`;
