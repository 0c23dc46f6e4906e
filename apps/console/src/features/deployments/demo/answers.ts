import type { Client } from '@paddock/client';
import type { DatabaseType, Deployment, DeploymentDetail, Project, Sent } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { filled } from '../../../api/filled.ts';
import { answer, paginate, pause } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { freshId } from '../../../demo/ids.ts';
import { checkDemoAddress } from '../../databases/demo/addresses.ts';
import { addDemoProject, checkedDemoName } from '../../projects/demo/add-project.ts';
import { demoChanges } from './changes.ts';
import { demoProvenance, demoSbom } from './origin.ts';
import { demoProtocols } from './protocols.ts';
import { demoTry } from './try.ts';
import type { DemoDeployment } from './world.ts';

/** Milliseconds until each stage: a deployment of the demo takes as long as a small real one. */
const stages = { building: 1500, deploying: 9000, active: 12_000 };
const again = { building: 800, deploying: 2500, active: 5000 };

const databaseTypes = ['postgresql', 'redis'] as const;

type Order = Pick<Deployment, 'project_id' | 'environment' | 'database_mode' | 'trigger' | 'source_name'> &
  Partial<Pick<Deployment, 'source_deployment_id' | 'message' | 'commit_sha' | 'commit_branch' | 'commit_dirty'>>;

/** Deployments of the demo: they go through their stages in memory, and no archive is uploaded. */
export function demoDeployments(world: DemoWorld): Client<typeof contract>['deployments'] {
  return {
    list: (input = {}, options) =>
      answer(() => {
        const { project_id, status, environment } = input;
        const mine = world.deployments.map(({ row }) => row).filter((row) => project_id === undefined || row.project_id === project_id);
        const found = mine.filter(
          (row) => (status === undefined || row.status === status) && (environment === undefined || row.environment === environment),
        );
        const { rows, next_cursor } = paginate(found, input);
        return { deployments: rows, next_cursor, total: found.length, active: found.filter((row) => row.status === 'active').length };
      }, options),
    get: ({ id }, options) =>
      answer(() => {
        const { row, plan, kind, failure_choices } = findDeployment(world, id);
        const protocols = row.deployed_at && plan?.type === 'web' ? demoProtocols(kind) : null;
        const host_header = protocols?.some((protocol) => protocol.kind === 'mcp') ? 'localhost:8000' : null;
        return { ...row, plan, failure_choices, protocols, host_header, databases: listAgentDatabases(world, row) };
      }, options),
    provenance: ({ id }, options) =>
      answer(
        () =>
          demoProvenance(
            findDeployment(world, id).row,
            world.deployments.map(({ row }) => row),
          ),
        options,
      ),
    sbom: ({ id }, options) => answer(() => demoSbom(findDeployment(world, id).row), options),
    changes: (input, options) => answer(() => compare(world, input), options),
    async create(input, options = {}) {
      const { environment = 'production', database_mode = 'none', redis_url, postgres_url, file_name } = input;
      // The file is not uploaded; the progress bar moves as if it were.
      for (let share = 0.1; share <= 1; share += 0.1) {
        options.onProgress?.(Math.min(1, share));
        await pause(90, options.signal);
      }
      options.onProgress?.(1);
      const mode = database_mode === 'external' ? 'byo' : database_mode;
      return answer(() => {
        const { id: project_id } = findOrAddProject(world, input);
        if (mode === 'byo') keepAddresses(world, { project_id, environment, urls: { redis: redis_url, postgresql: postgres_url } });
        const given = settingsOfDemoUpload(findProject(world, project_id), input);
        const source = { trigger: 'upload' as const, source_name: file_name, ...readOrigin(input) };
        return start(world, { project_id, environment, database_mode: mode, ...source }, { given });
      }, options);
    },
    sample: (input = {}, options) =>
      answer(() => {
        const { environment = 'production', sample = 'chat' } = input;
        const { id: project_id } = findOrAddProject(world, input);
        return start(world, { project_id, environment, database_mode: 'none', trigger: 'sample', source_name: `${sample}.zip` });
      }, options),
    stop: ({ id }, options) =>
      answer(() => {
        const deployment = findDeployment(world, id);
        if (deployment.row.status !== 'active') throw new ApiError('deployment_not_active');
        world.end(deployment, 'Stopped by demo@paddock.dev');
        return deployment.row;
      }, options),
    restart: ({ id }, options) =>
      answer(() => {
        const deployment = findDeployment(world, id);
        if (deployment.row.status !== 'active') throw new ApiError('deployment_not_active');
        if (deployment.row.restart_at === null) world.restart(deployment);
        return deployment.row;
      }, options),
    cancel: ({ id }, options) =>
      answer(() => {
        const deployment = findDeployment(world, id);
        if (deployment.row.status !== 'queued' && deployment.row.status !== 'building') throw new ApiError('deployment_not_cancellable');
        world.end(deployment, 'Cancelled by demo@paddock.dev');
        return deployment.row;
      }, options),
    redeploy: (input, options) => answer(() => repeat(world, input, 'redeploy'), options),
    rollback: (input, options) => answer(() => repeat(world, input, 'rollback'), options),
    try: demoTry(world),
  };
}

function compare(world: DemoWorld, { id, with: other }: Sent<typeof contract.deployments.changes>) {
  const deployment = findDeployment(world, id);
  const rows = world.deployments.map(({ row }) => row);
  const with_id = other ?? demoProvenance(deployment.row, rows).predecessor?.id;
  if (with_id === undefined) throw new ApiError('nothing_to_compare');
  return demoChanges(deployment, findDeployment(world, with_id));
}

function findDeployment(world: DemoWorld, id: string): DemoDeployment {
  const deployment = world.deployments.find(({ row }) => row.id === id);
  if (!deployment) throw new ApiError('deployment_not_found');
  return deployment;
}

function findProject(world: DemoWorld, id: string): Project {
  const project = world.projects.find((each) => each.id === id);
  if (!project) throw new ApiError('project_not_found');
  return project;
}

/** The project named by an order, created if it does not exist. */
function findOrAddProject(
  world: DemoWorld,
  { project_id, project_name }: { project_id?: string | undefined; project_name?: string | undefined },
): Project {
  if ((project_id === undefined) === (project_name === undefined))
    throw new ApiError('input_invalid', { errors: [{ path: 'project_id', message: 'Give either project_id or project_name.' }] });
  if (project_id !== undefined) return findProject(world, project_id);
  const name = checkedDemoName(project_name ?? '', 'project_name');
  return world.projects.find((each) => each.name === name) ?? addDemoProject(world, { name });
}

const readOrigin = ({ message, commit_sha, commit_branch, commit_dirty }: Sent<typeof contract.deployments.create>) => ({
  message: message?.trim() || null,
  commit_sha: commit_sha ?? null,
  commit_branch: commit_branch?.trim() || null,
  commit_dirty: commit_dirty === undefined ? null : commit_dirty === 'true',
});

interface Beginning {
  /** The deployment whose code is used. */
  from?: DemoDeployment;
  given?: DemoDeployment['given'];
}

type Settings = Pick<Sent<typeof contract.deployments.create>, 'root' | 'start' | 'packages' | 'keep'>;

/** The settings of an upload, else those stored for the project. */
function settingsOfDemoUpload(project: Project, { root, start: command, packages, keep }: Settings): DemoDeployment['given'] {
  const settings = filled({ root, start: command, packages });
  const isGiven = Object.keys(settings).length > 0;
  if (keep === 'true') project.build_settings = isGiven ? settings : null;
  return isGiven ? { settings, because: 'setting' } : { settings: project.build_settings, because: 'setting of the project' };
}

/** Queues a deployment. One made from an earlier deployment keeps its kind of agent and takes less time. */
function start(world: DemoWorld, order: Order, { from, given }: Beginning = {}): Deployment {
  const project = findProject(world, order.project_id);
  const row: Deployment = {
    id: freshId('dep'),
    project_name: project.name,
    status: 'queued',
    url: null,
    deployment_url: null,
    error_message: null,
    failed_stage: null,
    agent_type: null,
    is_current: false,
    restarts: 0,
    restart_at: null,
    variables_at: null,
    created_at: new Date().toISOString(),
    building_at: null,
    deploying_at: null,
    deployed_at: null,
    ended_at: null,
    source_deployment_id: null,
    message: null,
    commit_sha: null,
    commit_branch: null,
    commit_dirty: null,
    ...order,
  };
  if (row.database_mode === 'managed') world.provision(project, row.environment);
  const deployment = world.add(row, from?.kind ?? (order.trigger === 'sample' ? 'node' : 'fastapi'));
  if (given) deployment.given = given;
  world.changed();
  world.walk(deployment, from ? again : stages);
  return row;
}

type Repeat = Sent<typeof contract.deployments.redeploy>;

function repeat(
  world: DemoWorld,
  { id, environment: wanted, root, start: command, packages, keep }: Repeat,
  trigger: 'redeploy' | 'rollback',
): Deployment {
  const from = findDeployment(world, id);
  const isGiven = root !== undefined || command !== undefined || packages !== undefined;
  const before = root === undefined ? from.given?.settings : undefined;
  const settings = filled({
    root: root ?? from.given?.settings?.root,
    start: command ?? before?.start,
    packages: packages ?? before?.packages,
  });
  const given = isGiven ? { settings, because: 'setting' } : from.given;
  if (isGiven && keep !== false) findProject(world, from.row.project_id).build_settings = settings;
  const { project_id, source_name, message, commit_sha, commit_branch, commit_dirty } = from.row;
  const environment = wanted ?? from.row.environment;
  const serving = world.deployments.find(({ row }) => row.project_id === project_id && row.environment === environment && row.is_current);
  const { database_mode } = environment === from.row.environment ? from.row : (serving?.row ?? from.row);
  const origin = { source_name, message, commit_sha, commit_branch, commit_dirty, source_deployment_id: id };
  return start(world, { project_id, environment, database_mode, trigger, ...origin }, { from, given });
}

type GivenAddresses = Pick<Deployment, 'project_id' | 'environment'> & { urls: Record<DatabaseType, string | undefined> };

/** Stores the addresses given with a deployment; omitted ones stay as stored. */
function keepAddresses(world: DemoWorld, { project_id, environment, urls }: GivenAddresses) {
  const project = findProject(world, project_id);
  const given = databaseTypes.flatMap((type) => (urls[type] ? [{ type, url: urls[type] }] : []));
  for (const { type, url } of given) {
    try {
      checkDemoAddress(type, url);
    } catch (error) {
      throw error instanceof ApiError && error.errors ? atField(error, type === 'redis' ? 'redis_url' : 'postgres_url') : error;
    }
  }
  for (const { type, url } of given) world.bring({ project, environment, type, url });
  if (world.databasesOf(project_id, environment, 'byo').length > 0) return;
  const message = 'Give at least one address: none is stored for this environment.';
  throw new ApiError('input_invalid', { detail: message, errors: [{ path: 'postgres_url', message }] });
}

/** The databases that a deployment's agent gets. */
function listAgentDatabases(world: DemoWorld, { project_id, environment, database_mode }: Deployment): DeploymentDetail['databases'] {
  if (database_mode === 'none') return [];
  return world
    .databasesOf(project_id, environment, database_mode)
    .map(({ id, type, status }) => ({ id, type, status, env_var: type === 'redis' ? 'REDIS_URL' : 'DATABASE_URL' }));
}

/** The same error, reported at the form's field. */
const atField = (error: ApiError, path: string) =>
  new ApiError(error.code, { detail: error.message, errors: (error.errors ?? []).map(({ message }) => ({ path, message })) });
