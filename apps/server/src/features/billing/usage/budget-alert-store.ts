import type { BudgetKind } from '@paddock/contract';
import type { Sql, Tx } from '../../../db/connect.ts';
import { budgetTables } from './budget-store.ts';

export interface BudgetAlertRow {
  team_id: string;
  project_id: string;
  percent: number;
}
interface SentAlert {
  month: string;
  percents: readonly number[];
}
export type BudgetAlertStore = ReturnType<typeof budgetAlertStore>;

/** All SQL about budget shares that were notified; a changed budget marks its own in `budget-store.ts`. */
export const budgetAlertStore = (sql: Sql, kind: BudgetKind = 'usage', { warnings } = budgetTables[kind]) => ({
  /** Marks these shares as notified, and returns those that were not notified yet. */
  async warn(tx: Tx, { team_id, project_id }: Pick<BudgetAlertRow, 'team_id' | 'project_id'>, { month, percents }: SentAlert) {
    const told = await tx<{ percent: number }[]>`
      insert into ${tx(warnings)} (team_id, project_id, month, percent)
      select ${team_id}, ${project_id}, ${month}, percent
      from unnest(${[...percents]}::int[]) as percent
      on conflict do nothing
      returning percent`;
    return told.map(({ percent }) => percent);
  },

  /** Warnings of earlier months, and of budgets that were changed or removed. */
  over: (month: string) => sql<BudgetAlertRow[]>`
    select w.team_id, w.project_id, w.percent
    from ${sql(warnings)} w
    where w.month < ${month}
      or w.is_over
    limit 1000`,

  forget: ({ team_id, project_id, percent }: BudgetAlertRow) => sql`
    delete from ${sql(warnings)}
    where team_id = ${team_id}
      and project_id = ${project_id}
      and percent = ${percent}`,
});
