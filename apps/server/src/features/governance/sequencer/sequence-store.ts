import type { Sql, Tx } from '../../../db/connect.ts';
import { countPii } from '../../../protection/pii-hours-store.ts';
import type { IntakeRow } from './intake.ts';

export type SequenceStore = ReturnType<typeof sequenceStore>;

export interface Head {
  team_id: string;
  seq: number;
  hash: Buffer;
}

/** Any number will do, as long as every server takes the same. */
const lock = 4_000_428;
/** Of one turn: rows of the intake, and the bytes of their batches. */
const most = { rows: 500, bytes: 512 * 1024 };

/** All SQL that gives records their place in the chain. */
export const sequenceStore = (sql: Sql) => ({
  /** Runs the work in a transaction that only one server of the installation is in; false if another one is. */
  alone: (work: (tx: Tx) => Promise<void>): Promise<boolean> =>
    sql.begin(async (tx) => {
      const [row] = await tx<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${lock}) as mine`;
      if (row?.mine) await work(tx);
      return row?.mine ?? false;
    }),

  /** Takes the oldest rows away, and tells the time by which they are recorded. Their partitions are there afterwards. */
  async take(tx: Tx): Promise<{ rows: IntakeRow[]; recorded_at: string }> {
    const rows = await tx<IntakeRow[]>`
      delete from audit_intake
      where number in (
        select number
        from (
          select number, sum(coalesce(octet_length(events), 0)) over (order by number) - coalesce(octet_length(events), 0) as before
          from (
            select number, events
            from audit_intake
            order by number
            limit ${most.rows}
          ) oldest
        ) summed
        where before < ${most.bytes}
      )
      returning number, event, events`;
    const [now] = await tx<[{ recorded_at: string }]>`
      select at as recorded_at, audit_partitions((at at time zone 'UTC')::date)
      from date_trunc('milliseconds', clock_timestamp()) as at`;
    return { rows: rows.toSorted((a, b) => a.number - b.number), recorded_at: now.recorded_at };
  },

  /** Otherwise it would hold up all others. */
  async putAside(tx: Tx, { number, event, events }: IntakeRow, error: string): Promise<void> {
    await tx`
      insert into audit_unreadable (number, event, events, error)
      values (${number}, ${event === null ? null : tx.json(event as never)}, ${events}, ${error})`;
  },

  async heads(tx: Tx, team_ids: string[]): Promise<Head[]> {
    return tx<Head[]>`
      select team_id, seq, hash
      from audit_heads
      where team_id = any(${team_ids})`;
  },

  async moveHeads(tx: Tx, heads: readonly Head[], recorded_at: string): Promise<void> {
    await tx`
      insert into audit_heads as h (team_id, seq, hash, recorded_at)
      select team_id, seq, decode(hash, 'hex'), ${recorded_at}
      from unnest(${heads.map(({ team_id }) => team_id)}::text[], ${heads.map(({ seq }) => String(seq))}::bigint[], ${heads.map(({ hash }) => hash.toString('hex'))}::text[])
        as given (team_id, seq, hash)
      on conflict (team_id) do update
      set seq = excluded.seq, hash = excluded.hash, recorded_at = excluded.recorded_at`;
  },

  async nameAgents(tx: Tx, agents: { team_id: string; agent_id: string; agent_name: string }[]): Promise<void> {
    await tx`
      insert into audit_agents (team_id, agent_id, agent_name)
      select team_id, agent_id, agent_name
      from jsonb_to_recordset(${tx.json(agents)}) as given (team_id text, agent_id text, agent_name text)
      on conflict (team_id, agent_id) do update
      set agent_name = excluded.agent_name`;
  },

  count: countPii,
});
