import { contract, type Project } from '@paddock/contract';
import { projectNameProblem } from '@paddock/contract/rules';
import * as z from 'zod';
import { usage } from '../failures.ts';
import { everyProject } from '../project.ts';
import { defineTool, type Tool } from './tool.ts';

const maxListed = 500;
const { name, description } = contract.projects.create.input.shape;

export const projectTools: readonly Tool[] = [
  defineTool({
    name: 'list_projects',
    title: 'List projects',
    description: `Lists projects, newest first, ${maxListed} at most: name, address, number of deployments.`,
    effect: 'reads',
    input: z.strictObject({}),
    async run({ server }) {
      const projects: Project[] = [];
      for await (const project of everyProject(server)) {
        projects.push(project);
        if (projects.length === maxListed) break;
      }
      return { value: { projects } };
    },
  }),
  defineTool({
    name: 'create_project',
    title: 'Create a project',
    description: 'Creates a project. deploy_folder with create does the same in one step.',
    effect: 'adds',
    input: z.strictObject({ name: name.describe('Lowercase letters, digits and hyphens; becomes its address'), description }),
    async run({ server, context: { signal } }, { name, description }) {
      const problem = projectNameProblem(name);
      if (problem) throw usage(problem);
      return { value: { project: await server.api.projects.create({ name, description }, { signal }) } };
    },
  }),
];
