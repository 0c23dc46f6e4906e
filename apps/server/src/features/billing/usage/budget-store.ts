import { ApiError, type BudgetKind } from '@paddock/contract';
import { usageLimits } from '@paddock/contract/limits';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import { lockTeam } from '../../../db/lock-team.ts';
import type { Amount } from './pricing.ts';

/** The budget of a project, or of the whole team: then `project_id` is ''. */
export interface BudgetRow {
  team_id: string;
  project_id: string;
  project_name: string | null;
  amount_cents: number;
}
export type BudgetStore = ReturnType<typeof budgetStore>;

/** Budgets of each kind and their warnings have tables of their own. */
export const budgetTables = {
  usage: { budgets: 'budgets', warnings: 'budget_warnings' },
  models: { budgets: 'model_budgets', warnings: 'model_budget_warnings' },
} as const satisfies Record<BudgetKind, { budgets: string; warnings: string }>;

/** All SQL about budgets and their notifications. */
export const budgetStore = (sql: Sql, kind: BudgetKind = 'usage') => {
  const { budgets, warnings } = budgetTables[kind];
  // The budget of a deleted project is removed by the job.
  const rows = (where: ReturnType<Sql>) => sql<BudgetRow[]>`
    select b.team_id, b.project_id, p.name as project_name, b.amount_cents::float8 as amount_cents
    from ${sql(budgets)} b
    left join projects p on p.id = b.project_id
      and p.team_id = b.team_id
      and p.deleting_at is null
    where ${where}
      and (b.project_id = '' or p.id is not null)
    order by b.project_id <> '', p.name, b.project_id`;

  return {
    list: (team_id: string) => rows(sql`b.team_id = ${team_id}`),
    of: (team_ids: readonly string[]) => rows(sql`b.team_id = any(${team_ids as string[]})`),

    /** Teams with budgets after this one, in order. */
    async teamsAfter(after: string, limit: number): Promise<string[]> {
      const teams = await sql<{ team_id: string }[]>`
        select distinct team_id
        from ${sql(budgets)}
        where team_id > ${after}
        order by team_id
        limit ${limit}`;
      return teams.map(({ team_id }) => team_id);
    },

    /** Null removes it. A new amount resets the notifications of the old one. */
    async set(team_id: string, project_id: string, amount_cents: number | null): Promise<void> {
      await sql.begin(async (tx) => {
        await lockTeam(tx, team_id);
        const changed =
          amount_cents === null
            ? await remove(tx, { budgets, team_id, project_id })
            : await put(tx, { budgets, team_id, project_id, amount_cents });
        if (!changed) return;
        await tx`
          update ${tx(warnings)}
          set is_over = true
          where team_id = ${team_id}
            and project_id = ${project_id}`;
        const of = project_id === '' ? {} : { project_id };
        await recordAction(tx, team_id, { input: { kind, amount: amount_cents === null ? null : amount_cents / 100, ...of } });
      });
    },

    /** Usage of this month by these teams: of each project with a budget, and of all others together, with a `project_id` of ''. */
    spent: (month: string, team_ids: readonly string[]) => sql<(Amount & { team_id: string; project_id: string })[]>`
      select u.team_id, coalesce(b.project_id, '') as project_id, u.kind, sum(u.amount)::text as amount
      from (
        select team_id, project_id, kind, amount
        from metered_days
        where day >= ${month}::date
          and day < ${month}::date + interval '1 month'
        union all
        select team_id, project_id, kind, amount
        from metered_corrections
        where month = ${month}
      ) u
      left join budgets b on b.team_id = u.team_id and b.project_id = u.project_id
      where u.team_id = any(${team_ids as string[]})
      group by 1, 2, 3`,

    begin: <T>(work: (tx: Tx) => Promise<T>) => sql.begin(work),

    /** Removes budgets of deleted projects. */
    sweep: () => sql`
      delete from ${sql(budgets)} b
      where b.project_id <> ''
        and not exists (
          select 1
          from projects p
          where p.id = b.project_id
        )`,
  };
};

interface Key {
  /** The table. */
  budgets: string;
  team_id: string;
  project_id: string;
}

async function remove(tx: Tx, { budgets, team_id, project_id }: Key): Promise<boolean> {
  const removed = await tx`
    delete from ${tx(budgets)}
    where team_id = ${team_id}
      and project_id = ${project_id}
    returning 1`;
  return removed.length > 0;
}

/** Whether it differs from before. Throws project_not_found, and budgets_too_many. */
async function put(tx: Tx, { budgets, team_id, project_id, amount_cents }: Key & { amount_cents: number }): Promise<boolean> {
  if (project_id !== '') {
    const [project] = await tx`
      select 1
      from projects
      where team_id = ${team_id}
        and id = ${project_id}
        and deleting_at is null`;
    if (!project) throw new ApiError('project_not_found');
  }
  const [others] = await tx<[{ count: number }]>`
    select count(*)::int as count
    from ${tx(budgets)}
    where team_id = ${team_id}
      and project_id <> ${project_id}`;
  if (others.count >= usageLimits.budgets) throw new ApiError('budgets_too_many');
  const changed = await tx`
    insert into ${tx(budgets)} as b (team_id, project_id, amount_cents)
    values (${team_id}, ${project_id}, ${amount_cents})
    on conflict (team_id, project_id) do update
    set amount_cents = excluded.amount_cents
    where b.amount_cents <> excluded.amount_cents
    returning 1`;
  return changed.length > 0;
}
