import type { FrameworkId } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';

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

/** A server that has not told of itself for so long has died, and its check goes to another one. */
const deadSeconds = 60;
/** A check that has taken so long is ended: something keeps it from getting on. */
const maxRunSeconds = 1_800;

/** All SQL on who works at a check. */
export const runClaimStore = (sql: Sql) => ({
  /** A check that nobody works at: a new one, or one whose server has died. */
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

  /** False: the check is no longer this server's. */
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

  /** Steps that needed no work of this check are not told one by one: `controls_done` tells them at its end. */
  finish: ({ id, team_id }: ClaimedRun, { owner, status, controls_done = null }: Finish) => sql`
    update compliance_runs
    set status = ${status}, finished_at = now(), controls_done = coalesce(${controls_done}, controls_done)
    where team_id = ${team_id}
      and id = ${id}
      and owner = ${owner}
      and finished_at is null`,

  /** Leaves a check to the next server that asks. */
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
