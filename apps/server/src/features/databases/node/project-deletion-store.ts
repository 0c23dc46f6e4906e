import type { Sql } from '../../../db/connect.ts';

/** Databases of projects that are being deleted. */
export const projectDeletionStore = (sql: Sql) => ({
  /**
   * Marks all databases of these projects for deletion. The rows of managed ones on unknown nodes, whose data nobody can reach, and of
   * external ones are deleted at once. Returns the managed ones among the deleted.
   */
  async endDeleted(): Promise<{ id: string; node: string }[]> {
    await sql`
      update databases b
      set
        wanted = 'deleted',
        status = 'deleting',
        status_message = null,
        is_attached = false
      from projects p
      where p.id = b.project_id
        and p.deleting_at is not null
        and b.mode = 'managed'
        and b.wanted <> 'deleted'
        and not exists (
          select 1
          from deployments d
          where d.project_id = p.id
            and (d.drain_until is not null or d.status in ('queued', 'building', 'deploying', 'active'))
        )`;
    await sql`
      delete from databases b
      using projects p
      where p.id = b.project_id
        and p.deleting_at is not null
        and b.mode = 'byo'`;
    return sql<{ id: string; node: string }[]>`
      delete from databases b
      where b.mode = 'managed'
        and b.wanted = 'deleted'
        and b.node is not null
        and not exists (
          select 1
          from nodes n
          where n.label = b.node
        )
      returning b.id, b.node`;
  },
  async remaining(project_id: string): Promise<number> {
    const [row] = await sql<[{ n: number }]>`
      select count(*)::int as n
      from databases
      where project_id = ${project_id}`;
    return row.n;
  },
});
