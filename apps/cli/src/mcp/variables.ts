import { variableKeyProblem } from '@paddock/contract/rules';
import * as z from 'zod';
import { usage } from '../failures.ts';
import { theProject } from '../project.ts';
import { environment } from './target.ts';
import { defineTool, type Tool } from './tool.ts';

const project_name = z.string().max(200);

export const variableTools: readonly Tool[] = [
  defineTool({
    name: 'list_variables',
    title: 'List variables',
    description: 'Lists the names of the variables and secrets of a project. No call gives a value back.',
    effect: 'reads',
    input: z.strictObject({ project_name, environment }),
    async run({ context, server }, { project_name, environment }) {
      const { id: project_id } = await theProject(context, project_name, server);
      const { variables } = await server.api.variables.list({ project_id, environment });
      return { value: { variables } };
    },
  }),
  defineTool({
    name: 'set_variable',
    title: 'Set a variable',
    description:
      'Sets a variable or secret of a project, or replaces its value; it acts from the next deployment on (redeploy). The answer never holds the value.',
    effect: 'replaces',
    input: z.strictObject({
      project_name,
      environment,
      key: z.string().max(200).describe('Its name, such as MODEL_KEY'),
      value: z.string().max(32 * 1024),
      available_at_build: z.boolean().default(false).describe('Give it to build steps, too'),
    }),
    async run({ context, server }, { project_name, environment, ...variable }) {
      const problem = variableKeyProblem(variable.key);
      if (problem) throw usage(problem);
      const { id: project_id } = await theProject(context, project_name, server);
      const { variables } = await server.api.variables.set({ project_id, environment, variables: [variable] });
      return { value: { variables } };
    },
  }),
];
