import type { Alert } from '@paddock/contract';
import type { Sql, Tx } from '../../../db/connect.ts';
import { newId } from '../../../ids.ts';
import { type NewAlert, ofCause, type Raise } from './cause.ts';
import type { Tell } from './notify.ts';

/** Mails per day about a flapping cause; the console always shows it. */
const maxMailsPerDay = 6;

/** Raises alerts, and notifies the people of the team. */
export const createRaise = (sql: Sql, tell: Tell) => {
  /**
   * Keeps one open alert per cause, however often it is raised: an open alert only gets the newest message. The people of the team get a mail once,
   * and another one when the alert becomes critical, unless it is snoozed.
   */
  async function raiseWithin(tx: Tx, team_id: string, alert: NewAlert): Promise<void> {
    const [known] = await tx<{ is_open: boolean; is_snoozed: boolean; severity: Alert['severity'] }[]>`
      select resolved_at is null as is_open, snoozed_until is not null as is_snoozed, severity
      from alerts
      where ${ofCause(tx, team_id, alert)}
        and (resolved_at is null ${alert.lasting ? tx`or cleared_at is null` : tx``})
      order by is_open desc
      limit 1`;
    const isMailed = alert.severity !== 'info' && (await mailedToday(tx, team_id, alert)) < maxMailsPerDay;
    if (known?.is_open) {
      const rises = isMailed && !known.is_snoozed && alert.severity === 'critical' && known.severity !== 'critical';
      const [changed] = await tx`
        update alerts
        set
          title = ${alert.title},
          message = ${alert.message},
          severity = ${alert.severity},
          mailed_at = case when ${rises} then now() else mailed_at end,
          deployment_id = case when environment is null then deployment_id else ${alert.deployment_id ?? null} end
        where ${ofCause(tx, team_id, alert)}
          and resolved_at is null
          and (message, severity, deployment_id) is distinct from (${alert.message}, ${alert.severity}, ${alert.deployment_id ?? null})
        returning id`;
      if (changed && rises) await tell(tx, team_id, alert);
    }
    if (known) return;
    const [raised] = await tx`
      insert into alerts (id, team_id, project_id, environment, deployment_id, database_id, rule, severity, title, message, mailed_at)
      select
        ${newId('alr')}, id, ${alert.project_id ?? null}, ${alert.environment ?? null}, ${alert.deployment_id ?? null},
        ${alert.database_id ?? null}, ${alert.rule}, ${alert.severity}, ${alert.title}, ${alert.message},
        case when ${isMailed} then now() end
      from teams
      where id = ${team_id}
      on conflict do nothing
      returning id`;
    if (raised && isMailed) await tell(tx, team_id, alert);
  }

  async function mailedToday(tx: Tx, team_id: string, alert: NewAlert): Promise<number> {
    const [row] = await tx<[{ mails: number }]>`
      select count(*)::int as mails
      from alerts
      where ${ofCause(tx, team_id, alert)}
        and mailed_at > now() - interval '1 day'`;
    return row.mails;
  }

  const raise: Raise = (team_id, alert) => sql.begin((tx) => raiseWithin(tx, team_id, alert));

  return { raise, raiseWithin };
};
