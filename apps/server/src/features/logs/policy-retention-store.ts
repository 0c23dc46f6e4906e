import type { Tx } from '../../db/connect.ts';
import { removedTogether } from '../../jobs/policy-retention.ts';
import { countsLock } from './count-store.ts';

/** Deletes a team's lines older than this many days and subtracts them from the counts. Returns how many. */
export async function removeOldLines(tx: Tx, team_id: string, days: number): Promise<number> {
  await tx`select pg_advisory_xact_lock(${countsLock})`;
  const gone = await tx<[{ lines: number }]>`
    with old as (
      select l.deployment_id, l.number, l.created_at
      from deployments d
      join log_lines l on l.deployment_id = d.id
      where d.team_id = ${team_id}
        and l.created_at < now() - make_interval(days => ${days}::int)
      limit ${removedTogether}
    ),
    gone as (
      delete from log_lines l
      using old
      where l.deployment_id = old.deployment_id
        and l.number = old.number
        and l.created_at = old.created_at
      returning l.deployment_id, l.number, l.level
    ),
    counted as (
      select
        gone.deployment_id,
        count(*) filter (where gone.level = 'debug') as debug,
        count(*) filter (where gone.level = 'info') as info,
        count(*) filter (where gone.level = 'warning') as warning,
        count(*) filter (where gone.level = 'error') as error
      from gone
      join log_heads h on h.deployment_id = gone.deployment_id
      where gone.number > h.counted_since
      group by 1
    ),
    subtracted as (
      update log_heads h
      set
        debug_lines = greatest(0, h.debug_lines - counted.debug),
        info_lines = greatest(0, h.info_lines - counted.info),
        warning_lines = greatest(0, h.warning_lines - counted.warning),
        error_lines = greatest(0, h.error_lines - counted.error)
      from counted
      where counted.deployment_id = h.deployment_id
    )
    select count(*)::int as lines
    from gone`;
  return gone[0].lines;
}
