import type { ControlId } from '@paddock/contract';
import type { Sql } from '../../../db/connect.ts';

export type CheckScheduleStore = ReturnType<typeof checkScheduleStore>;

export interface DueCheck {
  /** Null: a control of the installation. */
  team_id: string | null;
  control: ControlId;
  every_seconds: number;
}
interface Checked {
  id: ControlId;
  of: 'team' | 'installation';
  every_seconds: number;
}

/** All SQL about when controls are due. */
export const checkScheduleStore = (sql: Sql) => ({
  /** Due controls, the longest overdue first. */
  async due(controls: readonly Checked[], limit: number): Promise<DueCheck[]> {
    const rows = await sql<(Omit<DueCheck, 'team_id'> & { team_id: string })[]>`
      select w.team_id, c.control, c.every_seconds
      from unnest(${controls.map(({ id }) => id)}::text[], ${controls.map(({ of }) => of)}::text[],
        ${controls.map(({ every_seconds }) => every_seconds)}::int[]) as c (control, scope, every_seconds)
      join (
        select id as team_id, 'team' as scope
        from teams
        where deleting_at is null
        union all
        select '', 'installation'
      ) w on w.scope = c.scope
      left join compliance_turns t on t.team_id = w.team_id and t.control = c.control
      where t.next_at is null
        or t.next_at <= now()
      order by t.next_at nulls first, w.team_id, c.control
      limit ${limit}`;
    return rows.map((row) => ({ ...row, team_id: row.team_id || null }));
  },

  /** False: another server has claimed it. */
  async claim({ team_id, control, every_seconds }: DueCheck): Promise<boolean> {
    const [mine] = await sql`
      insert into compliance_turns (team_id, control, next_at)
      values (${team_id ?? ''}, ${control}, now() + ${`${every_seconds} seconds`}::interval)
      on conflict (team_id, control) do update
      set next_at = excluded.next_at
      where compliance_turns.next_at <= now()
      returning team_id`;
    return mine !== undefined;
  },

  /** Schedules the next check one interval from now, after a check. */
  postpone: ({ team_id, control, every_seconds }: DueCheck) => sql`
    insert into compliance_turns (team_id, control, next_at)
    values (${team_id ?? ''}, ${control}, now() + ${`${every_seconds} seconds`}::interval)
    on conflict (team_id, control) do update
    set next_at = excluded.next_at`,

  /**
   * Makes controls due that failed or were unverified in the team's last check, at the earliest `pause_seconds` after that check. Returns
   * them with the seconds until each is due.
   */
  async hasten(team_id: string, pause_seconds: number): Promise<{ control: ControlId; wait_seconds: number }[]> {
    return sql<{ control: ControlId; wait_seconds: number }[]>`
      update compliance_turns t
      set next_at = least(t.next_at, greatest(now(), last.checked_at + make_interval(secs => ${pause_seconds})))
      from (
        select distinct on (control) control, status, checked_at
        from compliance_results
        where team_id = ${team_id}
        order by control, id desc
      ) last
      where t.team_id = ${team_id}
        and t.control = last.control
        and last.status in ('failed', 'unverified')
      returning t.control, extract(epoch from t.next_at - now())::float8 as wait_seconds`;
  },

  /** Removes the rows of deleted teams. */
  sweep: () => sql`
    delete from compliance_turns
    where team_id <> ''
      and team_id not in (
        select id
        from teams
      )`,
});
