import * as z from 'zod';
import { Environment } from './deployments.ts';
import { variableLimits } from './limits.ts';
import { id, nothing, timestamp } from './lists.ts';
import { route } from './route.ts';

/** Values are write-only: no call returns one. */
export const Variable = z.object({
  key: z.string(),
  environment: Environment,
  available_at_build: z.boolean(),
  updated_at: timestamp,
});
export type Variable = z.infer<typeof Variable>;

const inProject = z.strictObject({ project_id: id('prj') });
const named = inProject.extend({ key: z.string().max(200), environment: Environment });
export const SentVariable = z.strictObject({
  key: z.string().max(200).meta({ description: 'Letters, digits and `_`. `PORT` and names that begin with `PADDOCK_` are refused' }),
  value: z
    .string()
    .max(32 * 1024)
    .meta({ description: 'Stored encrypted; no call returns it' }),
  available_at_build: z
    .boolean()
    .default(false)
    .meta({ description: 'Build steps get it, too. Install steps do not: they run code of packages' }),
});
export const VariableList = z.object({ variables: z.array(Variable) });

export const variables = {
  list: route({
    method: 'GET',
    path: '/projects/:project_id/variables',
    access: 'projects:read',
    summary: 'Names of the environment variables and secrets of a project',
    errors: ['project_not_found'],
    input: inProject.extend({ environment: Environment.optional() }),
    output: VariableList,
  }),
  set: route({
    method: 'POST',
    path: '/projects/:project_id/variables',
    access: 'projects:write',
    summary: `Set variables of an environment, which has ${variableLimits.count} and ${variableLimits.sumBytes / 1024} KiB at most; they act from the next deployment on`,
    audit: 'variable.set',
    note: 'An own `DATABASE_URL` or `REDIS_URL` counts where the deployment has no database of that type; where it has one, the log says so.',
    errors: ['project_not_found', 'variables_too_large'],
    input: inProject.extend({
      environment: Environment,
      variables: z.array(SentVariable).min(1).max(100),
    }),
    output: VariableList,
  }),
  get: route({
    method: 'GET',
    path: '/projects/:project_id/variables/:key',
    access: 'projects:read',
    summary: 'One variable of an environment, without its value',
    errors: ['project_not_found', 'variable_not_found'],
    input: named,
    output: Variable,
  }),
  remove: route({
    method: 'DELETE',
    path: '/projects/:project_id/variables/:key',
    access: 'projects:write',
    status: 204,
    summary: 'Remove a variable from an environment',
    audit: 'variable.remove',
    errors: ['project_not_found', 'variable_not_found'],
    input: named,
    output: nothing,
  }),
};
