import * as z from 'zod';
import { route } from './route.ts';

const Lack = z.object({ reason: z.string(), remedy: z.string() }).nullable();

export const System = z.object({
  version: z.string(),
  /** False under PADDOCK_UNSANDBOXED=1: agents then run without isolation, and the console says so. */
  isolated: z.boolean(),
  /** Why agents cannot run on this machine and what to do; null when they can. */
  runtime_problem: Lack,
  agent_domain: z.string(),
  /** Why managed databases of a type cannot be had here and what to do; null when they can. */
  database_problems: z.object({ postgresql: Lack, redis: Lack }),
  /** Why requests are recorded without bodies, or not at all, and what to do; null while they are recorded as projects want it. */
  recording_problem: Lack,
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
    input: z.strictObject({ after: z.coerce.number<number>().int().min(0).default(0) }),
    output: z.object({ version: z.number().int() }),
  }),
};
