import { ApiError } from '@paddock/contract';
import { note } from '../../audit/note.ts';
import type { Sql, Tx } from '../../db/connect.ts';
import { type BuildSettings, type GivenSettings, type KeptSettings, settingsOfUpload } from './build-settings.ts';
import { listing } from './list.ts';
import type { DeploymentRow } from './rows.ts';
import { type NewDeployment, queue } from './states.ts';
import { stops } from './stops.ts';
import { visibleDeployments } from './visible.ts';

export type DeploymentStore = ReturnType<typeof deploymentStore>;

/** Throws in the transaction that made a deployment, which takes it back. */
export type MayQueue = (tx: Tx, team_id: string) => Promise<void>;

/** Writes which folder and start command later uploads to a project use, with the transaction that made a deployment. */
export type KeepSettings = (tx: Tx, project: { team_id: string; id: string }, settings: KeptSettings) => Promise<void>;

/** A deployment as a call asks for it. */
export type Asked = Omit<NewDeployment, 'settings' | 'trigger'> &
  (
    | { trigger: 'upload'; settings: GivenSettings }
    /** `keeps`: what the project keeps from now on; absent: what it kept before. */
    | { trigger: Exclude<NewDeployment['trigger'], 'upload'>; settings: BuildSettings; keeps?: KeptSettings | undefined }
  );

/** What people ask of deployments. The worker's side is in transitions.ts. */
export const deploymentStore = (sql: Sql, { mayQueue, keepSettings }: { mayQueue: MayQueue; keepSettings: KeepSettings }) => {
  const { visible, get } = visibleDeployments(sql);

  return {
    get,
    list: listing(sql),
    /** Before an agent is asked for a person: without its record nothing is asked. */
    noteTry: (id: string) => note(sql, id),
    ...stops(sql),

    /**
     * The row is the promise: once it is committed, the deployment survives whatever happens. Repeating it finds the first one. What `attach`
     * writes is there with it or not at all. Throws project_not_found and plan_limit_reached.
     */
    async create(
      team_id: string,
      d: Asked,
      attach?: (tx: Tx, team_id: string, of: Pick<NewDeployment, 'project_id' | 'environment'>) => Promise<void>,
    ): Promise<DeploymentRow> {
      const [project] = await sql<{ build_settings: KeptSettings }[]>`
        select build_settings
        from projects
        where team_id = ${team_id}
          and id = ${d.project_id}
          and deleting_at is null`;
      if (!project) throw new ApiError('project_not_found');
      const { settings, keeps } =
        d.trigger === 'upload' ? settingsOfUpload(d.settings, project.build_settings) : { settings: d.settings, keeps: d.keeps };
      await sql.begin(async (tx) => {
        await attach?.(tx, team_id, { project_id: d.project_id, environment: d.environment });
        const isNew = await queue(tx, team_id, { ...d, settings });
        if (isNew && keeps !== undefined) await keepSettings(tx, { team_id, id: d.project_id }, keeps);
        // What ran before may always come back: nobody is held to a broken release.
        if (isNew && d.trigger !== 'rollback') await mayQueue(tx, team_id);
      });
      // failpoint: deployment-committed
      return get(team_id, d.id);
    },

    /** What a redeploy or a rollback needs of an earlier deployment. */
    async source(team_id: string, id: string) {
      const [row] = await sql<
        (Pick<NewDeployment, 'project_id' | 'environment' | 'database_mode'> & {
          source_blob: string;
          source_name: string;
          source_bytes: number;
          source_sha256: string | null;
          settings: BuildSettings;
          databases_sealed: Buffer | null;
          databases_key_id: string | null;
          status: string;
          is_current: boolean;
        })[]
      >`
        select
          d.project_id, d.environment, d.database_mode, d.source_blob, d.source_name, d.source_bytes, d.source_sha256, d.settings,
          case when d.databases_carried_at is null then d.databases_sealed end as databases_sealed,
          d.databases_key_id, d.status, d.is_current
        ${visible(team_id)}
          and d.id = ${id}`;
      if (!row) throw new ApiError('deployment_not_found');
      return row;
    },
  };
};
