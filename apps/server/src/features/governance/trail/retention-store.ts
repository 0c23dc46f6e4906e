import type { SigningKey } from '@paddock/audit';
import { dayMs } from '@paddock/contract/time';
import type { Sql } from '../../../db/connect.ts';
import { removeInBatches } from '../../../jobs/remove-in-batches.ts';
import { listRemoval, rangesIn } from './removals/removal-store.ts';

/** Dropping waits for readers of the day; it is retried in the next turn. */
const lockWait = '5s';
/** Retention of spools whose gateway is gone, and number of displayed runs. */
const keptDays = 30;
const keptRuns = 100;

/** Removes payloads older than `retention_days`, a day at a time, and records the run. The chain stays intact. */
export const payloadRetentionJob = (sql: Sql, key: () => Promise<SigningKey>, retention_days: number) =>
  async function run(signal: AbortSignal): Promise<void> {
    const older_than = new Date(Date.now() - retention_days * dayMs);
    const oldest = `audit_payloads_${older_than.toISOString().slice(0, 10).replaceAll('-', '')}`;
    const days = await sql<{ name: string }[]>`
      select c.relname as name
      from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'audit_payloads'::regclass
        and c.relname ~ '^audit_payloads_[0-9]{8}$'
        and c.relname < ${oldest}
      order by 1`;
    await removeOldRemainders(sql, older_than);
    let deleted = 0;
    for (const { name } of days) if (!signal.aborted) deleted += await drop(sql, name, await key());
    await sql`
      insert into audit_retention_runs (ran_at, older_than, deleted)
      values (now(), ${older_than.toISOString()}, ${deleted})`;
    await sql`
      delete from audit_retention_runs
      where id <= (
        select max(id) - ${keptRuns}
        from audit_retention_runs
      )`;
    await sql`
      delete from audit_spools
      where updated_at < now() - ${`${keptDays} days`}::interval`;
    await sql`select audit_partitions((now() at time zone 'UTC')::date + 1)`;
  };

const removeOldRemainders = (sql: Sql, older_than: Date) =>
  removeInBatches((rows) =>
    sql.begin(async (tx) => {
      await tx`select set_config('paddock.erasing', 'retention', true)`;
      return tx`
        delete from audit_remainders
        where ctid = any(array(
          select ctid
          from audit_remainders
          where recorded_at < ${older_than.toISOString()}
          limit ${rows}
        ))`;
    }),
  );

/** No records are added to a day that old any more, so the list can be made before the lock. */
async function drop(sql: Sql, name: string, key: SigningKey): Promise<number> {
  const removed = await rangesIn(sql, name);
  return sql.begin(async (tx) => {
    for (const { team_id, records } of removed) await listRemoval(tx, { team_id, reason: 'retention', records }, key);
    await tx`select set_config('lock_timeout', ${lockWait}, true)`;
    await tx`drop table ${tx(name)}`;
    return removed.reduce((sum, { records }) => sum + records.reduce((all, [from, to]) => all + to - from + 1, 0), 0);
  });
}
