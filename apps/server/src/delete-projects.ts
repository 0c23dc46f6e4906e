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
  logs: Pick<LogStore, 'removeAll'>;
  blobs: Blobs;
  reserve: Reserve;
  log: Log;
}

/** How long one turn removes the lines of one project. */
const linesMs = 2_000;
/** A turn begins no further project after so long: the other periodic jobs wait for its end. */
const turnMs = 8_000;
/** Further ones than these are forgotten, and count as not tried. */
const triedMost = 10_000;

/**
 * Agents end first, then databases, code and logs go, then the row: a crash on the way only means that the next turn goes on. Files go before rows,
 * so that a full disk has space for what the database writes about their removal. A long log goes over several turns; what a turn has tried stands
 * behind the others in the next.
 */
export function projectDeletion({ projects, transitions, databases, logs, blobs, reserve, log }: Parts) {
  const each = eachOf(log, 'removing a deleted project', { reserve, need: 'removal' });
  /** Projects that were tried and are still there, the last one at the end. */
  const tried = new Set<string>();

  return async () => {
    await reserve.withRoom('removal', () => transitions.endDeleted());
    // failpoint: project-ended
    for (const { id: database, node: gone } of await reserve.withRoom('removal', () => databases.endDeleted()))
      log.warn(
        { database, node: gone },
        'a database of a deleted project was on a node that is not known any more: its data may still lie there',
      );
    const until = performance.now() + turnMs;
    await each(
      await projects.deleting([...tried]),
      ({ id }) => id,
      async (project) => {
        if (performance.now() < until) await tryToRemove(project);
      },
    );
  };

  async function tryToRemove(project: { id: string; team_id: string }) {
    tried.delete(project.id);
    tried.add(project.id);
    if (tried.size > triedMost) tried.delete(tried.values().next().value!);
    if (await remove(project)) tried.delete(project.id);
  }

  /** False if something is left for the next turn. */
  async function remove({ id, team_id }: { id: string; team_id: string }): Promise<boolean> {
    const { ending, ids, blobs: sources } = await transitions.remains(id);
    if (ending || (await databases.remaining(id))) return false;
    const kept = await transitions.blobsInUse(sources, id);
    for (const blob of sources) if (!kept.has(blob)) await blobs.remove(blob);
    if (!(await logs.removeAll(ids, linesMs))) return false;
    // failpoint: project-logs-removed
    await projects.removeForGood(team_id, id);
    // failpoint: project-row-removed
    return true;
  }
}
