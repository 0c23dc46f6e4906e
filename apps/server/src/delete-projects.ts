import type { Blobs } from './blobs/blobs.ts';
import type { Reserve } from './disk/reserve.ts';
import type { Transitions } from './features/deployments/transitions.ts';
import type { LogStore } from './features/logs/store.ts';
import type { ProjectStore } from './features/projects/store.ts';
import { eachOf } from './jobs/each.ts';
import type { Log } from './log.ts';

interface Parts {
  projects: ProjectStore;
  transitions: Transitions;
  databases: { endDeleted: () => Promise<{ id: string; node: string }[]>; remaining: (project_id: string) => Promise<number> };
  logs: LogStore;
  blobs: Blobs;
  reserve: Reserve;
  log: Log;
}

/**
 * Agents end first, then databases, code and logs go, then the row: a crash on the way only means that the next turn goes on. Files go before rows,
 * so that a full disk has space for what the database writes about their removal.
 */
export function projectDeletion({ projects, transitions, databases, logs, blobs, reserve, log }: Parts) {
  const each = eachOf(log, 'removing a deleted project', { reserve, need: 'removal' });

  return async () => {
    await reserve.withRoom('removal', () => transitions.endDeleted());
    // failpoint: project-ended
    for (const { id: database, node: gone } of await reserve.withRoom('removal', () => databases.endDeleted()))
      log.warn(
        { database, node: gone },
        'a database of a deleted project was on a node that is not known any more: its data may still lie there',
      );
    await each(await projects.deleting(), ({ id }) => id, remove);
  };

  async function remove({ id, team_id }: { id: string; team_id: string }) {
    const { ending, ids, blobs: sources } = await transitions.remains(id);
    if (ending || (await databases.remaining(id))) return;
    const kept = await transitions.blobsInUse(sources, id);
    for (const blob of sources) if (!kept.has(blob)) await blobs.remove(blob);
    await logs.removeAll(ids);
    // failpoint: project-logs-removed
    await projects.removeForGood(team_id, id);
    // failpoint: project-row-removed
  }
}
