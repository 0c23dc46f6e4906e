import type { Plan } from '@paddock/builder';
import type { Sql } from '../../../db/connect.ts';
import type { Claimed } from '../leases.ts';

/**
 * The expected kind of a starting agent. `web` must listen within its budget, or it has failed. `unknown` may turn out to be a worker if it
 * stays silent; with `because` there is evidence for a port, and silence counts only at the end of the budget. `has_run`: it was a worker
 * before and is only restarted.
 */
export type ExpectedKind =
  | { kind: 'web'; because?: string }
  | { kind: 'worker'; has_run: boolean }
  | { kind: 'job' }
  | { kind: 'unknown'; because?: string };

/** Observed kinds of a project's agents. A plan only guesses; a port that responded is certain. */
export interface ObservedKinds {
  /** Kind of the agent that serves the environment, else of the last one that did. */
  before: 'web' | 'worker' | null;
  /** Kind of earlier deployments of the same archive. */
  same_archive: 'web' | 'worker' | null;
}

/** Reads the kinds observed before this deployment. A deployment that failed before it listened proves nothing about its archive. */
export async function loadObservedKinds(sql: Sql, { id, project_id, environment, source_blob }: Claimed): Promise<ObservedKinds> {
  const [row] = await sql<[ObservedKinds]>`
    with seen as (
      select agent_type, environment, source_blob, is_current, status, deployed_at
      from deployments
      where project_id = ${project_id}
        and id <> ${id}
        and deployed_at is not null
        and agent_type in ('web', 'worker')
    )
    select
      (
        select agent_type
        from seen
        where environment = ${environment}
        order by is_current desc, deployed_at desc
        limit 1
      ) as before,
      (
        select agent_type
        from seen
        where source_blob = ${source_blob}
          and (agent_type = 'web' or status <> 'failed')
        order by agent_type = 'web' desc
        limit 1
      ) as same_archive`;
  return row;
}

/** The archive's explicit type comes first, then observed kinds, then guesses from its source. */
export function expectedKind(plan: Plan, d: Pick<Claimed, 'status' | 'agent_type'>, seen: ObservedKinds): ExpectedKind {
  const known = d.status === 'active' && d.agent_type !== null ? d.agent_type : plan.type;
  if (known === 'web' || known === 'job') return { kind: known };
  const listened = seen.same_archive === 'web' ? 'this archive was seen to listen' : undefined;
  if (known === 'worker') {
    const has_run = d.status === 'active';
    return listened && !has_run ? { kind: 'unknown', because: listened } : { kind: 'worker', has_run };
  }
  if (listened) return { kind: 'web', because: listened };
  if (seen.before === 'web') return { kind: 'web', because: 'the agent before it in this environment listened' };
  if (seen.same_archive === 'worker') return { kind: 'worker', has_run: false };
  // If the last agent was a worker, the environment has no visitors, so an early decision does no harm.
  if (plan.may_listen === undefined || seen.before === 'worker') return { kind: 'unknown' };
  return { kind: 'unknown', because: plan.may_listen };
}
