import * as z from 'zod';
import { variableLimits } from './limits.ts';
import { id } from './lists.ts';
import { route } from './route.ts';

const change = z.enum(['added', 'removed', 'changed']);
const count = z.number().int().min(0);
const maxListed = 1_000;

const ChangedFile = z.object({
  path: z.string(),
  change,
  bytes: count.nullable().meta({ description: 'Its size; null if it was removed' }),
  bytes_before: count.nullable().meta({ description: 'Its size before; null if it was added' }),
});
const ChangedFiles = z.object({
  added: count,
  removed: count,
  changed: count.meta({ description: 'Files with other contents, or that were made executable or no longer are' }),
  unchanged: count,
  list: z.array(ChangedFile).max(maxListed).meta({ description: 'By path' }),
});
const ChangedPackage = z.object({
  ecosystem: z.string(),
  name: z.string(),
  version: z.string().nullable().meta({ description: 'Null if it was removed' }),
  version_before: z.string().nullable().meta({ description: 'Null if it was added' }),
});
const ChangedPackages = z.object({
  list: z.array(ChangedPackage).max(maxListed).meta({ description: 'By name' }),
  total: count.meta({ description: 'All that changed' }),
  is_partial: z.boolean().meta({ description: 'The packages of one of the two could not be read as a whole' }),
});
const ChangedFact = z.object({
  what: z.string().meta({ description: 'Such as `start` or `version`' }),
  value: z.string().nullable(),
  value_before: z.string().nullable(),
});
const ChangedVariable = z.object({ name: z.string(), change });

/** The differences between two deployments: how the first one differs from the other. */
export const DeploymentChanges = z.object({
  deployment_id: id('dep'),
  with_id: id('dep').meta({ description: 'The other deployment, whose values are those before' }),
  is_same_code: z
    .boolean()
    .nullable()
    .meta({ description: 'Both have the same archive; null where one was uploaded before Paddock kept digests' }),
  files: ChangedFiles.nullable().meta({ description: 'Null where an archive is gone or cannot be read' }),
  packages: ChangedPackages.nullable().meta({ description: 'What is installed; null where one of the two was not built' }),
  plan: z.array(ChangedFact).max(20).nullable().meta({ description: 'How it is built and started; null where one of the two has no plan' }),
  variables: z
    .array(ChangedVariable)
    .max(2 * variableLimits.count)
    .nullable()
    .meta({
      description:
        'By name, never by value: those that each process was last started with; null where one was not started, or before Paddock kept their names',
    }),
});
export type DeploymentChanges = z.infer<typeof DeploymentChanges>;

export const compareDeployments = route({
  method: 'GET',
  path: '/deployments/:id/changes',
  access: 'agents:read',
  summary: 'Compare two deployments: files, packages, plan, variables by name',
  note: 'Two comparisons of a team are made at a time.',
  errors: ['deployment_not_found', 'nothing_to_compare'],
  input: z.strictObject({
    id: id('dep'),
    with: id('dep').optional().meta({ description: 'The other deployment; without it, what served the environment before' }),
  }),
  output: DeploymentChanges,
});
