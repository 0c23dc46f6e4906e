import { maxRemovalRanges, type Removal, removalLine, type SigningKey, toRanges } from '@paddock/audit';
import type { Sql, Tx } from '../../../../db/connect.ts';

export type RemovalStore = ReturnType<typeof removalStore>;

/** Signs the list of removed payloads, in the transaction that removes them. */
export async function listRemoval(tx: Tx, { team_id, reason, records }: Omit<Removal, 'removed_at'>, key: SigningKey): Promise<void> {
  const removed_at = new Date().toISOString();
  for (let at = 0; at < records.length; at += maxRemovalRanges) {
    const line = removalLine({ team_id, reason, records: records.slice(at, at + maxRemovalRanges), removed_at }, key);
    await tx`
      insert into audit_removals (team_id, line)
      values (${team_id}, ${line})`;
  }
}

export const listRemoved = (tx: Tx, removed: { team_id: string; reason: Removal['reason']; seqs: readonly number[] }, key: SigningKey) =>
  listRemoval(tx, { ...removed, records: toRanges([...removed.seqs].sort((one, other) => one - other)) }, key);

/** SQL on the signed list of lawful removals. */
export const removalStore = (sql: Sql, key: () => Promise<SigningKey>) => ({
  /** The lines after a number, with the number of the last. */
  async linesAfter(team_id: string, number: number): Promise<{ lines: string[]; last: number }> {
    const rows = await sql<{ number: number; line: string }[]>`
      select number, line
      from audit_removals
      where team_id = ${team_id}
        and number > ${number}
      order by number`;
    return { lines: rows.map(({ line }) => line), last: rows.at(-1)?.number ?? number };
  },

  /** Lists, once, payloads that were missing before removals were listed. */
  async listUnlisted(team_id: string): Promise<void> {
    const signingKey = await key();
    await sql.begin(async (tx) => {
      const [before] = await tx<{ up_to_seq: number }[]>`
        delete from audit_unlisted_removals
        where team_id = ${team_id}
        returning up_to_seq`;
      if (!before) return;
      const ranges = await tx<{ first: number; last: number }[]>`
        select min(seq) as first, max(seq) as last
        from (
          select r.seq, r.seq - row_number() over (order by r.seq) as island
          from audit_records r
          left join audit_payloads p on p.team_id = r.team_id and p.seq = r.seq and p.recorded_at = r.recorded_at
          where r.team_id = ${team_id}
            and r.seq <= ${before.up_to_seq}
            and p.seq is null
        ) missing
        group by island
        order by 1`;
      await listRemoval(tx, { team_id, reason: 'unlisted', records: ranges.map(({ first, last }) => [first, last]) }, signingKey);
    });
  },
});

/** The records in a day's partition, as ranges of each team. */
export async function rangesIn(sql: Sql, partition: string): Promise<{ team_id: string; records: Removal['records'] }[]> {
  const rows = await sql<{ team_id: string; first: number; last: number }[]>`
    select team_id, min(seq) as first, max(seq) as last
    from (
      select team_id, seq, seq - row_number() over (partition by team_id order by seq) as island
      from ${sql(partition)}
    ) present
    group by team_id, island
    order by team_id, 2`;
  return [...Map.groupBy(rows, ({ team_id }) => team_id)].map(([team_id, ranges]) => ({
    team_id,
    records: ranges.map(({ first, last }) => [first, last]),
  }));
}
