import type { FrameworkId } from '@paddock/contract';
import type { Sql } from '../../../db/connect.ts';

export type RunClaimStore = ReturnType<typeof runClaimStore>;

export interface ClaimedRun {
  id: string;
  team_id: string;
  framework: FrameworkId;
  controls_done: number;
  started_at: string;
}

interface Finish {
  owner: string;
  status: 'completed' | 'failed';
  controls_done?: number | null;
}

/** A server without a heartbeat for this long counts as dead, and another one takes its check. */
const deadSeconds = 60;
/** Time limit of a check, after which it ends. */
const maxRunSeconds = 1_800;

/** All SQL about the ownership of checks. */
export const runClaimStore = (sql: Sql) => ({
  /** Claims a check without an owner: a new one, or one whose server has died. */
  async claim(owner: string): Promise<ClaimedRun | undefined> {
    const [run] = await sql<ClaimedRun[]>`
      update compliance_runs
      set status = 'running', owner = ${owner}, beat_at = now()
      where id = (
        select id
        from compliance_runs
        where finished_at is null
          and (owner is null or beat_at < now() - ${`${deadSeconds} seconds`}::interval)
        order by started_at
        limit 1
        for update skip locked
      )
      returning id, team_id, framework, controls_done, started_at`;
    return run;
  },

  /** False: this server no longer owns the check. */
  async advance({ id, team_id }: ClaimedRun, { owner, controls_done }: { owner: string; controls_done: number }): Promise<boolean> {
    const [mine] = await sql`
      update compliance_runs
      set controls_done = ${controls_done}, beat_at = now()
      where team_id = ${team_id}
        and id = ${id}
        and owner = ${owner}
        and finished_at is null
      returning id`;
    return mine !== undefined;
  },

  /** Skipped steps are not reported one by one: `controls_done` covers them at the end. */
  finish: ({ id, team_id }: ClaimedRun, { owner, status, controls_done = null }: Finish) => sql`
    update compliance_runs
    set status = ${status}, finished_at = now(), controls_done = coalesce(${controls_done}, controls_done)
    where team_id = ${team_id}
      and id = ${id}
      and owner = ${owner}
      and finished_at is null`,

  /** Releases a check for the next server. */
  release: ({ id, team_id }: ClaimedRun, owner: string) => sql`
    update compliance_runs
    set owner = null
    where team_id = ${team_id}
      and id = ${id}
      and owner = ${owner}
      and finished_at is null`,

  endOld: () => sql`
    update compliance_runs
    set status = 'failed', finished_at = now()
    where finished_at is null
      and started_at < now() - ${`${maxRunSeconds} seconds`}::interval`,
});
