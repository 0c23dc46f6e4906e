import type { Sql } from '../../../db/connect.ts';

export type DeadlineStore = ReturnType<typeof deadlineStore>;

/** All SQL about expired timers. */
export const deadlineStore = (sql: Sql) => ({
  async teams(now: Date, limit: number): Promise<string[]> {
    const rows = await sql<{ team_id: string }[]>`
      select team_id
      from billing_accounts
      where due_at <= ${now.toISOString()}
      order by due_at, team_id
      limit ${limit}`;
    return rows.map(({ team_id }) => team_id);
  },
});
