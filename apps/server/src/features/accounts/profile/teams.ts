import type { Sql } from '../../../db/connect.ts';
import type { IsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { DeletionStore } from './deletion-store.ts';

interface Deps {
  sql: Sql;
  store: Pick<DeletionStore, 'deletingTeams' | 'removeTeam'>;
  projects: { deleteAll: (tx: Sql, team_id: string) => Promise<void> };
  each: IsolatedLoop;
}

/**
 * Removes teams whose last member deleted their account, once their projects are gone. Each turn reads the current state, so that a crash only
 * delays the removal; a project that a concurrent request created is removed like the others.
 */
export async function removeDeletedTeams({ sql, store, projects, each }: Deps) {
  await each(
    await store.deletingTeams(),
    ({ id }) => id,
    async ({ id }) => {
      await projects.deleteAll(sql, id);
      await store.removeTeam(id);
    },
  );
}
