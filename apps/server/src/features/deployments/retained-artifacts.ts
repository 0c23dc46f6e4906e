import type { Artifact } from '@paddock/builder';
import type { Sql } from '../../db/connect.ts';

/** Builds kept per project and environment besides the running one: each may take hundreds of megabytes. */
const artifactsKept = 10;

/** Artifacts and archives that disk cleanups must keep. */
export const retainedArtifacts = (sql: Sql) => ({
  /**
   * Artifacts that run, and each environment's latest ones of the last week, so that a rollback is quick. Older ones are built again when
   * needed.
   */
  artifactsInUse: () => sql<{ artifact: Artifact }[]>`
    select artifact
    from (
      select
        artifact,
        created_at,
        status in ('building', 'deploying', 'active') or drain_until is not null as runs,
        row_number() over (partition by project_id, environment order by created_at desc, id desc) as place
      from deployments
      where artifact is not null
    ) d
    where runs or (place <= ${artifactsKept} and created_at > now() - interval '7 days')`,
  /** Artifacts of running and starting agents: all others can be built again. */
  artifactsNeeded: () => sql<{ artifact: Artifact }[]>`
    select artifact
    from deployments
    where artifact is not null
      and (status in ('queued', 'building', 'deploying', 'active') or drain_until is not null)`,
  /** The archives among these that deployments use, other than those of the given project. */
  async blobsInUse(ids: string[], besides = ''): Promise<Set<string>> {
    const rows = await sql<{ source_blob: string }[]>`
      select source_blob
      from deployments
      where source_blob = any(${ids})
        and project_id <> ${besides}`;
    return new Set(rows.map((row) => row.source_blob));
  },
});
