import { type Alert, ApiError } from '@paddock/contract';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import { paginate, readCursor } from '../../../http/cursor.ts';
import { removeInBatches } from '../../../jobs/remove-in-batches.ts';
import type { SendMail } from '../../../mail/mails.ts';
import { createClear } from './clear.ts';
import { createNotify } from './notify.ts';
import { createRaise } from './raise.ts';
import { createSnooze } from './snooze.ts';

export type AlertStore = ReturnType<typeof alertStore>;

/** All SQL about alerts. */
export const alertStore = (sql: Sql, sendMail: SendMail) => {
  const columns = (tx: Tx) => tx`
    a.id, a.deployment_id, a.database_id, p.name as project_name, a.severity, a.message, a.created_at,
    a.resolved_at is not null as resolved, a.resolved_at,
    case when a.resolved_at is null and a.snoozed_until > now() then a.snoozed_until end as snoozed_until`;
  // Alerts of a project that is being deleted are not shown any more.
  const shown = (tx: Tx) => tx`
    from alerts a
    left join projects p on p.id = a.project_id
    where p.deleting_at is null`;

  const get = async (team_id: string, id: string): Promise<Alert> => {
    const [row] = await sql<Alert[]>`
      select ${columns(sql)}
      ${shown(sql)}
        and a.team_id = ${team_id}
        and a.id = ${id}`;
    if (!row) throw new ApiError('alert_not_found');
    return row;
  };

  const tell = createNotify(sendMail);
  const snoozes = createSnooze(sql, tell);

  return {
    ...createRaise(sql, tell),
    ...createClear(sql),
    ...snoozes,

    get,

    async list(
      team_id: string,
      input: { limit: number; cursor?: string | undefined; deployment_id?: string | undefined; resolved?: boolean | undefined },
    ) {
      const at = readCursor(input.cursor);
      const ofDeployment = input.deployment_id === undefined ? sql`` : sql`and a.deployment_id = ${input.deployment_id}`;
      const [rows, [count]] = await Promise.all([
        sql<Alert[]>`
          select ${columns(sql)}
          ${shown(sql)}
            and a.team_id = ${team_id}
            ${ofDeployment}
            ${input.resolved === undefined ? sql`` : sql`and (a.resolved_at is not null) = ${input.resolved}`}
            ${at ? sql`and (a.created_at, a.id) < (${at.created_at}, ${at.id})` : sql``}
          order by a.created_at desc, a.id desc
          limit ${input.limit + 1}`,
        sql<[{ open: number }]>`
          select count(*)::int as open
          ${shown(sql)}
            and a.team_id = ${team_id}
            and a.resolved_at is null
            and (a.snoozed_until is null or a.snoozed_until <= now())
            ${ofDeployment}`,
      ]);
      return { ...paginate(rows, input.limit), open: count.open };
    },

    /** Resolving a resolved alert changes nothing. */
    async resolve(team_id: string, id: string): Promise<Alert> {
      await sql.begin(async (tx) => {
        const [changed] = await tx`
          update alerts
          set resolved_at = now()
          where team_id = ${team_id}
            and id = ${id}
            and resolved_at is null
          returning 1`;
        if (changed) await recordAction(tx, id);
      });
      return get(team_id, id);
    },

    /** Throws alert_resolved for an alert that is not open. */
    async snooze(team_id: string, id: string, minutes: number): Promise<Alert> {
      await snoozes.snoozeOpen(team_id, id, minutes);
      const alert = await get(team_id, id);
      if (alert.resolved) throw new ApiError('alert_resolved');
      return alert;
    },

    teamsWith: (rule: string) => teamsWith(sql, rule),

    /** Removes alerts that were resolved long ago. */
    sweep: () => removeOld(sql),
  };
};

/** Teams with an uncleared alert of this rule. */
async function teamsWith(sql: Sql, rule: string): Promise<string[]> {
  const rows = await sql<{ team_id: string }[]>`
    select distinct team_id
    from alerts
    where rule = ${rule}
      and cleared_at is null`;
  return rows.map(({ team_id }) => team_id);
}

const removeOld = (sql: Sql) =>
  removeInBatches(
    (rows) => sql`
        delete from alerts
        where ctid = any(array(
          select ctid
          from alerts
          where resolved_at < now() - interval '90 days'
          limit ${rows}
        ))`,
  );
