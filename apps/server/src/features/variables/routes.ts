import { ApiError, variableKeyProblem, variables } from '@paddock/contract';
import { serve } from '../../http/serve.ts';
import type { VariableStore } from './store.ts';

export const variableRoutes = (store: VariableStore) =>
  serve(variables, {
    list: async ({ project_id, environment }, { actor }) => ({ variables: await store.list(actor.team_id, project_id, environment) }),
    async set({ project_id, environment, variables }, { actor }) {
      const errors = variables.flatMap(({ key, value }, n) => {
        const message = variableKeyProblem(key) ?? (value.includes('\0') ? 'Value cannot contain a NUL character' : null);
        return message ? [{ path: `variables.${n}.key`, message }] : [];
      });
      if (errors.length) throw new ApiError('input_invalid', { errors, detail: errors.map((error) => error.message).join('; ') });
      return { variables: await store.set(actor.team_id, { project_id, environment }, variables) };
    },
    get: ({ project_id, environment, key }, { actor }) => store.get(actor.team_id, { project_id, environment }, key),
    async remove({ project_id, environment, key }, { actor }) {
      await store.remove(actor.team_id, { project_id, environment }, key);
      return null;
    },
  });
