import type { Sql } from '../../../db/connect.ts';

export type WriteOffStore = ReturnType<typeof writeOffStore>;

const maxPerRun = 100;

/** All SQL about debts that the operator writes off. */
export const writeOffStore = (sql: Sql) => ({
  async teams(): Promise<string[]> {
    const rows = await sql<{ team_id: string }[]>`
      select team_id
      from billing_write_offs
      order by team_id
      limit ${maxPerRun}`;
    return rows.map(({ team_id }) => team_id);
  },

  done: (team_id: string) => sql`
    delete from billing_write_offs
    where team_id = ${team_id}`,
});
