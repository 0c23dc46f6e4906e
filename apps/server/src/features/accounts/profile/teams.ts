import type { Sql } from '../../../db/connect.ts';
import type { Each } from '../../../jobs/each.ts';
import type { ProfileStore } from './profile-store.ts';

interface Projects {
  deleteAll: (tx: Sql, team_id: string) => Promise<void>;
}

/**
 * Removes teams whose last member deleted their account, once their projects are gone. Each turn looks anew, so a crash only delays it;
 * a project that a request under way made meanwhile ends like the others.
 */
export async function removeDeletedTeams(
  sql: Sql,
  store: Pick<ProfileStore, 'deletingTeams' | 'removeTeam'>,
  projects: Projects,
  each: Each,
) {
  await each(
    await store.deletingTeams(),
    ({ id }) => id,
    async ({ id }) => {
      await projects.deleteAll(sql, id);
      await store.removeTeam(id);
    },
  );
}
