import * as z from 'zod';
import { route } from './route.ts';

const Lack = z.object({ reason: z.string(), remedy: z.string() }).nullable();

export const System = z.object({
  version: z.string(),
  /** False under PADDOCK_UNSANDBOXED=1: agents then run without isolation, and the console shows it. */
  isolated: z.boolean(),
  /** The reason why agents cannot run on this machine and the remedy; null if they can. */
  runtime_problem: Lack,
  agent_domain: z.string(),
  /** The reason why managed databases of a type are unavailable here and the remedy; null if they are available. */
  database_problems: z.object({ postgresql: Lack, redis: Lack }),
  /**
   * The reason why requests are recorded without bodies, or not at all, and the remedy; null while they are recorded as projects require.
   */
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
