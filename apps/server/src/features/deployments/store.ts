import { ApiError, type Origin } from '@paddock/contract';
import { recordAction } from '../../audit/record-action.ts';
import type { Sql, Tx } from '../../db/connect.ts';
import type { Actor } from '../../http/actor.ts';
import { type BuildSettings, type GivenSettings, type KeptSettings, settingsOfUpload } from './build-settings.ts';
import { deploymentLists } from './lists.ts';
import { restartQueries } from './restart-agents.ts';
import type { DeploymentRow } from './rows.ts';
import { type NewDeployment, queue } from './states.ts';
import { stopQueries } from './stop.ts';
import { visibleDeployments } from './visible.ts';

export type DeploymentStore = ReturnType<typeof deploymentStore>;

/** Throws in the transaction that created a deployment, which rolls it back. */
export type MayQueue = (tx: Tx, team_id: string) => Promise<void>;

/** Stores the folder and start command for later uploads to a project, in the transaction that created a deployment. */
export type KeepSettings = (tx: Tx, project: { team_id: string; id: string }, settings: KeptSettings) => Promise<void>;

type Project = { id: string; build_settings: KeptSettings };
/** The project of a deployment, in its transaction. */
type OpenProject = (tx: Tx) => Promise<Project>;
/** The project named in a request, created in the transaction that stores the deployment. Throws input_invalid for its name. */
export type NameProject = (actor: Actor, wanted: { id: string; typed: string }) => OpenProject;

/** A deployment as requested by a call. */
export type Asked = Omit<NewDeployment, 'settings' | 'trigger' | 'project_id'> & {
  /** The project's id, or a function that may create it. */
  project: string | OpenProject;
} & (
    | { trigger: 'upload'; settings: GivenSettings }
    /** `keeps`: settings that the project stores from now on; undefined: no change. */
    | { trigger: Exclude<NewDeployment['trigger'], 'upload'>; settings: BuildSettings; keeps?: KeptSettings | undefined }
  );

/** Queries behind the deployments API. The worker's queries are in transitions.ts. */
export const deploymentStore = (sql: Sql, { mayQueue, keepSettings }: { mayQueue: MayQueue; keepSettings: KeepSettings }) => {
  const { visible, get } = visibleDeployments(sql);

  return {
    get,
    list: deploymentLists(sql),
    /** Records a request to an agent before it is sent: without the record nothing is sent. */
    noteTry: (id: string) => recordAction(sql, id),
    ...stopQueries(sql),
    ...restartQueries(sql),

    /**
     * Once its row is committed, the deployment survives any failure. Repeating the call finds the first row. Whatever `attach` writes, and
     * a project created for it, commits with the row or not at all. Throws project_not_found and plan_limit_reached.
     */
    async create(
      team_id: string,
      { project: wanted, ...d }: Asked,
      attach?: (tx: Tx, team_id: string, of: Pick<NewDeployment, 'project_id' | 'environment'>) => Promise<void>,
    ): Promise<DeploymentRow> {
      await sql.begin(async (tx) => {
        // A repeated call must not create another project: the first one may have another name by now.
        if (await isStored(tx, team_id, d.id)) return;
        const project = typeof wanted === 'string' ? await readProject(tx, team_id, wanted) : await wanted(tx);
        const { settings, keeps } =
          d.trigger === 'upload' ? settingsOfUpload(d.settings, project.build_settings) : { settings: d.settings, keeps: d.keeps };
        await attach?.(tx, team_id, { project_id: project.id, environment: d.environment });
        const isNew = await queue(tx, team_id, { ...d, settings, project_id: project.id });
        if (isNew && keeps !== undefined) await keepSettings(tx, { team_id, id: project.id }, keeps);
        // A rollback is always allowed: nobody must be stuck with a broken release.
        if (isNew && d.trigger !== 'rollback') await mayQueue(tx, team_id);
      });
      // failpoint: deployment-committed
      return get(team_id, d.id);
    },

    /** The kind of databases of the deployment that serves an environment; undefined if none does. */
    async databaseModeInUse(team_id: string, { project_id, environment }: Pick<NewDeployment, 'project_id' | 'environment'>) {
      const [row] = await sql<Pick<NewDeployment, 'database_mode'>[]>`
        select d.database_mode ${visible(team_id)}
          and d.project_id = ${project_id} and d.environment = ${environment} and d.is_current`;
      return row?.database_mode;
    },

    /** Fields of an earlier deployment for a redeploy or a rollback. */
    async source(team_id: string, id: string) {
      const [row] = await sql<
        (Pick<NewDeployment, 'project_id' | 'environment' | 'database_mode'> & {
          source_blob: string;
          source_name: string;
          source_bytes: number;
          source_sha256: string | null;
          origin: Origin;
          settings: BuildSettings;
          databases_sealed: Buffer | null;
          databases_key_id: string | null;
          status: string;
          is_current: boolean;
        })[]
      >`
        select
          d.project_id, d.environment, d.database_mode, d.source_blob, d.source_name, d.source_bytes, d.source_sha256, d.settings,
          json_build_object(
            'message', d.message,
            'commit_sha', d.commit_sha,
            'commit_branch', d.commit_branch,
            'commit_dirty', d.commit_dirty
          ) as origin,
          case when d.databases_carried_at is null then d.databases_sealed end as databases_sealed,
          d.databases_key_id, d.status, d.is_current
        ${visible(team_id)}
          and d.id = ${id}`;
      if (!row) throw new ApiError('deployment_not_found');
      return row;
    },
  };
};

async function readProject(tx: Tx, team_id: string, id: string): Promise<Project> {
  const [project] = await tx<Project[]>`
    select id, build_settings
    from projects
    where team_id = ${team_id}
      and id = ${id}
      and deleting_at is null`;
  if (!project) throw new ApiError('project_not_found');
  return project;
}

async function isStored(tx: Tx, team_id: string, id: string): Promise<boolean> {
  const [row] = await tx`
    select 1
    from deployments
    where team_id = ${team_id}
      and id = ${id}`;
  return row !== undefined;
}
