import type { Notice } from '@paddock/billing';
import { ApiError } from '@paddock/contract';
import { billingLimits } from '@paddock/contract/limits';
import type { PlanId } from '@paddock/contract/plans';
import type { Sql, Tx } from '../../../db/connect.ts';
import { newId } from '../../../ids.ts';
import { removeInBatches } from '../../../jobs/remove-in-batches.ts';

/** The stored facts of a notice: instants in milliseconds, money in cents. */
export interface NoticeFacts {
  plan: PlanId | null;
  /** Amount of the payment that the notice is about, or of the credit for a smaller plan. */
  cents: number;
  reason: string | null;
  /** The invoice or credit note, and its number; null for a draft that was dropped. */
  document_id: string | null;
  number: number | null;
  period_end: number | null;
  next_try_at: number | null;
  /** Until then it can be paid. */
  ends_at: number | null;
  purpose: 'first' | 'switch' | 'renewal' | 'usage';
  /** A switch revoked a pending cancellation. Notices of earlier releases lack the field. */
  undoes_cancellation?: boolean;
}
export interface NoticeRow {
  id: string;
  kind: Notice;
  at: string;
  about: NoticeFacts;
}
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

  /** Marks notices of these kinds as read. */
  markRead: (tx: Tx, team_id: string, kinds: readonly Notice[]) => tx`
    update billing_notices
    set is_read = true
    where team_id = ${team_id}
      and kind = any(${[...kinds]})
      and not is_read`,

  people: (tx: Tx, team_id: string) => tx<Person[]>`
    select u.name, u.email, u.email_verified
    from team_members m
    join users u on u.id = m.user_id
    where m.team_id = ${team_id}`,

  /** Notices that are not read, the newest first. */
  unread: (team_id: string) => sql<NoticeRow[]>`
    select id, kind, at, about
    from billing_notices
    where team_id = ${team_id}
      and not is_read
    order by at desc, id desc
    limit ${billingLimits.notices}`,

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
