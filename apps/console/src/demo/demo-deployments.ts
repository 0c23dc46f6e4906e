import type { Client } from '@paddock/client';
import type { Deployment } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer, pageOf, pause } from './demo-answers.ts';
import type { DemoDeployment, DemoWorld } from './demo-world.ts';
import { freshId } from './sample-ids.ts';

/** A deployment of the demo takes as long as a small real one. */
const stages = { building: 1500, deploying: 9000, active: 12_000 };
const again = { building: 800, deploying: 2500, active: 5000 };

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
      created_at: new Date().toISOString(),
      building_at: null,
      deploying_at: null,
      deployed_at: null,
      ended_at: null,
      source_deployment_id: null,
      ...given,
    };
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
        return { ...row, plan };
      }, options),
    async create({ project_id, environment = 'production', database_mode = 'none', file_name }, options = {}) {
      // The file goes nowhere; the bar still moves as it would.
      for (let share = 0.1; share <= 1; share += 0.1) {
        options.onProgress?.(Math.min(1, share));
        await pause(90, options.signal);
      }
      options.onProgress?.(1);
      const mode = database_mode === 'external' ? 'byo' : database_mode;
      return answer(() => start(project_id, { environment, database_mode: mode, trigger: 'upload', source_name: file_name }), options);
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
