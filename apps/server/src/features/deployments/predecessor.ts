import type { Instance } from '@paddock/runtime';
import type { Sql, Tx } from '../../db/connect.ts';
import { markRouteStarting, routeTo, type Target } from './addresses.ts';
import { type Claimed, fenceRaised } from './leases.ts';
import { move } from './states.ts';

type Exit = NonNullable<Instance['exit']>;

/** The deployment that served before, to fall back to if its successor fails in its first minute. */
export interface Predecessor {
  id: string;
  agent_type: Claimed['agent_type'];
  instance_id: string | null;
  instance_port: number | null;
  /** It still runs on this node, draining its requests. */
  drains_here: boolean;
}

/** How a predecessor comes back: its process continues, at `target` if it listens, or it is restarted. */
export interface Fallback {
  id: string;
  goesOn: boolean;
  target: Target | undefined;
}

/**
 * Whether an exit counts as a failed start: it came within `trialSeconds` after the deployment first became active, by the database's
 * clock. The machine's clock only covers exits that were noticed late.
 */
export function isEarlyExit(
  { deployed_at, asked_at }: { deployed_at: string | null; asked_at: string },
  exit: Exit,
  trialSeconds: number,
): boolean {
  // SIGTERM is no failure: a service manager or an operator ended the agent, e.g. together with the server.
  if (deployed_at === null || exit.signal === 'SIGTERM') return false;
  const since = Date.parse(deployed_at);
  const lived = Date.parse(exit.at) - since;
  return Date.parse(asked_at) - since < trialSeconds * 1000 || (lived >= 0 && lived < trialSeconds * 1000);
}

/** How long the predecessor is kept: for requests in progress, and a web agent also for its successor's first minute. */
export const predecessorGraceSeconds = (drainSeconds: number, trialSeconds: number) =>
  trialSeconds > 0 ? Math.max(drainSeconds, trialSeconds + noticeSeconds) : drainSeconds;
/** A crash at the end of the first minute is noticed and recorded within this time. */
const noticeSeconds = 10;

export const findPredecessor = async (sql: Sql, node: string, id: string): Promise<Predecessor | undefined> => {
  const [row] = await sql<Predecessor[]>`
    select
      id, agent_type, instance_id, instance_port,
      coalesce(drain_until > now() and node = ${node} and instance_id is not null, false) as drains_here
    from deployments
    where replaced_by = ${id}
      and status = 'stopped'
    order by ended_at desc
    limit 1`;
  return row;
};

/**
 * Runs in the transaction in which the successor fails. Does nothing when another deployment serves by now, or the drain has just ended.
 */
export async function restorePredecessor(
  tx: Tx,
  { id, goesOn, target }: Fallback,
  { failed_id, machine }: { failed_id: string; machine: string },
): Promise<boolean> {
  const stays = tx`${goesOn} and drain_until > now()`;
  const [row] = await move(tx, {
    to: 'active',
    why: 'came_back',
    where: tx`
      d.id = ${id}
      and d.replaced_by = ${failed_id}
      and d.status = 'stopped'
      and exists (
        select 1
        from projects p
        where p.id = d.project_id
          and p.deleting_at is null
      )
      and not exists (
        select 1
        from deployments o
        where o.project_id = d.project_id
          and o.environment = d.environment
          and o.is_current
      )`,
    set: tx`
      is_current = true,
      ended_at = null,
      drain_until = null,
      replaced_by = null,
      ${fenceRaised(tx)},
      instance_id = case when ${stays} then instance_id end,
      instance_port = case when ${stays} then instance_port end,
      restart_at = case when ${stays} then null else now() end`,
  });
  if (!row) return false;
  if (row.restart_at === null) await routeTo(tx, row, { target, machine });
  else {
    await markRouteStarting(tx, row);
    await tx`select pg_notify('work', ${row.id})`;
  }
  return true;
}
