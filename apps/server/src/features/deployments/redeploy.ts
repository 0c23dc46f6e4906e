import { ApiError, type Deployment, type Environment } from '@paddock/contract';
import type { SignedIn } from '../../http/serve.ts';
import { deploymentDatabasesContext } from '../../secrets/contexts.ts';
import type { Seal } from '../../secrets/seal.ts';
import { type GivenSettings, settingsOfRedeploy } from './build-settings.ts';
import type { AttachTo } from './databases.ts';
import type { MayDeploy } from './may-deploy.ts';
import type { DeploymentRow } from './rows.ts';
import type { DeploymentStore } from './store.ts';

interface Deps {
  store: DeploymentStore;
  seal: Seal;
  attachDatabases: AttachTo;
  blobExists: (id: string) => Promise<boolean>;
  /** SHA-256 of an archive, for deployments from before it was stored. */
  digestOf: (id: string, signal: AbortSignal) => Promise<string>;
  mayDeploy: MayDeploy;
}

interface Wish {
  id: string;
  trigger: Extract<Deployment['trigger'], 'redeploy' | 'rollback'>;
  /** The environment to deploy to; by default that of the source. */
  environment?: Environment | undefined;
  /** Folder or start command to use instead of the source's. */
  given: GivenSettings;
}

/**
 * Redeploys the same code, with the environment's current variables and databases, and with the source's folder and start command unless
 * others are given. In another environment it uses the kind of databases that this environment has now.
 */
export const redeploy =
  ({ store, seal, attachDatabases, blobExists, digestOf, mayDeploy }: Deps) =>
  async ({ id, trigger, given, environment: wanted }: Wish, { actor, newId, signal }: SignedIn): Promise<DeploymentRow> => {
    const source = await store.source(actor.team_id, id);
    const environment = wanted ?? source.environment;
    const isMoved = environment !== source.environment;
    const inUse = isMoved ? await store.databaseModeInUse(actor.team_id, { project_id: source.project_id, environment }) : undefined;
    const database_mode = inUse ?? source.database_mode;
    await mayDeploy(actor, { environment, database_mode });
    if (!(await blobExists(source.source_blob))) throw new ApiError('source_gone');
    const sha256 = source.source_sha256 ?? (await digestOf(source.source_blob, signal));
    const new_id = newId('dep');
    const attaches = database_mode === 'managed' || (isMoved && database_mode === 'byo');
    const attach = attaches ? await attachDatabases(database_mode, { team_id: actor.team_id, signal }) : undefined;
    return store.create(
      actor.team_id,
      {
        id: new_id,
        project: source.project_id,
        environment,
        database_mode,
        // Deployments from before addresses were stored per project have their own. They are sealed for one deployment, so they are sealed
        // again for the new one.
        databases:
          !isMoved && source.databases_sealed && source.databases_key_id
            ? seal.seal(
                seal.open({ sealed: source.databases_sealed, key_id: source.databases_key_id }, deploymentDatabasesContext(id)),
                deploymentDatabasesContext(new_id),
              )
            : undefined,
        trigger,
        source_deployment_id: id,
        source: { blob: source.source_blob, name: source.source_name, bytes: source.source_bytes, sha256 },
        origin: source.origin,
        ...settingsOfRedeploy(given, source.settings),
        created_by: actor.user_id,
      },
      attach,
    );
  };
