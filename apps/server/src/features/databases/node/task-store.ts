import type { Sql } from '../../../db/connect.ts';
import type { Task } from '../rows.ts';

/** Attempts before a task fails: a task that shutdowns interrupted this often may be their cause. */
const maxAttempts = 3;

/** Tasks of this node's databases. */
export const taskStore = (sql: Sql, node: string) => ({
  /** The oldest open task of each of this node's databases. A task in progress when a server ended counts as open. */
  openTasks: () => sql<Task[]>`
    select distinct on (t.database_id)
      t.id, t.team_id, t.database_id, t.kind, t.backup_id, t.secret_sealed, t.secret_key_id, t.attempts, t.of_failed
    from database_tasks t
    join databases b on b.id = t.database_id
    where b.mode = 'managed'
      and b.node = ${node}
      and t.status in ('queued', 'running')
    order by t.database_id, t.created_at, t.id`,

  /** False when the attempts are used up: the task has then failed. */
  async begin(task: Task): Promise<boolean> {
    const [row] = await sql<{ status: string }[]>`
      update database_tasks
      set
        attempts = attempts + 1,
        status = case when attempts >= ${maxAttempts} then 'failed' else 'running' end,
        error_message = case when attempts >= ${maxAttempts} then ${`The server ended ${maxAttempts} times while this was under way.`} end,
        finished_at = case when attempts >= ${maxAttempts} then now() end
      where id = ${task.id}
        and status in ('queued', 'running')
      returning status`;
    return row?.status === 'running';
  },
  handBack: (task: Task) => sql`
    update database_tasks
    set attempts = greatest(0, attempts - 1), status = 'queued'
    where id = ${task.id}
      and status = 'running'`,
  finish: (task: Task, error_message: string | null) =>
    sql.begin(async (tx) => {
      await tx`
        update database_tasks
        set
          status = ${error_message === null ? 'done' : 'failed'},
          error_message = ${error_message},
          finished_at = now(),
          secret_sealed = null,
          secret_key_id = null
        where id = ${task.id}
          and status = 'running'`;
      await tx`select pg_notify('databases', ${task.id})`;
    }),
});
