import { type Alert, ApiError, type Environment } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';
import { pageOf, readCursor } from '../../http/cursor.ts';
import { newId } from '../../ids.ts';
import type { SendMail } from '../../mail/mails.ts';

/** What an alert is about: an environment of a project, or else a database or a deployment. */
export interface Cause {
  /** `snake_case`, e.g. `backup_failed`. With the thing that it is about it names the cause; one alert per cause is open. */
  rule: string;
  /** Of the agent of this environment, whichever deployment the alert tells of last. Needs `project_id`. */
  environment?: Environment;
  project_id?: string;
  database_id?: string;
  deployment_id?: string;
}
export interface NewAlert extends Cause {
  severity: Alert['severity'];
  /** Heads the mail, e.g. 'The backup of a database failed'. */
  title: string;
  /** What happened, why, and what to do, for the person; no secrets. */
  message: string;
  /** It goes on until `clear`: whoever resolves it knows of it, and is not told again while it lasts. */
  lasting?: boolean;
}
export type Raise = (team_id: string, alert: NewAlert) => Promise<void>;
export type Clear = (team_id: string, cause: Cause) => Promise<void>;
/** A cause that comes and goes is told by mail so often a day; the bell tells it always. */
const mailsPerDay = 6;

export type AlertStore = ReturnType<typeof alertStore>;

/** All SQL about alerts. */
export const alertStore = (sql: Sql, sendMail: SendMail) => {
  const columns = (tx: Tx) => tx`
    a.id, a.deployment_id, a.database_id, p.name as project_name, a.severity, a.message, a.created_at,
    a.resolved_at is not null as resolved, a.resolved_at`;
  const of = (tx: Tx, team_id: string, { rule, environment, project_id, database_id, deployment_id }: Cause) =>
    environment
      ? tx`
        team_id = ${team_id}
        and rule = ${rule}
        and project_id = ${project_id ?? null}
        and environment = ${environment}`
      : tx`
        team_id = ${team_id}
        and rule = ${rule}
        and environment is null
        and coalesce(database_id, deployment_id, '') = ${database_id ?? deployment_id ?? ''}`;
  // What belongs to a project that is being deleted is gone for people already.
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

  /**
   * Once per cause, however often it is raised: an open alert only learns the newest message. The people of the team get a mail once, and
   * another one when the alert becomes critical.
   */
  async function raiseWithin(tx: Tx, team_id: string, alert: NewAlert): Promise<void> {
    const [known] = await tx<{ is_open: boolean; severity: Alert['severity'] }[]>`
      select resolved_at is null as is_open, severity
      from alerts
      where ${of(tx, team_id, alert)}
        and (resolved_at is null ${alert.lasting ? tx`or cleared_at is null` : tx``})
      order by is_open desc
      limit 1`;
    const isMailed = alert.severity !== 'info' && (await mailedToday(tx, team_id, alert)) < mailsPerDay;
    if (known?.is_open) {
      const rises = isMailed && alert.severity === 'critical' && known.severity !== 'critical';
      const [changed] = await tx`
        update alerts
        set
          message = ${alert.message},
          severity = ${alert.severity},
          mailed_at = case when ${rises} then now() else mailed_at end,
          deployment_id = case when environment is null then deployment_id else ${alert.deployment_id ?? null} end
        where ${of(tx, team_id, alert)}
          and resolved_at is null
          and (message, severity, deployment_id) is distinct from (${alert.message}, ${alert.severity}, ${alert.deployment_id ?? null})
        returning id`;
      if (changed && rises) await tell(tx, team_id, alert);
    }
    if (known) return;
    const [raised] = await tx`
      insert into alerts (id, team_id, project_id, environment, deployment_id, database_id, rule, severity, message, mailed_at)
      select
        ${newId('alr')}, id, ${alert.project_id ?? null}, ${alert.environment ?? null}, ${alert.deployment_id ?? null},
        ${alert.database_id ?? null}, ${alert.rule}, ${alert.severity}, ${alert.message}, case when ${isMailed} then now() end
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
      where ${of(tx, team_id, alert)}
        and mailed_at > now() - interval '1 day'`;
    return row.mails;
  }

  async function tell(tx: Tx, team_id: string, { title, message, deployment_id }: NewAlert) {
    const people = await tx<{ name: string; email: string }[]>`
      select u.name, u.email
      from team_members m
      join users u on u.id = m.user_id
      where m.team_id = ${team_id}`;
    for (const { name, email } of people)
      await sendMail('alert', email, { name, title, detail: message, ...(deployment_id ? { deployment_id } : {}) }, tx);
  }

  const raise: Raise = (team_id, alert) => sql.begin((tx) => raiseWithin(tx, team_id, alert));

  return {
    raise,
    raiseWithin,

    /** The cause is gone: what is open is resolved, and the next time is a new alert. */
    clear: (async (team_id, cause) => {
      await sql`
        update alerts
        set cleared_at = now(), resolved_at = coalesce(resolved_at, now())
        where ${of(sql, team_id, cause)}
          and cleared_at is null`;
    }) as Clear,

    /** A deployment works: what older ones of its environment raised is over. */
    clearOlder: (tx: Tx, deployment_id: string) =>
      tx`
      update alerts a
      set cleared_at = now(), resolved_at = coalesce(resolved_at, now())
      from deployments d
      where d.id = ${deployment_id}
        and a.team_id = d.team_id
        and a.project_id = d.project_id
        and a.environment = d.environment
        and a.cleared_at is null
        and (
          select o.created_at
          from deployments o
          where o.id = a.deployment_id
        ) < d.created_at`.then(() => undefined),

    /** The deployments that alerts of a rule tell of, whose cause is not known to be gone. */
    async uncleared(rule: string): Promise<string[]> {
      const rows = await sql<{ deployment_id: string }[]>`
        select distinct deployment_id
        from alerts
        where rule = ${rule}
          and environment is not null
          and deployment_id is not null
          and cleared_at is null`;
      return rows.map((row) => row.deployment_id);
    },
    clearDeployments: (rule: string, ids: string[]) => sql`
      update alerts
      set cleared_at = now(), resolved_at = coalesce(resolved_at, now())
      where rule = ${rule}
        and environment is not null
        and deployment_id = any(${ids})
        and cleared_at is null`,

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
            ${ofDeployment}`,
      ]);
      return { ...pageOf(rows, input.limit), open: count.open };
    },

    /** Resolving a resolved one changes nothing. */
    async resolve(team_id: string, id: string): Promise<Alert> {
      await sql`
        update alerts
        set resolved_at = now()
        where id = ${id}
          and team_id = ${team_id}
          and resolved_at is null`;
      return get(team_id, id);
    },

    /** Nobody looks at what was resolved so long ago. */
    sweep: () => sql`delete from alerts where resolved_at < now() - interval '90 days'`,
    /** What a database leaves behind when it goes. */
    clearDatabase: (team_id: string, database_id: string, within: Tx = sql) => within`
      update alerts
      set cleared_at = now(), resolved_at = coalesce(resolved_at, now())
      where team_id = ${team_id}
        and database_id = ${database_id}
        and cleared_at is null`,
  };
};
