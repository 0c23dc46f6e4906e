import type { Client } from '@paddock/client';
import type { DatabaseType, Deployment } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer, pageOf, pause } from '../../../demo/answers.ts';
import type { DemoDeployment, DemoWorld } from '../../../demo/demo-world.ts';
import { freshId } from '../../../demo/ids.ts';
import { checkDemoAddress } from '../../databases/demo/addresses.ts';

/** A deployment of the demo takes as long as a small real one. */
const stages = { building: 1500, deploying: 9000, active: 12_000 };
const again = { building: 800, deploying: 2500, active: 5000 };

const databaseTypes = ['postgresql', 'redis'] as const;

type Given = Pick<Deployment, 'environment' | 'database_mode' | 'trigger' | 'source_name'> & { source_deployment_id?: string };

export function demoDeployments(world: DemoWorld): Client<typeof contract>['deployments'] {
  const find = (id: string): DemoDeployment => {
    const deployment = world.deployments.find(({ row }) => row.id === id);
    if (!deployment) throw new ApiError('deployment_not_found');
    return deployment;
  };

  function start(project_id: string, given: Given, from?: DemoDeployment): Deployment {
    const project = world.projects.find(({ id }) => id === project_id);
    if (!project) throw new ApiError('project_not_found');
    const row: Deployment = {
      id: freshId('dep'),
      project_id,
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
      created_at: new Date().toISOString(),
      building_at: null,
      deploying_at: null,
      deployed_at: null,
      ended_at: null,
      source_deployment_id: null,
      ...given,
    };
    if (row.database_mode === 'managed') world.provision(project, row.environment);
    const deployment = world.add(row, from?.kind ?? (given.trigger === 'sample' ? 'node' : 'fastapi'));
    world.changed();
    world.walk(deployment, from ? again : stages);
    return row;
  }

  const repeat = (id: string, trigger: 'redeploy' | 'rollback') => {
    const from = find(id);
    const { project_id, environment, database_mode, source_name } = from.row;
    return start(project_id, { environment, database_mode, source_name, trigger, source_deployment_id: id }, from);
  };

  /** Keeps the addresses that came with a deployment; what is left out stays as it is stored. */
  function bring(project_id: string, environment: Deployment['environment'], urls: Record<DatabaseType, string | undefined>) {
    const project = world.projects.find(({ id }) => id === project_id);
    if (!project) throw new ApiError('project_not_found');
    const given = databaseTypes.flatMap((type) => (urls[type] ? [{ type, url: urls[type] }] : []));
    for (const { type, url } of given) {
      try {
        checkDemoAddress(type, url);
      } catch (error) {
        throw error instanceof ApiError && error.errors ? atField(error, type === 'redis' ? 'redis_url' : 'postgres_url') : error;
      }
    }
    for (const { type, url } of given) world.bring(project, environment, type, url);
    if (world.databasesOf(project_id, environment, 'byo').length > 0) return;
    const message = 'Give at least one address: none is stored for this environment.';
    throw new ApiError('input_invalid', { detail: message, errors: [{ path: 'postgres_url', message }] });
  }

  const givenTo = ({ project_id, environment, database_mode }: Deployment) =>
    database_mode === 'none'
      ? []
      : world
          .databasesOf(project_id, environment, database_mode)
          .map(({ id, type, status }) => ({ id, type, status, env_var: type === 'redis' ? 'REDIS_URL' : 'DATABASE_URL' }));

  return {
    list: (input = {}, options) =>
      answer(() => {
        const { project_id, status, environment } = input;
        const mine = world.deployments.map(({ row }) => row).filter((row) => project_id === undefined || row.project_id === project_id);
        const found = mine.filter(
          (row) => (status === undefined || row.status === status) && (environment === undefined || row.environment === environment),
        );
        const { rows, next_cursor } = pageOf(found, input);
        return { deployments: rows, next_cursor, total: found.length, active: found.filter((row) => row.status === 'active').length };
      }, options),
    get: ({ id }, options) =>
      answer(() => {
        const { row, plan } = find(id);
        return { ...row, plan, databases: givenTo(row) };
      }, options),
    async create({ project_id, environment = 'production', database_mode = 'none', redis_url, postgres_url, file_name }, options = {}) {
      // The file goes nowhere; the bar still moves as it would.
      for (let share = 0.1; share <= 1; share += 0.1) {
        options.onProgress?.(Math.min(1, share));
        await pause(90, options.signal);
      }
      options.onProgress?.(1);
      const mode = database_mode === 'external' ? 'byo' : database_mode;
      return answer(() => {
        if (mode === 'byo') bring(project_id, environment, { redis: redis_url, postgresql: postgres_url });
        return start(project_id, { environment, database_mode: mode, trigger: 'upload', source_name: file_name });
      }, options);
    },
    sample: ({ project_id, environment = 'production', sample = 'chat' }, options) =>
      answer(() => start(project_id, { environment, database_mode: 'none', trigger: 'sample', source_name: `${sample}.zip` }), options),
    stop: ({ id }, options) =>
      answer(() => {
        const deployment = find(id);
        if (deployment.row.status !== 'active') throw new ApiError('deployment_not_active');
        world.end(deployment, 'Stopped by demo@paddock.dev');
        return deployment.row;
      }, options),
    cancel: ({ id }, options) =>
      answer(() => {
        const deployment = find(id);
        if (deployment.row.status !== 'queued' && deployment.row.status !== 'building') throw new ApiError('deployment_not_cancellable');
        world.end(deployment, 'Cancelled by demo@paddock.dev');
        return deployment.row;
      }, options),
    redeploy: ({ id }, options) => answer(() => repeat(id, 'redeploy'), options),
    rollback: ({ id }, options) => answer(() => repeat(id, 'rollback'), options),
  };
}

/** The same refusal, told of the form's field. */
const atField = (error: ApiError, path: string) =>
  new ApiError(error.code, { detail: error.message, errors: (error.errors ?? []).map(({ message }) => ({ path, message })) });
