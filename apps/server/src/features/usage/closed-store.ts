import type { Sql } from '../../db/connect.ts';

/** Seconds, bytes and byte-hours, exact. */
export interface Used {
  compute: bigint;
  bandwidth: bigint;
  storage: bigint;
}
export type ClosedStore = ReturnType<typeof closedStore>;

/** Months that are looked at for invoices. */
const most = 36;

/** All SQL that reads what is invoiced: usage of months that are closed. Months are named as '2026-11'. */
export const closedStore = (sql: Sql) => ({
  /** The newest closed months, the oldest of them first. */
  async closedMonths(): Promise<string[]> {
    const rows = await sql<{ month: string }[]>`
      select to_char(month, 'YYYY-MM') as month
      from metered_months
      order by metered_months.month desc
      limit ${most}`;
    return rows.map(({ month }) => month).reverse();
  },

  /** What a team used on whole UTC days, from `from` until before `until`. */
  async used(team_id: string, { from, until }: { from: Date; until: Date }): Promise<Used> {
    const rows = await sql<Sum[]>`
      select kind, sum(amount)::text as amount
      from metered_days
      where team_id = ${team_id}
        and day >= ${dayOf(from)}::date
        and day < ${dayOf(until)}::date
      group by kind`;
    return usedOf(rows);
  },

  /** What became known of earlier months and is counted in this one, month by month. */
  async corrections(team_id: string, month: string): Promise<({ of_month: string } & Used)[]> {
    const rows = await sql<(Sum & { of_month: string })[]>`
      select to_char(of_month, 'YYYY-MM') as of_month, kind, sum(amount)::text as amount
      from metered_corrections
      where team_id = ${team_id}
        and month = ${`${month}-01`}::date
      group by 1, 2
      order by 1`;
    return [...Map.groupBy(rows, (row) => row.of_month)].map(([of_month, own]) => ({ of_month, ...usedOf(own) }));
  },
});

interface Sum {
  kind: string;
  amount: string;
}

function usedOf(rows: readonly Sum[]): Used {
  const of = (kind: string) => BigInt(rows.find((row) => row.kind === kind)?.amount ?? 0);
  return { compute: of('compute_s'), bandwidth: of('bandwidth_bytes'), storage: of('storage_byte_hours') };
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);
