import * as z from 'zod';
import { id } from './lists.ts';

/** A deployment goes to a project by its id, or by its name. */
export const target = {
  project_id: id('prj').optional().meta({ description: 'Id of the project. Either this or `project_name`' }),
  project_name: z.string().max(200).optional().meta({
    description:
      'Instead of `project_id`: the project of this name, made with the deployment where there is none; a refused deployment makes none. An API key needs `projects:write` to make one',
  }),
};
export const isOneTarget = ({ project_id, project_name }: { project_id?: string | undefined; project_name?: string | undefined }) =>
  (project_id === undefined) !== (project_name === undefined);
export const oneTarget = { path: ['project_id'], message: 'Give either project_id or project_name.' };
/**
 * The same constraint for clients that validate against the OpenAPI document. Not `oneOf`: generators of clients make no class of an object with
 * alternatives.
 */
export const eitherTarget = {
  if: { required: ['project_id'] },
  else: { required: ['project_name'] },
  not: { required: ['project_id', 'project_name'] },
};
