import type { Quantities } from '@paddock/billing';
import type { Sql } from '../../../db/connect.ts';
import { dayOf } from './months.ts';
import { type Amount, sumAmounts } from './pricing.ts';

export type ClosedStore = ReturnType<typeof closedStore>;

/** Maximum number of months that are considered for invoices. */
const maxMonths = 36;

/** All SQL that reads invoiced usage: that of closed months. Months are named like '2026-11'. */
export const closedStore = (sql: Sql) => ({
  /** The newest closed months, the oldest of them first. */
  async closedMonths(): Promise<string[]> {
    const rows = await sql<{ month: string }[]>`
      select to_char(month, 'YYYY-MM') as month
      from metered_months
      order by metered_months.month desc
      limit ${maxMonths}`;
    return rows.map(({ month }) => month).reverse();
  },

  /** Usage of a team on whole UTC days, from `from` until before `until`. */
  async used(team_id: string, { from, until }: { from: Date; until: Date }): Promise<Quantities> {
    const rows = await sql<Amount[]>`
      select kind, sum(amount)::text as amount
      from metered_days
      where team_id = ${team_id}
        and day >= ${dayOf(from)}::date
        and day < ${dayOf(until)}::date
      group by kind`;
    return sumAmounts(rows);
  },

  /** Late usage of earlier months that is counted in this one, month by month. */
  async corrections(team_id: string, month: string): Promise<({ of_month: string } & Quantities)[]> {
    const rows = await sql<(Amount & { of_month: string })[]>`
      select to_char(of_month, 'YYYY-MM') as of_month, kind, sum(amount)::text as amount
      from metered_corrections
      where team_id = ${team_id}
        and month = ${`${month}-01`}::date
      group by 1, 2
      order by 1`;
    return [...Map.groupBy(rows, (row) => row.of_month)].map(([of_month, own]) => ({ of_month, ...sumAmounts(own) }));
  },
});
