import { recordAction } from '../../../audit/record-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import { removeTeamKeys } from '../../../http/idempotency.ts';

export type DeletionStore = ReturnType<typeof deletionStore>;

/** Steps of other features when a team ends, in the transaction that marks it. */
export interface Endings {
  endProjects: (tx: Tx, team_id: string) => Promise<void>;
  endBilling: (tx: Tx, team_id: string) => Promise<void>;
}

/** All SQL of deleting accounts, and the teams that are deleted with them. */
export const deletionStore = (sql: Sql) => ({
  /**
   * In one transaction, removes the person with sessions and keys, and marks the projects of teams without other members. The rest of such
   * a team is removed by `removeDeletedTeams`, which starts again after a crash.
   */
  deleteAccount: (user_id: string, { endProjects, endBilling }: Endings) =>
    sql.begin(async (tx) => {
      // Two members who leave concurrently wait for each other here, so that one of them is the last.
      await tx`
        select 1
        from team_members
        where team_id in (
          select team_id
          from team_members
          where user_id = ${user_id}
        )
        order by team_id, user_id
        for update`;
      const teams = await tx<{ team_id: string }[]>`
        select team_id
        from team_members m
        where user_id = ${user_id}
          and not exists (
            select 1
            from team_members o
            where o.team_id = m.team_id
              and o.user_id <> ${user_id}
          )
        order by team_id`;
      await recordAction(tx, user_id);
      // Payments and projects first: every change of one locks its row and then its team's.
      for (const { team_id } of teams) {
        await endBilling(tx, team_id);
        await endProjects(tx, team_id);
        await tx`
          update teams
          set deleting_at = now()
          where id = ${team_id}`;
      }
      await tx`delete from users where id = ${user_id}`;
    }),

  deletingTeams: () => sql<{ id: string }[]>`
    select id
    from teams
    where deleting_at is not null
    order by deleting_at
    limit 20`,

  /** Removes a team that has no project left. */
  removeTeam: (team_id: string) =>
    sql.begin(async (tx) => {
      const gone = await tx`
        delete from teams t
        where id = ${team_id}
          and deleting_at is not null
          and not exists (
            select 1
            from projects
            where team_id = t.id
          )
        returning 1`;
      if (gone.length) await removeTeamKeys(tx, team_id);
    }),
});
