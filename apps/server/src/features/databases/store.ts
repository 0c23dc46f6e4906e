import { ApiError, type Database, type DatabaseType, type Environment } from '@paddock/contract';
import { recordAction } from '../../audit/record-action.ts';
import type { Sql, Tx } from '../../db/connect.ts';
import { paginate, readCursor } from '../../http/cursor.ts';
import type { Sealed } from '../../secrets/seal.ts';
import { visibleDatabases } from './visible.ts';

export type DatabaseStore = ReturnType<typeof databaseStore>;

/** Fields needed only by calls that connect to the database or open its secret. */
export interface Connectable {
  type: DatabaseType;
  mode: Database['mode'];
  status: Database['status'];
  host: string | null;
  port: number | null;
  secret: Sealed;
}

/** Queries behind the databases API. The worker's queries are in node/node-store.ts. */
export const databaseStore = (sql: Sql) => {
  const { columns, visible, get } = visibleDatabases(sql);

  return {
    get,

    async list(
      team_id: string,
      input: { limit: number; cursor?: string | undefined; project_id?: string | undefined; environment?: Environment | undefined },
    ) {
      const at = readCursor(input.cursor);
      const filter = sql`
        ${input.project_id ? sql`and b.project_id = ${input.project_id}` : sql``}
        ${input.environment ? sql`and b.environment = ${input.environment}` : sql``}`;
      const [rows, [count]] = await Promise.all([
        sql<Database[]>`
          select ${columns}
          ${visible(team_id)}
            ${filter}
            ${at ? sql`and (b.created_at, b.id) < (${at.created_at}, ${at.id})` : sql``}
          order by b.created_at desc, b.id desc
          limit ${input.limit + 1}`,
        sql<[{ total: number }]>`select count(*)::int as total ${visible(team_id)} ${filter}`,
      ]);
      return { ...paginate(rows, input.limit), total: count.total };
    },

    async connectable(team_id: string, id: string): Promise<Connectable> {
      const [row] = await sql<(Omit<Connectable, 'secret'> & { secret_sealed: Buffer; secret_key_id: string })[]>`
        select b.type, b.mode, b.status, b.host, b.port, b.secret_sealed, b.secret_key_id
        ${visible(team_id)}
          and b.id = ${id}`;
      if (!row) throw new ApiError('database_not_found');
      const { secret_sealed: sealed, secret_key_id: key_id, ...rest } = row;
      return { ...rest, secret: { sealed, key_id } };
    },

    /** Sets the wanted state of a managed database. Its node is notified at once, even if the state did not change. */
    want: (team_id: string, id: string, wanted: 'running' | 'stopped'): Promise<void> =>
      sql.begin(async (tx) => {
        const [changed] = await tx`
          update databases
          set wanted = ${wanted}
          where team_id = ${team_id}
            and id = ${id}
            and mode = 'managed'
            and wanted <> 'deleted'
          returning 1`;
        if (changed) await recordAction(tx, id);
      }),

    ...deleting(sql),

    /** Repeating it with the same id finds the task made before. */
    addRotation: (team_id: string, id: string, task: { id: string; secret: Sealed }): Promise<void> =>
      sql.begin(async (tx) => {
        const [made] = await tx`
          insert into database_tasks (id, team_id, database_id, kind, secret_sealed, secret_key_id)
          values (${task.id}, ${team_id}, ${id}, 'rotate', ${task.secret.sealed}, ${task.secret.key_id})
          on conflict (id) do nothing
          returning 1`;
        if (made) await recordAction(tx, id);
      }),
    async task(team_id: string, id: string): Promise<{ status: 'queued' | 'running' | 'done' | 'failed'; error_message: string | null }> {
      const [row] = await sql<{ status: 'queued' | 'running' | 'done' | 'failed'; error_message: string | null }[]>`
        select status, error_message
        from database_tasks
        where team_id = ${team_id}
          and id = ${id}`;
      if (!row) throw new ApiError('database_not_found');
      return row;
    },
  };
};

const deleting = (sql: Sql) => ({
  /** From now on the environment may have a new database; the row stays until its node has removed the data. */
  deleteManaged: (team_id: string, id: string): Promise<void> =>
    sql.begin(async (tx) => {
      await tx`
        update databases
        set
          wanted = 'deleted',
          status = 'deleting',
          status_message = null,
          is_attached = false
        where team_id = ${team_id}
          and id = ${id}
          and mode = 'managed'`;
      await recordAction(tx, id);
    }),
  forgetByo: (team_id: string, id: string): Promise<void> =>
    sql.begin(async (tx) => {
      await recordAction(tx, id); // while the database still has a name
      await tx`
        delete from databases
        where team_id = ${team_id}
          and id = ${id}
          and mode = 'byo'`;
    }),
});

/** Creates an environment's managed databases with the deployment that asks for them; existing ones are kept. */
export async function reserve(
  tx: Tx,
  rows: { id: string; team_id: string; project_id: string; environment: Environment; type: DatabaseType; secret: Sealed }[],
): Promise<DatabaseType[]> {
  const made: DatabaseType[] = [];
  for (const { secret, ...row } of rows) {
    const [one] = await tx`
      insert into databases ${tx({ ...row, mode: 'managed', secret_sealed: secret.sealed, secret_key_id: secret.key_id })}
      on conflict (project_id, environment, type, mode)
        where is_attached
        do nothing
      returning 1`;
    if (one) made.push(row.type);
  }
  return made;
}

/** Ports of managed databases on all machines. */
export const managedPorts = (sql: Sql) => sql<{ port: number }[]>`
  select distinct port
  from databases
  where mode = 'managed'
    and port is not null`;
