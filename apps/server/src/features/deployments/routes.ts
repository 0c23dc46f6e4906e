import { ApiError, deployments } from '@paddock/contract';
import type { Config } from '../../config/config.ts';
import { type SignedIn, serve } from '../../http/serve.ts';
import type { compareDeployments } from './changes/compare.ts';
import type { AttachTo } from './databases.ts';
import type { MayDeploy } from './may-deploy.ts';
import type { PackagesStore } from './packages-store.ts';
import type { provenanceStore } from './provenance-store.ts';
import type { redeploy } from './redeploy.ts';
import { withAddresses } from './rows.ts';
import { buildSbom } from './sbom.ts';
import type { NewDeployment } from './states.ts';
import type { Asked, DeploymentStore, NameProject } from './store.ts';
import { tryHandler } from './try/try-handler.ts';

interface Deps {
  store: DeploymentStore;
  provenance: ReturnType<typeof provenanceStore>;
  packages: PackagesStore;
  version: string;
  compare: ReturnType<typeof compareDeployments>;
  again: ReturnType<typeof redeploy>;
  attachDatabases: AttachTo;
  config: Pick<Config, 'agentUrl' | 'asksAtAgentUrl' | 'host' | 'gatewayPort'>;
  /** Zips a sample agent into the blob store; undefined if there is none of that name. */
  storeSample: (name: string) => Promise<NewDeployment['source'] | undefined>;
  /** Checks the first bytes only; the build checks the rest. */
  looksLikeZip: (blob_id: string) => Promise<boolean>;
  /** The commit that an archive names itself. */
  commitOf: (blob_id: string) => Promise<string | undefined>;
  mayDeploy: MayDeploy;
  nameProject: NameProject;
}

/** The contract requires one of the two. */
type Target = { project_id?: string | undefined; project_name?: string | undefined };

export const deploymentRoutes = (parts: Deps) => {
  const { store, provenance, packages, version, again, attachDatabases, config, storeSample, looksLikeZip, commitOf, mayDeploy } = parts;
  const addressed = withAddresses(config.agentUrl);
  const projectOf = projectTarget(parts.nameProject);
  const changed =
    (change: (team_id: string, id: string, user_id: string) => Promise<void>) =>
    async ({ id }: { id: string }, { actor }: SignedIn) => {
      await change(actor.team_id, id, actor.user_id);
      return addressed(await store.get(actor.team_id, id));
    };

  return serve(deployments, {
    async list(input, { actor }) {
      const { rows, ...rest } = await store.list(actor.team_id, input);
      return { deployments: rows.map(addressed), ...rest };
    },
    get: async ({ id }, { actor }) => addressed(await store.get(actor.team_id, id)),
    provenance: ({ id }, { actor }) => provenance.get(actor.team_id, id),
    sbom: async ({ id }, { actor }) => buildSbom(await packages.of(actor.team_id, id), version),
    changes: parts.compare,
    async create(input, { actor, upload, newId, signal }) {
      const { environment, database_mode, redis_url, postgres_url, root, start, packages, keep } = input;
      const { message, commit_sha, commit_branch, commit_dirty } = input;
      const id = newId('dep');
      const project = projectOf(input, { actor, newId });
      const mode = database_mode === 'external' ? 'byo' : database_mode;
      await mayDeploy(actor, { environment, database_mode: mode });
      if (!(await looksLikeZip(upload.blob.id))) throw new ApiError('archive_invalid');
      const attach = await attachDatabases(mode, { team_id: actor.team_id, urls: { redis_url, postgres_url }, signal });
      const source = { blob: upload.blob.id, name: upload.file_name, bytes: upload.blob.bytes, sha256: upload.blob.sha256 };
      return addressed(
        await store.create(
          actor.team_id,
          {
            ...fresh(actor.user_id),
            id,
            project,
            environment,
            database_mode: mode,
            trigger: 'upload',
            source,
            origin: {
              message: message || null,
              commit_sha: commit_sha ?? (await commitOf(upload.blob.id)) ?? null,
              commit_branch: commit_branch || null,
              commit_dirty: commit_dirty ?? null,
            },
            settings: { root, start, packages, keep },
          },
          attach,
        ),
      );
    },
    async sample({ environment, sample, ...target }, { actor, newId }) {
      const id = newId('dep');
      const project = projectOf(target, { actor, newId });
      await mayDeploy(actor, { environment, database_mode: 'none' });
      const source = await storeSample(sample);
      if (!source) throw new ApiError('sample_not_found');
      return addressed(
        await store.create(actor.team_id, {
          ...fresh(actor.user_id),
          id,
          project,
          environment,
          database_mode: 'none',
          trigger: 'sample',
          source,
          settings: {},
        }),
      );
    },
    stop: changed(store.stop),
    restart: changed(store.restart),
    cancel: changed(store.cancel),
    redeploy: async ({ id, environment, ...given }, context) =>
      addressed(await again({ id, trigger: 'redeploy', environment, given }, context)),
    rollback: async ({ id }, context) => addressed(await again({ id, trigger: 'rollback', given: {} }, context)),
    try: tryHandler({ store, addressed, config }),
  });
};

/**
 * The project of a request. Call it after creating the deployment's id: only the first generated id is the same when a request is repeated.
 */
const projectTarget =
  (nameProject: NameProject) =>
  ({ project_id, project_name = '' }: Target, { actor, newId }: Pick<SignedIn, 'actor' | 'newId'>): Asked['project'] =>
    project_id ?? nameProject(actor, { id: newId('prj'), typed: project_name });

const fresh = (created_by: string): Pick<NewDeployment, 'created_by' | 'source_deployment_id' | 'databases' | 'origin'> => ({
  databases: undefined,
  origin: { message: null, commit_sha: null, commit_branch: null, commit_dirty: null },
  created_by,
  source_deployment_id: null,
});
