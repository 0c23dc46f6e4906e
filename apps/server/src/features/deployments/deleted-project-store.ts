import type { Sql } from '../../db/connect.ts';
import { fenceRaised } from './leases.ts';
import { move } from './states.ts';

/** The deployments of projects that are being deleted. */
export const deletedProjectStore = (sql: Sql) => ({
  /** Ends all deployments of projects that are being deleted; workers on them lose their leases. */
  endDeleted: () =>
    sql.begin(async (tx) => {
      await move(tx, {
        to: 'stopped',
        why: 'project_deleted',
        where: tx`
          d.status in ('queued', 'building', 'deploying', 'active')
          and exists (
            select 1
            from projects p
            where p.id = d.project_id
              and p.deleting_at is not null
          )`,
        set: tx`
          is_current = false,
          ended_at = coalesce(ended_at, now()),
          drain_until = now(),
          restart_at = null,
          ${fenceRaised(tx)}`,
      });
      // Deployments that only drain, or are kept for the next one's first minute, end at once.
      await tx`
        update deployments d
        set drain_until = now()
        from projects p
        where p.id = d.project_id
          and p.deleting_at is not null
          and d.drain_until > now()`;
    }),

  /** State of a project that is being deleted: the number of instances still running, and the code to remove. */
  remains: async (project_id: string) => {
    const rows = await sql<{ id: string; source_blob: string; ending: boolean }[]>`
      select id, source_blob, drain_until is not null or status in ('queued', 'building', 'deploying', 'active') as ending
      from deployments
      where project_id = ${project_id}`;
    return { ending: rows.filter((row) => row.ending).length, ids: rows.map((row) => row.id), blobs: rows.map((row) => row.source_blob) };
  },
});
