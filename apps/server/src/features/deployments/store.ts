import { ApiError, type DeploymentStatus, type Environment } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';
import { pageOf, readCursor } from '../../http/cursor.ts';
import { leadNowhere } from './addresses.ts';
import { outdated } from './leases.ts';
import { type DeploymentRow, deploymentColumns } from './rows.ts';
import { sharedCounts } from './shared-counts.ts';
import { type BuildSettings, move, type NewDeployment, queue } from './states.ts';

export type DeploymentStore = ReturnType<typeof deploymentStore>;

/** What people ask of deployments. The worker's side is in transitions.ts. */
export const deploymentStore = (sql: Sql) => {
  // The team twice: from the deployments' alone PostgreSQL does not conclude that other teams' projects need not be read.
  const visible = (team_id: string, tx: Tx = sql) => tx`
    from deployments d
    join projects p on p.id = d.project_id
    where d.team_id = ${team_id}
      and p.team_id = ${team_id}
      and p.deleting_at is null`;

  // Whatever belongs to its environment now: its next start gets that.
  const injected = sql`
    (
      select coalesce(
        json_agg(
          json_build_object(
            'id', b.id,
            'type', b.type,
            'status', b.status,
            'env_var', case b.type when 'redis' then 'REDIS_URL' else 'DATABASE_URL' end
          )
          order by b.type
        ),
        '[]'
      )
      from databases b
      where b.team_id = d.team_id
        and b.project_id = d.project_id
        and b.environment = d.environment
        and b.mode = d.database_mode
        and b.is_attached
        and b.wanted <> 'deleted'
    ) as databases`;

  const get = async (team_id: string, id: string): Promise<DeploymentRow> => {
    const [row] = await sql<DeploymentRow[]>`select ${deploymentColumns(sql)}, d.plan, ${injected} ${visible(team_id)} and d.id = ${id}`;
    if (!row) throw new ApiError('deployment_not_found');
    return row;
  };

  const counted = sharedCounts();

  return {
    get,

    async list(
      team_id: string,
      input: {
        limit: number;
        cursor?: string | undefined;
        project_id?: string | undefined;
        status?: DeploymentStatus | undefined;
        environment?: Environment | undefined;
      },
    ) {
      const at = readCursor(input.cursor);
      const filter = sql`
        ${input.project_id ? sql`and d.project_id = ${input.project_id}` : sql``}
        ${input.status ? sql`and d.status = ${input.status}` : sql``}
        ${input.environment ? sql`and d.environment = ${input.environment}` : sql``}`;
      const count = async () => {
        const [row] = await sql<[{ version: number; total: number; active: number }]>`
          select
            (
              select version
              from teams
              where id = ${team_id}
            ) as version,
            count(*)::int as total,
            count(*) filter (where d.status = 'active')::int as active
          ${visible(team_id)}
            ${filter}`;
        return row;
      };
      const counts = async () => {
        const [team] = await sql<{ version: number }[]>`
          select version
          from teams
          where id = ${team_id}`;
        return counted([team_id, input.project_id, input.status, input.environment].join(), team?.version ?? -1, count);
      };
      const [rows, totals] = await Promise.all([
        sql<Omit<DeploymentRow, 'plan' | 'databases'>[]>`
          select ${deploymentColumns(sql)}
          ${visible(team_id)}
            ${filter}
            ${at ? sql`and (d.created_at, d.id) < (${at.created_at}, ${at.id})` : sql``}
          order by d.created_at desc, d.id desc
          limit ${input.limit + 1}`,
        counts(),
      ]);
      return { ...pageOf(rows, input.limit), ...totals };
    },

    /**
     * The row is the promise: once it is committed, the deployment survives whatever happens. Repeating it finds the first one. What `attach`
     * writes is there with it or not at all.
     */
    async create(
      team_id: string,
      d: NewDeployment,
      attach?: (tx: Tx, team_id: string, of: Pick<NewDeployment, 'project_id' | 'environment'>) => Promise<void>,
    ): Promise<DeploymentRow> {
      const [project] = await sql`
        select 1
        from projects
        where team_id = ${team_id}
          and id = ${d.project_id}
          and deleting_at is null`;
      if (!project) throw new ApiError('project_not_found');
      await sql.begin(async (tx) => {
        await attach?.(tx, team_id, { project_id: d.project_id, environment: d.environment });
        await queue(tx, team_id, d);
      });
      // failpoint: deployment-committed
      return get(team_id, d.id);
    },

    /** Whether anything was deployed to the environment before: decides what a visitor of its address is told meanwhile. */
    async source(team_id: string, id: string) {
      const [row] = await sql<
        (Pick<NewDeployment, 'project_id' | 'environment' | 'database_mode'> & {
          source_blob: string;
          source_name: string;
          source_bytes: number;
          settings: BuildSettings;
          databases_sealed: Buffer | null;
          databases_key_id: string | null;
          status: string;
          is_current: boolean;
        })[]
      >`
        select
          d.project_id, d.environment, d.database_mode, d.source_blob, d.source_name, d.source_bytes, d.settings,
          case when d.databases_carried_at is null then d.databases_sealed end as databases_sealed,
          d.databases_key_id, d.status, d.is_current
        ${visible(team_id)}
          and d.id = ${id}`;
      if (!row) throw new ApiError('deployment_not_found');
      return row;
    },

    /** Ends an active deployment: its address says so from the next request on; the supervisor ends the process. */
    stop: (team_id: string, id: string, who: string) =>
      sql.begin(async (tx) => {
        const [stopped] = await move(tx, {
          to: 'stopped',
          why: 'stopped',
          who,
          where: tx`d.team_id = ${team_id} and d.id = ${id} and d.status = 'active'`,
          set: tx`
            is_current = false,
            ended_at = now(),
            drain_until = now(),
            restart_at = null,
            ${outdated(tx)}`,
        });
        if (!stopped) {
          const [known] = await tx`select 1 ${visible(team_id, tx)} and d.id = ${id}`;
          throw new ApiError(known ? 'deployment_not_active' : 'deployment_not_found');
        }
        await leadNowhere(tx, [id], 'stopped');
      }),

    /** A queued one ends here; a building one is ended by the worker that builds it, which hears of it at once. */
    cancel: (team_id: string, id: string, who: string) =>
      sql.begin(async (tx) => {
        const [row] = await tx<{ status: string }[]>`
          update deployments
          set cancel_requested = true
          where team_id = ${team_id}
            and id = ${id}
            and status in ('queued', 'building')
          returning status`;
        if (!row) {
          const [known] = await tx`select 1 ${visible(team_id, tx)} and d.id = ${id}`;
          throw new ApiError(known ? 'deployment_not_cancellable' : 'deployment_not_found');
        }
        if (row.status === 'queued')
          await move(tx, {
            to: 'stopped',
            why: 'cancelled',
            who,
            where: tx`d.team_id = ${team_id} and d.id = ${id}`,
            set: tx`ended_at = now(), ${outdated(tx)}`,
          });
      }),
  };
};
