import type { Facts } from '@paddock/audit';
import type { Sql, Tx } from '../../../../db/connect.ts';

export type CheckpointStore = ReturnType<typeof checkpointStore>;

export interface UnsignedChain {
  team_id: string;
  seq: number;
  hash: Buffer;
  checkpoint_seq: number;
}
export interface CheckpointRow {
  team_id: string;
  seq: number;
  line: string;
  created_at: string;
}
/** A record's facts and hash, without its payload. */
export interface ChainLink extends Facts {
  hash: Buffer;
}

/** All SQL on checkpoints. */
export const checkpointStore = (sql: Sql) => ({
  /** Teams with records that no checkpoint covers: too many of them, or for too long. */
  due: ({ everySeconds, records }: { everySeconds: number; records: number }) => sql<UnsignedChain[]>`
    select h.team_id, h.seq, h.hash, h.checkpoint_seq
    from audit_heads h
    left join audit_checkpoints c on c.team_id = h.team_id and c.seq = h.checkpoint_seq
    where h.seq > h.checkpoint_seq
      and (h.seq - h.checkpoint_seq >= ${records} or c.created_at is null or c.created_at < now() - ${`${everySeconds} seconds`}::interval)
    order by h.team_id
    limit 1000`,

  /** Facts in the order of the chain. */
  facts: (team_id: string, from_seq: number, to_seq: number) => sql<ChainLink[]>`
    select team_id, seq, id, timestamp, recorded_at, agent_id, agent_name, action_type, action, status, duration_ms, actor_type, actor_id, target_type,
      target_id, trace_id, request_id, payload_hash, hash
    from audit_records
    where team_id = ${team_id}
      and seq >= ${from_seq}
      and seq <= ${to_seq}
    order by seq`,

  async last(team_id: string): Promise<CheckpointRow | undefined> {
    const [row] = await sql<CheckpointRow[]>`
      select team_id, seq, line, created_at
      from audit_checkpoints
      where team_id = ${team_id}
      order by seq desc
      limit 1`;
    return row;
  },

  of: (team_id: string, { from_seq, to_seq }: { from_seq: number; to_seq: number }) => sql<CheckpointRow[]>`
    select team_id, seq, line, created_at
    from audit_checkpoints
    where team_id = ${team_id}
      and seq >= ${from_seq}
      and seq <= ${to_seq}
    order by seq`,

  /** The first checkpoint that covers a record. */
  covering: (team_id: string, seq: number) => sql<CheckpointRow[]>`
    select team_id, seq, line, created_at
    from audit_checkpoints
    where team_id = ${team_id}
      and seq >= ${seq}
    order by seq
    limit 1`,

  /** False if another server has signed meanwhile. */
  add: (made: CheckpointRow, before: number): Promise<boolean> =>
    sql.begin(async (tx: Tx) => {
      const [moved] = await tx`
        update audit_heads
        set checkpoint_seq = ${made.seq}
        where team_id = ${made.team_id}
          and checkpoint_seq = ${before}
        returning team_id`;
      if (!moved) return false;
      await tx`
        insert into audit_checkpoints (team_id, seq, line, created_at)
        values (${made.team_id}, ${made.seq}, ${made.line}, ${made.created_at})`;
      return true;
    }),

  /** Teams with checkpoints created since then. */
  changedSince: (since: string) => sql<{ team_id: string; created_at: string }[]>`
    select team_id, max(created_at) as created_at
    from audit_checkpoints
    where created_at >= ${since}
    group by team_id`,

  undelivered: (limit: number) => sql<CheckpointRow[]>`
    select team_id, seq, line, created_at
    from audit_checkpoints
    where delivered_at is null
    order by created_at, team_id, seq
    limit ${limit}`,

  delivered: ({ team_id, seq }: CheckpointRow) => sql`
    update audit_checkpoints
    set delivered_at = now()
    where team_id = ${team_id}
      and seq = ${seq}`,
});
