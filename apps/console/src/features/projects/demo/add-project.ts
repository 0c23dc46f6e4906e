import type { Project, projects, Sent } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { normalizeProjectName, projectNameProblem } from '@paddock/contract/rules';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { freshId } from '../../../demo/ids.ts';
import { agentUrl } from './samples.ts';

/** The name as the server would store it, or its refusal. */
export function checkedDemoName(typed: string, path = 'name'): string {
  const message = projectNameProblem(typed);
  if (message) throw new ApiError('input_invalid', { detail: message, errors: [{ path, message }] });
  return normalizeProjectName(typed);
}

/** The given fields as the server would store them. */
export const trimmed = <Fields extends object>(fields: Fields): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value.trim() : value]],
    ),
  ) as ReturnType<typeof trimmed<Fields>>;

export function addDemoProject(world: DemoWorld, { name, description = '', ...fields }: Sent<typeof projects.create>): Project {
  const project: Project = {
    id: freshId('prj'),
    name,
    ...trimmed({ ...fields, description }),
    url: agentUrl(name, 'production'),
    created_at: new Date().toISOString(),
    deployment_count: 0,
    build_settings: null,
  };
  world.projects.push(project);
  world.changed();
  return project;
}
