import type { Client } from '@paddock/client';
import { ApiError } from '@paddock/contract/errors';
import { variableLimits } from '@paddock/contract/limits';
import type { contract } from '@paddock/contract/routes';
import { variableKeyProblem } from '@paddock/contract/rules';
import { answer } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';

export function demoVariables(world: DemoWorld): Client<typeof contract>['variables'] {
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
        const keys = new Set([...of(project_id, environment).variables, ...given].map(({ key }) => key));
        const bytes = given.reduce((sum, { key, value }) => sum + new TextEncoder().encode(key + value).length, 0);
        if (keys.size > variableLimits.count || bytes > variableLimits.sumBytes) throw new ApiError('variables_too_large');
        for (const { key, available_at_build = false } of given) {
          const row = { project_id, key, environment, available_at_build, updated_at: new Date().toISOString() };
          const at = indexOf(project_id, environment, key);
          if (at < 0) world.variables.push(row);
          else world.variables[at] = row;
        }
        world.changed();
        return of(project_id, environment);
      }, options),
    get: ({ project_id, environment, key }, options) =>
      answer(() => {
        const variable = of(project_id, environment).variables.find((each) => each.key === key);
        if (!variable) throw new ApiError('variable_not_found');
        return variable;
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
