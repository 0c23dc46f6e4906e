import { type Deployment, Environment } from '@paddock/contract';
import * as z from 'zod';
import { theDeployment } from '../deployment.ts';
import { usage } from '../failures.ts';
import type { Call } from './tool.ts';

const deployment_id = z
  .string()
  .regex(/^dep_/, 'An id begins with dep_')
  .max(64)
  .optional()
  .describe('Id of a deployment (dep_…); wins over project_name');
export const environment = Environment.default('production');

/** A deployment by its id or its project. */
export const targetShape = {
  deployment_id,
  project_name: z
    .string()
    .max(200)
    .optional()
    .describe('Name of a project: the deployment that serves its environment, else its newest. Without both, the project of this folder'),
  environment,
};

interface Target {
  deployment_id?: string | undefined;
  project_name?: string | undefined;
  environment: Environment;
}

export const targetDeployment = ({ context, server }: Call, { deployment_id, project_name, environment }: Target): Promise<Deployment> =>
  theDeployment(context, { server, given: deployment_id ?? project_name, options: { env: environment } });

/** A tool that ends or replaces something requires its name: the folder in which the server happens to run decides nothing. */
export function refuseUnnamed({ deployment_id, project_name }: Omit<Target, 'environment'>): void {
  if (deployment_id === undefined && project_name === undefined) throw usage('Give deployment_id or project_name.');
}
