import type { Blobs } from './blobs/blobs.ts';
import type { Reserve } from './disk/reserve.ts';
import type { Transitions } from './features/deployments/transitions.ts';
import type { LogStore } from './features/logs/store.ts';
import type { ProjectStore } from './features/projects/store.ts';
import { createIsolatedLoop } from './jobs/isolated-loop.ts';
import type { Log } from './log.ts';

interface Deps {
  projects: ProjectStore;
  transitions: Transitions;
  databases: {
    endDeleted: () => Promise<{ id: string; node: string }[]>;
    remaining: (project_id: string) => Promise<number>;
  };
  logs: Pick<LogStore, 'removeAll'>;
  traces: { removeOf: (deployment_ids: readonly string[]) => Promise<boolean> };
  blobs: Blobs;
  reserve: Reserve;
  log: Log;
}

/** Maximum time per turn to remove the lines of one project. */
const linesMs = 2_000;
/** After this time a turn begins no further project, because the other periodic jobs wait for it. */
const turnMs = 8_000;
/** Beyond this number the oldest projects are dropped, and count as not tried. */
const maxTried = 10_000;

/**
 * Agents end first, then databases, code and logs are removed, then the row: after a crash the next turn continues. Files are removed before rows,
 * so that a full disk has space for the database's writes about their removal. A long log is removed over several turns; projects that a turn has
 * tried come after the others in the next turn.
 */
export function projectDeletion({ projects, transitions, databases, logs, traces, blobs, reserve, log }: Deps) {
  const each = createIsolatedLoop(log, 'removing a deleted project', { reserve, need: 'removal' });
  /** Projects that were tried and still exist, the last tried at the end. */
  const tried = new Set<string>();

  return { job: { name: 'project.delete', everySeconds: 2, run: turn } };

  async function turn() {
    await reserve.withRoom('removal', () => transitions.endDeleted());
    // failpoint: project-ended
    for (const { id: database, node } of await reserve.withRoom('removal', () => databases.endDeleted()))
      log.warn({ database, node }, 'database of a deleted project was on an unknown node: its data may remain there');
    const until = performance.now() + turnMs;
    await each(
      await projects.deleting([...tried]),
      ({ id }) => id,
      async (project) => {
        if (performance.now() < until) await tryToRemove(project);
      },
    );
  }

  async function tryToRemove(project: { id: string; team_id: string }) {
    tried.delete(project.id);
    tried.add(project.id);
    if (tried.size > maxTried) tried.delete(tried.values().next().value!);
    if (await remove(project)) tried.delete(project.id);
  }

  /** False if a part of the project remains for the next turn. */
  async function remove({ id, team_id }: { id: string; team_id: string }): Promise<boolean> {
    const { ending, ids, blobs: sources } = await transitions.remains(id);
    if (ending || (await databases.remaining(id))) return false;
    const kept = await transitions.blobsInUse(sources, id);
    for (const blob of sources) if (!kept.has(blob)) await blobs.remove(blob);
    if (!(await logs.removeAll(ids, linesMs))) return false;
    if (!(await traces.removeOf(ids))) return false;
    // failpoint: project-logs-removed
    await projects.removeForGood(team_id, id);
    // failpoint: project-row-removed
    return true;
  }
}
