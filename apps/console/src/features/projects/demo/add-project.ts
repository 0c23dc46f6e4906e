import type { Project } from '@paddock/contract';
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

export function addDemoProject(world: DemoWorld, { name, description = '' }: { name: string; description?: string | undefined }): Project {
  const project: Project = {
    id: freshId('prj'),
    name,
    description: description.trim(),
    url: agentUrl(name, 'production'),
    created_at: new Date().toISOString(),
    deployment_count: 0,
    build_settings: null,
  };
  world.projects.push(project);
  world.changed();
  return project;
}
