import { ApiError, type Deployment, deployments } from '@paddock/contract';
import type { AgentUrl } from '../../config.ts';
import { type Handlers, type SignedIn, serve } from '../../http/serve.ts';
import type { Seal } from '../../secrets/seal.ts';
import { checkedUrls } from './database-urls.ts';
import { withAddresses } from './rows.ts';
import type { DeploymentStore, NewDeployment } from './store.ts';

interface Parts {
  store: DeploymentStore;
  seal: Seal;
  agentUrl: AgentUrl;
  /** Zips a sample agent into the blob store; undefined when there is none of that name. */
  storeSample: (name: string) => Promise<{ blob: string; name: string; bytes: number } | undefined>;
  blobExists: (id: string) => Promise<boolean>;
  /** Judges by the first bytes only; the build looks at the rest. */
  looksLikeZip: (blob_id: string) => Promise<boolean>;
}

export const deploymentRoutes = ({ store, seal, agentUrl, storeSample, blobExists, looksLikeZip }: Parts) => {
  const addressed = withAddresses(agentUrl);

  /** The same code in the same environment as a new deployment. */
  const again = async (id: string, trigger: 'redeploy' | 'rollback', { actor, newId }: SignedIn): Promise<Deployment> => {
    const source = await store.source(actor.team_id, id);
    if (!(await blobExists(source.source_blob))) throw new ApiError('source_gone');
    const new_id = newId('dep');
    return addressed(
      await store.create(actor.team_id, {
        id: new_id,
        project_id: source.project_id,
        environment: source.environment,
        database_mode: source.database_mode,
        // Sealed for its deployment, so it is sealed anew for the new one.
        databases:
          source.databases_sealed && source.databases_key_id
            ? seal.seal(
                seal.open({ sealed: source.databases_sealed, key_id: source.databases_key_id }, databaseContext(id)),
                databaseContext(new_id),
              )
            : undefined,
        trigger,
        source_deployment_id: id,
        source: { blob: source.source_blob, name: source.source_name, bytes: source.source_bytes },
        settings: source.settings,
        created_by: actor.user_id,
      }),
    );
  };
  const handlers: Handlers<typeof deployments> = {
    async list(input, { actor }) {
      const { rows, ...rest } = await store.list(actor.team_id, input);
      return { deployments: rows.map(addressed), ...rest };
    },
    get: async ({ id }, { actor }) => addressed(await store.get(actor.team_id, id)),
    async create({ project_id, environment, database_mode, redis_url, postgres_url, root, start }, { actor, upload, newId }) {
      if (!(await looksLikeZip(upload.blob.id))) throw new ApiError('archive_invalid');
      if (database_mode === 'managed') throw new ApiError('database_mode_unavailable');
      const id = newId('dep');
      const own = database_mode === 'byo' || database_mode === 'external';
      const databases = own ? seal.seal(JSON.stringify(checkedUrls({ redis_url, postgres_url })), databaseContext(id)) : undefined;
      const source = { blob: upload.blob.id, name: upload.file_name, bytes: upload.blob.bytes };
      return addressed(
        await store.create(actor.team_id, {
          ...fresh(actor.user_id),
          id,
          project_id,
          environment,
          database_mode: own ? 'byo' : 'none',
          databases,
          trigger: 'upload',
          source,
          settings: { ...(root ? { root } : {}), ...(start ? { start } : {}) },
        }),
      );
    },
    async sample({ project_id, environment, sample }, { actor, newId }) {
      const source = await storeSample(sample);
      if (!source) throw new ApiError('sample_not_found');
      return addressed(
        await store.create(actor.team_id, {
          ...fresh(actor.user_id),
          id: newId('dep'),
          project_id,
          environment,
          database_mode: 'none',
          databases: undefined,
          trigger: 'sample',
          source,
        }),
      );
    },
    async stop({ id }, { actor }) {
      await store.stop(actor.team_id, id);
      return addressed(await store.get(actor.team_id, id));
    },
    async cancel({ id }, { actor }) {
      await store.cancel(actor.team_id, id);
      return addressed(await store.get(actor.team_id, id));
    },
    redeploy: ({ id }, context) => again(id, 'redeploy', context),
    rollback: ({ id }, context) => again(id, 'rollback', context),
  };
  return serve(deployments, handlers);
};

/** Ties the sealed addresses to their deployment. */
export const databaseContext = (deployment_id: string) => `databases:${deployment_id}`;
const fresh = (created_by: string): Pick<NewDeployment, 'created_by' | 'source_deployment_id' | 'settings'> => ({
  settings: {},
  created_by,
  source_deployment_id: null,
});
