import { resolve } from 'node:path';
import { type Deployment, Environment } from '@paddock/contract';
import type { Context, Server } from './context.ts';
import { notFound, usage } from './failures.ts';
import { findProject, projectNameFor } from './project.ts';

export interface TargetOptions {
  project?: string;
  env?: string;
}

export function environmentOf(given: string | undefined): Environment {
  if (given === undefined) return 'production';
  const found = Environment.safeParse(given);
  if (!found.success) throw usage('--env is production or preview.');
  return found.data;
}

/** Newest first, at most `limit` of the project's environment. */
export async function deploymentsOf({ api }: Server, project_id: string, environment: Environment, limit = 50): Promise<Deployment[]> {
  return (await api.deployments.list({ project_id, environment, limit })).deployments;
}

/**
 * The deployment that is meant: by id, else the one of the project (of its name, or of this folder) that serves the environment,
 * else its newest.
 */
export async function theDeployment(
  context: Context,
  server: Server,
  given: string | undefined,
  options: TargetOptions,
): Promise<Deployment> {
  if (given?.startsWith('dep_')) return server.api.deployments.get({ id: given });
  const environment = environmentOf(options.env);
  const name = given ?? options.project;
  const wanted = name?.startsWith('prj_') ? name : await projectNameFor(context, server, resolve(context.cwd), name);
  const project = await findProject(server, wanted);
  if (!project)
    throw notFound(`There is no project ${wanted} on ${server.url}. Name a project or a deployment (dep_…); "paddock list" shows yours.`);
  const rows = await deploymentsOf(server, project.id, environment);
  const found = rows.find(({ is_current }) => is_current) ?? rows[0];
  if (!found) throw notFound(`Nothing was deployed to ${project.name} (${environment}) yet. Run: paddock deploy`);
  return found;
}
