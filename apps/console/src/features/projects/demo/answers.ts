import type { Client } from '@paddock/client';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer, paginate } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { addDemoProject, checkedDemoName, trimmed } from './add-project.ts';

export function demoProjects(world: DemoWorld): Client<typeof contract>['projects'] {
  const counted = (project: (typeof world.projects)[number]) => ({
    ...project,
    deployment_count: world.deployments.filter(({ row }) => row.project_id === project.id).length,
  });
  const find = (id: string) => {
    const project = world.projects.find((each) => each.id === id);
    if (!project) throw new ApiError('project_not_found');
    return project;
  };
  const checked = (typed: string, own?: string) => {
    const name = checkedDemoName(typed);
    if (world.projects.some((each) => each.name === name && each.id !== own)) throw new ApiError('project_name_taken');
    return name;
  };
  return {
    list: (input = {}, options) =>
      answer(() => {
        const newest = world.projects.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
        const { rows, next_cursor } = paginate(newest, input);
        return { projects: rows.map(counted), next_cursor };
      }, options),
    get: ({ id }, options) => answer(() => counted(find(id)), options),
    create: (input, options) =>
      answer(() => {
        const name = checked(input.name);
        return addDemoProject(world, { ...input, name });
      }, options),
    update: ({ id, name, ...fields }, options) =>
      answer(() => {
        const project = find(id);
        if (name !== undefined) project.name = checked(name, id);
        Object.assign(project, trimmed(fields));
        for (const each of world.deployments) if (each.row.project_id === id) each.row = { ...each.row, project_name: project.name };
        for (const each of world.databases) if (each.project_id === id) each.project_name = project.name;
        world.changed();
        return counted(project);
      }, options),
    delete: ({ id }, options) =>
      answer(() => {
        world.projects.splice(world.projects.indexOf(find(id)), 1);
        for (const each of [...world.deployments])
          if (each.row.project_id === id) world.deployments.splice(world.deployments.indexOf(each), 1);
        world.forgetDatabases(({ project_id }) => project_id === id);
        for (const each of [...world.variables]) if (each.project_id === id) world.variables.splice(world.variables.indexOf(each), 1);
        world.changed();
        return null;
      }, options),
  };
}
