import type { Sql } from '../../../db/connect.ts';

export interface Span {
  from: number;
  until: number | null;
}
export type MonthStore = ReturnType<typeof monthStore>;

/** All SQL about teams whose accounts lack a closed month. */
export const monthStore = (sql: Sql) => ({
  /** Teams with a subscription after the last month that their account contains, and before `until`, the end of the newest closed month. */
  behind: ({ month, until }: { month: string; until: Date }, limit: number) => sql<{ team_id: string; closed_through: string | null }[]>`
    select team_id, account ->> 'closed_through' as closed_through
    from billing_accounts a
    where gone_at is null
      and coalesce(account ->> 'closed_through', '') < ${month}
      and exists (
        select 1
        from billing_spans s
        where s.team_id = a.team_id
          and s.from_at < ${until.toISOString()}
          and coalesce(s.until_at, 'infinity') > coalesce(
            ((account ->> 'closed_through') || '-01')::date::timestamp at time zone 'UTC' + interval '1 month',
            '-infinity'
          )
      )
    order by team_id
    limit ${limit}`,

  /** The periods in which the team had a subscription. */
  async spans(team_id: string): Promise<Span[]> {
    const rows = await sql<{ from_at: string; until_at: string | null }[]>`
      select from_at, until_at
      from billing_spans
      where team_id = ${team_id}
      order by from_at`;
    return rows.map(({ from_at, until_at }) => ({ from: Date.parse(from_at), until: until_at === null ? null : Date.parse(until_at) }));
  },
});
