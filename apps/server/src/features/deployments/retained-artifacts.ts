import type { Artifact } from '@paddock/builder';
import type { Sql } from '../../db/connect.ts';

/** Builds kept per project and environment besides what runs: each may take hundreds of megabytes. */
const artifactsKept = 10;

/** What the sweeps of a disk must leave. */
export const retainedArtifacts = (sql: Sql) => ({
  /** What runs, and of each environment the latest of the last week, so that going back to one of them is quick. Older ones are built again. */
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
  /** What agents run from, or are about to: all else can be built again. */
  artifactsNeeded: () => sql<{ artifact: Artifact }[]>`
    select artifact
    from deployments
    where artifact is not null
      and (status in ('queued', 'building', 'deploying', 'active') or drain_until is not null)`,
  /** Those of these archives that a deployment names, other than those of the given project. */
  async blobsInUse(ids: string[], besides = ''): Promise<Set<string>> {
    const rows = await sql<{ source_blob: string }[]>`
      select source_blob
      from deployments
      where source_blob = any(${ids})
        and project_id <> ${besides}`;
    return new Set(rows.map((row) => row.source_blob));
  },
});
