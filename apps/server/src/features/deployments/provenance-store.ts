import { ApiError, type Provenance } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';
import { originColumns } from './rows.ts';

/** Maximum live deployments per team; the newest ones are checked. */
export const maxLive = 2_000;

type Fragment = ReturnType<Sql>;

/** The origin of deployments' code, as recorded when they were requested. */
export const provenanceStore = (sql: Sql) => {
  /**
   * The latest deployment of the environment that became active before `d`. A `d` that never became active is placed by its end, and
   * follows only deployments created before it.
   */
  const before = (more: Fragment) => sql`
    select json_build_object(
      'id', e.id,
      'sha256', e.source_sha256,
      'deployed_at', to_char(e.deployed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) as earlier
    from deployments e
    where e.team_id = d.team_id
      and e.project_id = d.project_id
      and e.environment = d.environment
      and e.id <> d.id
      and e.deployed_at < coalesce(d.deployed_at, d.ended_at, now())
      and (d.deployed_at is not null or e.created_at < d.created_at)
      ${more}
    order by e.deployed_at desc
    limit 1`;

  const rows = (team_id: string, which: Fragment) => sql<Provenance[]>`
    select
      d.id as deployment_id, d.project_id, p.name as project_name, d.environment, d.status, d.source_sha256 as sha256, d.source_name,
      d.source_bytes::float8 as source_bytes, d.trigger, d.source_deployment_id, ${originColumns(sql)}, r.id as audit_id, d.created_at, d.deployed_at,
      json_build_object(
        'type', coalesce(r.actor_type, 'person'),
        'id', coalesce(r.actor_id, d.created_by),
        'name', case when r.actor_type = 'key' then k.name else u.name end
      ) as actor,
      predecessor.earlier as predecessor, rollback.earlier as rollback_target
    from deployments d
    join projects p on p.id = d.project_id
    left join users u on u.id = d.created_by
    left join lateral (
      select a.id, a.actor_type, a.actor_id
      from audit_records a
      where a.team_id = d.team_id
        and a.agent_id = d.project_id
        and a.timestamp between d.created_at - interval '10 minutes' and d.created_at + interval '10 minutes'
        and a.target_id = d.id
        and a.action in ('deployment.create', 'deployment.redeploy', 'deployment.rollback')
      order by a.seq
      limit 1
    ) r on true
    left join api_keys k on k.id = r.actor_id and k.team_id = d.team_id
    left join lateral (${before(sql``)}) predecessor on true
    left join lateral (${before(sql`and e.status <> 'failed'`)}) rollback on true
    where d.team_id = ${team_id}
      and p.team_id = ${team_id}
      and p.deleting_at is null
      and ${which}`;

  return {
    async get(team_id: string, id: string): Promise<Provenance> {
      const [row] = await rows(team_id, sql`d.id = ${id}`);
      if (!row) throw new ApiError('deployment_not_found');
      return row;
    },
    /** Running deployments, newest first, with their archives. */
    async live(team_id: string): Promise<(Provenance & { source_blob: string })[]> {
      const found = await rows(
        team_id,
        sql`
          d.status = 'active'
          order by d.created_at desc, d.id desc
          limit ${maxLive}`,
      );
      const blobs = await sql<{ id: string; source_blob: string }[]>`
        select id, source_blob
        from deployments
        where team_id = ${team_id}
          and id = any(${found.map((row) => row.deployment_id)})`;
      const blobOf = new Map(blobs.map((row) => [row.id, row.source_blob]));
      return found.map((row) => ({ ...row, source_blob: blobOf.get(row.deployment_id) ?? '' }));
    },
  };
};
