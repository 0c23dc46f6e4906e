import * as z from 'zod';
import { textLimits } from './limits.ts';
import { id, nextCursor, nothing, page, timestamp } from './lists.ts';
import { route } from './route.ts';
import { maxProjectNameLength } from './rules.ts';

export const Project = z.object({
  id: id('prj'),
  name: z.string(),
  description: z.string(),
  url: z.string().meta({ description: 'Address of the production environment, which responds once something is deployed there' }),
  created_at: timestamp,
  deployment_count: z.number().int(),
  build_settings: z.object({ root: z.string().optional(), start: z.string().optional(), packages: z.string().optional() }).nullable().meta({
    description: 'Folder, start command and added packages of the agent that uploads get which give none of them; null where none are kept',
  }),
});
export type Project = z.infer<typeof Project>;

const one = z.strictObject({ id: id('prj') });
const description = z.string().trim().max(textLimits.projectDescription);
const name = z
  .string()
  .max(200)
  .meta({
    description: `Lowercase letters, digits and single hyphens, at most ${maxProjectNameLength} characters; the first name becomes the host name of the address`,
  });

export const projects = {
  list: route({
    method: 'GET',
    path: '/projects',
    access: 'projects:read',
    summary: 'Projects, newest first',
    errors: ['cursor_invalid'],
    input: z.strictObject(page.shape),
    output: z.object({ projects: z.array(Project), next_cursor: nextCursor }),
  }),
  create: route({
    method: 'POST',
    path: '/projects',
    access: 'projects:write',
    status: 201,
    location: '/projects/{id}',
    summary: 'Create a project',
    audit: 'project.create',
    errors: ['project_name_taken', 'plan_limit_reached'],
    input: z.strictObject({ name, description: description.default('') }),
    output: Project,
  }),
  get: route({
    method: 'GET',
    path: '/projects/:id',
    access: 'projects:read',
    summary: 'One project',
    errors: ['project_not_found'],
    input: one,
    output: Project,
  }),
  update: route({
    method: 'PUT',
    path: '/projects/:id',
    access: 'projects:write',
    summary: 'Rename a project or change its description; its address stays',
    audit: 'project.update',
    errors: ['project_not_found', 'project_name_taken'],
    input: one.extend({ name: name.optional(), description: description.optional() }),
    output: Project,
  }),
  delete: route({
    method: 'DELETE',
    path: '/projects/:id',
    // Agents are stopped and removed, so 'projects:write', which is for names and settings, is not enough.
    access: 'agents:delete',
    status: 204,
    summary:
      'Delete a project: its agents stop, its builds are cancelled, its addresses, logs, stored code and managed databases with their backups go',
    audit: 'project.delete',
    errors: ['project_not_found'],
    input: one,
    output: nothing,
  }),
};
