import * as z from 'zod';
import { route } from './route.ts';

export const SystemProblem = z.object({ reason: z.string(), remedy: z.string() });
const problem = SystemProblem.nullable();

export const System = z.object({
  version: z.string(),
  isolated: z.boolean().meta({ description: 'False under PADDOCK_UNSANDBOXED=1: agents run without isolation' }),
  runtime_problem: problem.meta({ description: 'Why agents cannot run on this machine, and what to do; null if they can' }),
  agent_domain: z.string(),
  database_problems: z
    .object({ postgresql: problem, redis: problem })
    .meta({ description: 'Why managed databases of a type are unavailable here, and what to do' }),
  recording_problem: problem.meta({
    description:
      'Why requests are recorded without bodies, or not at all, and what to do; null while they are recorded as projects require',
  }),
});
export type System = z.infer<typeof System>;

export const system = {
  get: route({
    method: 'GET',
    path: '/system',
    access: 'any',
    summary: 'What this installation is and can do',
    input: z.strictObject({}),
    output: System,
  }),
  changes: route({
    method: 'GET',
    path: '/changes',
    access: 'agents:read',
    summary: 'Waits (25 s at most) until something of the team changed after the given version, then tells the version',
    note: 'The version rises with each change of a project or deployment. It answers at once where the version differs from `after`.',
    input: z.strictObject({ after: z.coerce.number<number>().int().min(0).default(0) }),
    output: z.object({ version: z.number().int() }),
  }),
};
