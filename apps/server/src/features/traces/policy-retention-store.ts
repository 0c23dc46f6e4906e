import type { Tx } from '../../db/connect.ts';
import { removedTogether } from '../../jobs/policy-retention.ts';

/** Removes traces of a team that are older than so many days, with their spans; how many. What their tokens cost stays. */
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
