import { ApiError, type ComplianceRun, type FrameworkId } from '@paddock/contract';
import { note } from '../../audit/note.ts';
import type { Sql, Tx } from '../../db/connect.ts';

export type RunStore = ReturnType<typeof runStore>;

export interface Claimed {
  id: string;
  team_id: string;
  framework: FrameworkId;
  controls_done: number;
  started_at: string;
}

/** A server that has not told of itself for so long has died, and its check goes to another one. */
const deadSeconds = 60;
/** A check that has taken so long is ended: something keeps it from getting on. */
const mostSeconds = 1_800;
const keptDays = 90;

/** All SQL on checks that somebody asked for. */
export const runStore = (sql: Sql) => ({
  /** The check that is under way, where there is one. */
  begin: (team_id: string, { id, framework, controls_total }: { id: string; framework: FrameworkId; controls_total: number }) =>
    sql.begin(async (tx): Promise<ComplianceRun> => {
      const [made] = await tx<ComplianceRun[]>`
        insert into compliance_runs (id, team_id, framework, status, controls_total)
        values (${id}, ${team_id}, ${framework}, 'queued', ${controls_total})
        on conflict do nothing
        returning ${columns(tx)}`;
      if (made) await note(tx, team_id);
      if (made) return made;
      const [other] = await tx<ComplianceRun[]>`
        select ${columns(tx)}
        from compliance_runs
        where team_id = ${team_id}
          and framework = ${framework}
        order by finished_at is null desc, started_at desc
        limit 1`;
      if (!other) throw new ApiError('compliance_run_not_found');
      return other;
    }) as Promise<ComplianceRun>,

  async get(team_id: string, id: string): Promise<ComplianceRun> {
    const [run] = await sql<ComplianceRun[]>`
      select ${columns(sql)}
      from compliance_runs
      where team_id = ${team_id}
        and id = ${id}`;
    if (!run) throw new ApiError('compliance_run_not_found');
    return run;
  },

  async underWay(team_id: string, framework: FrameworkId): Promise<ComplianceRun | null> {
    const [run] = await sql<ComplianceRun[]>`
      select ${columns(sql)}
      from compliance_runs
      where team_id = ${team_id}
        and framework = ${framework}
        and finished_at is null`;
    return run ?? null;
  },

  /** A check that nobody works at: a new one, or one whose server has died. */
  async claim(owner: string): Promise<Claimed | undefined> {
    const [run] = await sql<Claimed[]>`
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
  async advance({ id, team_id }: Claimed, { owner, controls_done }: { owner: string; controls_done: number }): Promise<boolean> {
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

  finish: ({ id, team_id }: Claimed, { owner, status }: { owner: string; status: 'completed' | 'failed' }) => sql`
    update compliance_runs
    set status = ${status}, finished_at = now()
    where team_id = ${team_id}
      and id = ${id}
      and owner = ${owner}
      and finished_at is null`,

  /** Leaves a check to the next server that asks. */
  release: ({ id, team_id }: Claimed, owner: string) => sql`
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
      and started_at < now() - ${`${mostSeconds} seconds`}::interval`,

  sweep: () => sql`
    delete from compliance_runs
    where started_at < now() - ${`${keptDays} days`}::interval`,
});

const columns = (sql: Tx) => sql`
  id, framework, status, controls_total, controls_done, started_at, finished_at`;
