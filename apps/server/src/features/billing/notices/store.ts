import type { Notice } from '@paddock/billing';
import { ApiError, type BillingNotice } from '@paddock/contract';
import { billingLimits } from '@paddock/contract/limits';
import type { Sql, Tx } from '../../../db/connect.ts';
import { newId } from '../../../ids.ts';
import { removeInBatches } from '../../../jobs/remove-in-batches.ts';
import type { NoticeFacts } from './notice-facts.ts';
import { problems, texts } from './texts.ts';

/** A member who is notified. */
export interface Person {
  name: string;
  email: string;
  email_verified: boolean;
}
export type NoticeStore = ReturnType<typeof noticeStore>;

/** Retention of notices. */
const keptDays = 90;

/** All SQL of notices. */
export const noticeStore = (sql: Sql) => ({
  add: (tx: Tx, team_id: string, { kind, at, about }: { kind: Notice; at: number; about: NoticeFacts }) => tx`
    insert into billing_notices (id, team_id, kind, at, about)
    values (${newId('bln')}, ${team_id}, ${kind}, ${new Date(at).toISOString()}, ${tx.json(about as never)})`,

  /** Marks the problems of paid or dropped invoices as solved. */
  solve: (tx: Tx, team_id: string) => tx`
    update billing_notices
    set is_read = true
    where team_id = ${team_id}
      and kind = any(${[...problems]})
      and not is_read`,

  people: (tx: Tx, team_id: string) => tx<Person[]>`
    select u.name, u.email, u.email_verified
    from team_members m
    join users u on u.id = m.user_id
    where m.team_id = ${team_id}`,

  async shown(team_id: string): Promise<BillingNotice[]> {
    const rows = await sql<{ id: string; kind: Notice; at: string; about: NoticeFacts }[]>`
      select id, kind, at, about
      from billing_notices
      where team_id = ${team_id}
        and not is_read
      order by at desc, id desc
      limit ${billingLimits.notices}`;
    return rows.map(({ id, kind, at, about }) => ({ id, kind, at, text: texts[kind](about), is_problem: problems.includes(kind) }));
  },

  /** Dismissing a dismissed notice changes nothing. Throws billing_notice_not_found. */
  async dismiss(team_id: string, id: string): Promise<void> {
    const found = await sql`
      update billing_notices
      set is_read = true
      where team_id = ${team_id}
        and id = ${id}
      returning 1`;
    if (found.length === 0) throw new ApiError('billing_notice_not_found');
  },

  sweep: () =>
    removeInBatches(
      (rows) => sql`
        delete from billing_notices
        where ctid = any(array(
          select ctid
          from billing_notices
          where at < now() - make_interval(days => ${keptDays})
          limit ${rows}
        ))`,
    ),
});
