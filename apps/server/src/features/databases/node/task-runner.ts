import type { DatabaseDriver } from '@paddock/database-driver';
import { databaseContext } from '../../../secrets/contexts.ts';
import type { Seal } from '../../../secrets/seal.ts';
import { type LiveDatabase, type ManagedRow, type Task, type TaskHandler, type TaskHandlers } from '../rows.ts';
import { typeLabel } from '../type-labels.ts';
import type { NodeDatabases, RestartAgents } from './node-store.ts';

/** Time limit of a task. */
const maxMs = 30 * 60_000;

interface Deps {
  store: NodeDatabases;
  handlers: TaskHandlers;
  toDatabaseSpec: (row: ManagedRow) => LiveDatabase['spec'];
}

/**
 * Runs one task and records its result. Errors of the task itself are not thrown. A task that `cut` aborts, because the server shuts down
 * or the database is deleted, starts again later.
 */
export const taskRunner =
  ({ store, handlers, toDatabaseSpec }: Deps) =>
  async (task: Task, { row, live }: { row: ManagedRow; live: LiveDatabase | undefined }, cut: AbortSignal): Promise<void> => {
    if (!(await store.begin(task))) return;
    const limit = AbortSignal.timeout(maxMs);
    // failpoint: database-task-begun
    try {
      await handlers[task.kind](task, { row, spec: toDatabaseSpec(row), live }, AbortSignal.any([cut, limit]));
      await store.finish(task, null);
    } catch (error) {
      if (cut.aborted) return void (await store.handBack(task));
      const sentence = limit.aborted ? `It took longer than ${maxMs / 60_000} minutes and was ended.` : (error as Error).message;
      await store.finish(task, sentence.slice(0, 500));
    }
  };

interface RotateParts {
  driver: Pick<DatabaseDriver, 'setPassword'>;
  store: NodeDatabases;
  seal: Seal;
  renew: RestartAgents;
  tell: LogToAgents;
}

/** Writes a platform line to the log of the environment's active deployment, if one uses the database. */
export type LogToAgents = (
  of: Pick<ManagedRow, 'team_id' | 'project_id' | 'environment'>,
  level: 'info' | 'warning',
  message: string,
) => Promise<void>;

/** The server gets the new password first; a crash in between repeats the task with the same one. */
export const rotateTask =
  ({ driver, store, seal, renew, tell }: RotateParts): TaskHandler =>
  async (task, { row, live }) => {
    if (!live) throw new Error(`The ${typeLabel[row.type]} database does not run. Start it, then change its password.`);
    if (!task.secret_sealed || !task.secret_key_id) throw new Error('The new password is no longer stored. Rotate it again.');
    const password = seal.open({ sealed: task.secret_sealed, key_id: task.secret_key_id }, databaseContext(row.id));
    await driver.setPassword({ ...live.spec, password }, live.address);
    // failpoint: database-password-set
    await store.rotated(row, task, renew);
    await tell(row, 'info', `The password of the ${typeLabel[row.type]} database was changed; the agent starts anew with the new one`);
  };
