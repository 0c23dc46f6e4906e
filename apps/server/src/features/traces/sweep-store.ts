import { modelUsageLimits, traceLimits } from '@paddock/contract/limits';
import type { Sql, Tx } from '../../db/connect.ts';
import { removedTogether } from '../../jobs/policy-retention.ts';
import { removeInBatches } from '../../jobs/remove-in-batches.ts';

/** Maximum traces of one deployment, and bytes of their spans; beyond them the oldest are removed. */
export const keptOfDeployment = { traces: 100_000, bytes: 256 * 1024 ** 2 };
/** Token sums by hour are kept as long as the hours of visits, losses as long as they are displayed. */
const usageDays = 90;
const lossDays = 7;
/** Rows per statement: longer ones would block writers. */
const together = 2_000;

export type TraceSweepStore = ReturnType<typeof traceSweepStore>;

/** All SQL that removes traces. */
export const traceSweepStore = (sql: Sql, kept = keptOfDeployment) => {
  /** Spans are removed before their trace, so that an interrupted removal is found again. */
  async function remove(found: { deployment_id: string; trace_id: string }[]): Promise<void> {
    const given = sql.json(found);
    await sql`
      delete from spans s
      using jsonb_to_recordset(${given}) as gone (deployment_id text, trace_id text)
      where s.deployment_id = gone.deployment_id
        and s.trace_id = gone.trace_id`;
    await sql`
      delete from traces t
      using jsonb_to_recordset(${given}) as gone (deployment_id text, trace_id text)
      where t.deployment_id = gone.deployment_id
        and t.trace_id = gone.trace_id`;
  }

  async function removeEach(find: () => Promise<{ deployment_id: string; trace_id: string }[]>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const found = await find();
      if (found.length > 0) await remove(found);
      if (found.length < together) return;
    }
  }

  /** The traces of a deployment that exceed one of the bounds; the newest are kept. */
  const beyond = (deployment_id: string) => sql<{ deployment_id: string; trace_id: string }[]>`
    select deployment_id, trace_id
    from (
      select deployment_id, trace_id, started_at, row_number() over newest as place, sum(bytes) over newest as bytes
      from traces
      where deployment_id = ${deployment_id}
      window newest as (order by started_at desc, trace_id desc)
    ) ordered
    where place > ${kept.traces}
      or bytes > ${kept.bytes}
    order by started_at
    limit ${together}`;

  return {
    async sweep(signal: AbortSignal): Promise<void> {
      await removeEach(
        () => sql<{ deployment_id: string; trace_id: string }[]>`
          select deployment_id, trace_id
          from traces
          where started_at < now() - ${`${traceLimits.keptDays} days`}::interval
          limit ${together}`,
        signal,
      );
      const full = await sql<{ deployment_id: string }[]>`
        select deployment_id
        from traces
        group by deployment_id
        having count(*) > ${kept.traces}
          or sum(bytes) > ${kept.bytes}`;
      for (const { deployment_id } of full) await removeEach(() => beyond(deployment_id), signal);
      await removeOldSums(sql);
    },

    /** Removes the rest of deleted deployments; false if more is to be removed. */
    async removeDeployments(deployment_ids: readonly string[]): Promise<boolean> {
      const ids = deployment_ids as string[];
      const found = await sql<{ deployment_id: string; trace_id: string }[]>`
        select deployment_id, trace_id
        from traces
        where deployment_id = any(${ids})
        limit ${together}`;
      if (found.length > 0) await remove(found);
      if (found.length === together) return false;
      for (const table of ['model_usage_hours', 'trace_losses'])
        await sql`
          delete from ${sql(table)}
          where deployment_id = any(${ids})`;
      return true;
    },
  };
};

/** Sums of tokens and of losses that are no longer displayed. */
async function removeOldSums(sql: Sql): Promise<void> {
  await removeInBatches(
    (rows) => sql`
      delete from model_usage_hours
      where ctid = any(array(
        select ctid
        from model_usage_hours
        where hour < now() - ${`${usageDays} days`}::interval
        limit ${rows}
      ))`,
  );
  await removeInBatches(
    (rows) => sql`
      delete from model_usage_days
      where ctid = any(array(
        select ctid
        from model_usage_days
        where day < now() - ${`${modelUsageLimits.keptDays} days`}::interval
        limit ${rows}
      ))`,
  );
  await removeInBatches(
    (rows) => sql`
      delete from trace_losses
      where ctid = any(array(
        select ctid
        from trace_losses
        where hour < now() - ${`${lossDays} days`}::interval
        limit ${rows}
      ))`,
  );
}

/** Removes traces of a team that are older than `days`, with their spans; returns their number. Their token sums stay. */
export async function removeOldTraces(tx: Tx, team_id: string, days: number): Promise<number> {
  const old = await tx<{ deployment_id: string; trace_id: string }[]>`
    select t.deployment_id, t.trace_id
    from deployments d
    join traces t on t.deployment_id = d.id
    where d.team_id = ${team_id}
      and t.started_at < now() - make_interval(days => ${days}::int)
    limit ${removedTogether}`;
  if (old.length === 0) return 0;
  const given = tx.json([...old]);
  await tx`
    delete from spans s
    using jsonb_to_recordset(${given}) as gone (deployment_id text, trace_id text)
    where s.deployment_id = gone.deployment_id
      and s.trace_id = gone.trace_id`;
  await tx`
    delete from traces t
    using jsonb_to_recordset(${given}) as gone (deployment_id text, trace_id text)
    where t.deployment_id = gone.deployment_id
      and t.trace_id = gone.trace_id`;
  return old.length;
}
