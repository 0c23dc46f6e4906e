import { ApiError, type Database, databaseVariables } from '@paddock/contract';
import { connectionString } from '@paddock/database-driver';
import type { Changes } from '../../db/changes.ts';
import { databaseContext } from '../../secrets/contexts.ts';
import type { Seal } from '../../secrets/seal.ts';
import { newPassword } from './passwords.ts';
import type { LifecycleHandlers } from './routes.ts';
import type { Connectable, DatabaseStore } from './store.ts';

/** How long the caller of a rotation waits for it. The rotation continues without the caller. */
const rotationMs = 15_000;
/** Poll interval, because a notification may be missed. */
const lookMs = 2_000;

interface Deps {
  store: DatabaseStore;
  seal: Seal;
  changes: Changes;
}

/** API calls that list, start, stop and delete databases, and that show or change their credentials. */
export const lifecycleHandlers = ({ store, seal, changes }: Deps): LifecycleHandlers => {
  const managed = async (team_id: string, id: string): Promise<Database> => {
    const row = await store.get(team_id, id);
    if (row.mode !== 'managed') throw new ApiError('database_not_managed');
    return row;
  };

  return {
    async list(input, { actor }) {
      const { rows, ...rest } = await store.list(actor.team_id, input);
      return { databases: rows, ...rest };
    },
    get: ({ id }, { actor }) => store.get(actor.team_id, id),

    async delete({ id }, { actor }) {
      const { mode } = await store.get(actor.team_id, id);
      if (mode === 'managed') await store.deleteManaged(actor.team_id, id);
      else await store.forgetByo(actor.team_id, id);
      return null;
    },

    async connectionString({ id }, { actor }) {
      const row = await store.connectable(actor.team_id, id);
      const url = buildConnectionUrl(row, seal.open(row.secret, databaseContext(id)));
      return { connection_string: url, env_var: databaseVariables[row.type], command: commandOf(row.type, url) };
    },

    async start({ id }, { actor }) {
      const { status, name, port } = await managed(actor.team_id, id);
      if (status === 'deleting') throw new ApiError('database_not_ready');
      if (status === 'failed' && name !== 'main' && port === null)
        throw new ApiError('database_not_ready', {
          detail: 'This copy was never restored, so there is nothing to start. Delete it, and restore the backup again.',
        });
      await store.want(actor.team_id, id, 'running');
      return store.get(actor.team_id, id);
    },
    async stop({ id }, { actor }) {
      const { status } = await managed(actor.team_id, id);
      if (status === 'deleting') throw new ApiError('database_not_ready');
      await store.want(actor.team_id, id, 'stopped');
      return store.get(actor.team_id, id);
    },

    async rotatePassword({ id }, { actor, newId, signal }) {
      const { status } = await managed(actor.team_id, id);
      if (status !== 'available') throw new ApiError('database_not_ready');
      const task_id = newId('tsk');
      await store.addRotation(actor.team_id, id, { id: task_id, secret: newPassword(seal, id) });
      const error = await outcome(actor.team_id, task_id, signal);
      if (error !== null) throw new ApiError('database_not_ready', { detail: error });
      return store.get(actor.team_id, id);
    },
  };

  /** Null once done. Throws `unavailable` when it takes longer: a retry with the same key finds the same task. */
  async function outcome(team_id: string, task_id: string, signal: AbortSignal): Promise<string | null> {
    for (const end = performance.now() + rotationMs; !signal.aborted; ) {
      const heard = new AbortController();
      // The wait begins before the read, or a change between the two would be missed.
      const waiting = changes.wait('databases', { payload: task_id, maxMs: lookMs }, AbortSignal.any([signal, heard.signal]));
      const { status, error_message } = await store.task(team_id, task_id);
      const isOver = status === 'done' || status === 'failed';
      if (isOver || performance.now() > end) heard.abort();
      await waiting;
      if (isOver) return status === 'done' ? null : (error_message ?? 'The password could not be changed.');
      if (performance.now() > end) break;
    }
    throw new ApiError('unavailable', {
      detail:
        'The password is not changed yet: the server that has the database is busy with it or does not answer. It is changed as soon as it can be.',
      retry_after_s: 5,
    });
  }
};

function buildConnectionUrl({ type, mode, host, port }: Connectable, secret: string): string {
  if (mode === 'byo') return secret;
  if (host === null || port === null) throw new ApiError('database_not_ready');
  return connectionString(type, { host, port }, secret);
}

const commandOf = (type: Connectable['type'], url: string) =>
  type === 'postgresql' ? `psql ${quoted(url)}` : `redis-cli -u ${quoted(url)}`;
/** Quotes a text for a shell, so that no character in it is special. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
