import type { Client } from '@paddock/client';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { normalizeProjectName, projectNameProblem, variableKeyProblem } from '@paddock/contract/rules';
import { demoAlerts } from '../features/alerts/demo/answers.ts';
import { demoKeys } from '../features/api-keys/demo/answers.ts';
import { demoDatabases } from '../features/databases/demo/answers.ts';
import { demoDeployments } from '../features/deployments/demo/answers.ts';
import { agentUrl } from '../features/deployments/demo/samples.ts';
import { demoLogs } from '../features/logs/demo/answers.ts';
import { demoOAuth } from '../features/oauth/demo.ts';
import { answer, pageOf, until } from './answers.ts';
import { demoSession } from './demo-account.ts';
import { createDemoPerson, type DemoPerson, demoProfile, demoTwoFactor } from './demo-profile.ts';
import { createDemoWorld, type DemoWorld } from './demo-world.ts';
import { freshId } from './ids.ts';

const longPollMs = 25_000;

/** The one world of this page: what is created, changed or deleted in it holds until reload. */
export const demoWorld = createDemoWorld();

/** Demo mode: the whole API in memory, without one request. A contract change that is not mirrored here does not compile. */
export function demoApi(world: DemoWorld = demoWorld): Client<typeof contract> {
  const person = createDemoPerson();
  const deployments = demoDeployments(world);
  return {
    accounts: accounts(person),
    oauth: demoOAuth(),
    profile: demoProfile(person),
    twoFactor: demoTwoFactor(person),
    projects: projects(world),
    deployments,
    logs: demoLogs(world),
    variables: variables(world),
    databases: demoDatabases(world),
    alerts: demoAlerts(world),
    apiKeys: demoKeys(world),
    system: system(world),
  };
}

function accounts(person: DemoPerson): Client<typeof contract>['accounts'] {
  return {
    signup: () => Promise.reject(new ApiError('email_taken', { detail: 'The demo has one account. Sign out to create your own.' })),
    login: ({ email, password }) =>
      answer(() => {
        const session = demoSession(email, password);
        if (!session) throw new ApiError('credentials_wrong');
        return session;
      }),
    logout: () => answer(() => null),
    me: () => answer(() => person.user),
    forgot: () => answer(() => null),
    reset: () => Promise.reject(new ApiError('link_invalid')),
    verify: () => Promise.reject(new ApiError('link_invalid')),
    resendVerification: () => answer(() => null),
  };
}

function projects(world: DemoWorld): Client<typeof contract>['projects'] {
  const counted = (project: (typeof world.projects)[number]) => ({
    ...project,
    deployment_count: world.deployments.filter(({ row }) => row.project_id === project.id).length,
  });
  const find = (id: string) => {
    const project = world.projects.find((each) => each.id === id);
    if (!project) throw new ApiError('project_not_found');
    return project;
  };
  const checked = (typed: string, own?: string) => {
    const message = projectNameProblem(typed);
    if (message) throw new ApiError('input_invalid', { detail: message, errors: [{ path: 'name', message }] });
    const name = normalizeProjectName(typed);
    if (world.projects.some((each) => each.name === name && each.id !== own)) throw new ApiError('project_name_taken');
    return name;
  };
  return {
    list: (input = {}, options) =>
      answer(() => {
        const newest = world.projects.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
        const { rows, next_cursor } = pageOf(newest, input);
        return { projects: rows.map(counted), next_cursor };
      }, options),
    get: ({ id }, options) => answer(() => counted(find(id)), options),
    create: (input, options) =>
      answer(() => {
        const name = checked(input.name);
        const created_at = new Date().toISOString();
        const project = {
          id: freshId('prj'),
          name,
          description: input.description?.trim() ?? '',
          url: agentUrl(name, 'production'),
          created_at,
          deployment_count: 0,
        };
        world.projects.push(project);
        world.changed();
        return project;
      }, options),
    update: ({ id, name, description }, options) =>
      answer(() => {
        const project = find(id);
        if (name !== undefined) project.name = checked(name, id);
        if (description !== undefined) project.description = description.trim();
        for (const each of world.deployments) if (each.row.project_id === id) each.row = { ...each.row, project_name: project.name };
        for (const each of world.databases) if (each.project_id === id) each.project_name = project.name;
        world.changed();
        return counted(project);
      }, options),
    delete: ({ id }, options) =>
      answer(() => {
        world.projects.splice(world.projects.indexOf(find(id)), 1);
        for (const each of [...world.deployments])
          if (each.row.project_id === id) world.deployments.splice(world.deployments.indexOf(each), 1);
        world.forgetDatabases(({ project_id }) => project_id === id);
        for (const each of [...world.variables]) if (each.project_id === id) world.variables.splice(world.variables.indexOf(each), 1);
        world.changed();
        return null;
      }, options),
  };
}

function variables(world: DemoWorld): Client<typeof contract>['variables'] {
  const of = (project_id: string, environment?: string) => ({
    variables: world.variables
      .filter((each) => each.project_id === project_id && (environment === undefined || each.environment === environment))
      .map(({ key, environment: where, available_at_build, updated_at }) => ({ key, environment: where, available_at_build, updated_at }))
      .sort((a, b) => a.key.localeCompare(b.key)),
  });
  const indexOf = (project_id: string, environment: string, key: string) =>
    world.variables.findIndex((each) => each.project_id === project_id && each.environment === environment && each.key === key);
  return {
    list: ({ project_id, environment }, options) => answer(() => of(project_id, environment), options),
    set: ({ project_id, environment, variables: given }, options) =>
      answer(() => {
        for (const [index, { key }] of given.entries()) {
          const message = variableKeyProblem(key);
          if (message) throw new ApiError('input_invalid', { detail: message, errors: [{ path: `variables.${index}.key`, message }] });
        }
        for (const { key, available_at_build = false } of given) {
          const row = { project_id, key, environment, available_at_build, updated_at: new Date().toISOString() };
          const at = indexOf(project_id, environment, key);
          if (at < 0) world.variables.push(row);
          else world.variables[at] = row;
        }
        world.changed();
        return of(project_id, environment);
      }, options),
    remove: ({ project_id, environment, key }, options) =>
      answer(() => {
        const at = indexOf(project_id, environment, key);
        if (at < 0) throw new ApiError('variable_not_found');
        world.variables.splice(at, 1);
        world.changed();
        return null;
      }, options),
  };
}

function system(world: DemoWorld): Client<typeof contract>['system'] {
  return {
    get: (_input, options) =>
      answer(
        () => ({
          version: 'demo',
          isolated: true,
          runtime_problem: null,
          agent_domain: 'demo.example',
          database_problems: { postgresql: null, redis: null },
        }),
        options,
      ),
    changes: ({ after = 0 } = {}, { signal } = {}) =>
      until(world, () => world.version() > after, longPollMs, signal).then(() => ({ version: world.version() })),
  };
}
