import { resolve } from 'node:path';
import { type Deployment, Environment } from '@paddock/contract';
import type { Context, Server } from './context.ts';
import { notFound, usage } from './failures.ts';
import { findProject, projectNameFor } from './project.ts';

export interface TargetOptions {
  project?: string;
  env?: string;
}

export function parseEnvironment(given: string | undefined): Environment {
  if (given === undefined) return 'production';
  const found = Environment.safeParse(given);
  if (!found.success) throw usage('--env is production or preview.');
  return found.data;
}

interface DeploymentsOf {
  projectId: string;
  environment: Environment;
  limit?: number;
}

/** Newest first, at most `limit` of the project's environment. */
export async function deploymentsOf({ api }: Server, { projectId, environment, limit = 50 }: DeploymentsOf): Promise<Deployment[]> {
  return (await api.deployments.list({ project_id: projectId, environment, limit })).deployments;
}

interface DeploymentTarget {
  server: Server;
  /** The id of a deployment, the name of a project, or nothing. */
  given: string | undefined;
  options: TargetOptions;
}

/**
 * Finds the deployment by its id, or the one that serves the environment of the project (by its name, or of this folder), or the project's
 * newest.
 */
export async function theDeployment(context: Context, { server, given, options }: DeploymentTarget): Promise<Deployment> {
  if (given?.startsWith('dep_')) return server.api.deployments.get({ id: given });
  const environment = parseEnvironment(options.env);
  const name = given ?? options.project;
  const wanted = name?.startsWith('prj_') ? name : await projectNameFor(context, { server, folder: resolve(context.cwd), given: name });
  const project = await findProject(server, wanted);
  if (!project)
    throw notFound(`There is no project ${wanted} on ${server.url}. Name a project or a deployment (dep_…); "paddock list" shows yours.`);
  const rows = await deploymentsOf(server, { projectId: project.id, environment });
  const found = rows.find(({ is_current }) => is_current) ?? rows[0];
  if (!found) throw notFound(`Nothing was deployed to ${project.name} (${environment}) yet. Run: paddock deploy`);
  return found;
}
