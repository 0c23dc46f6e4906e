import * as z from 'zod';
import { tryLimits, tryMethods } from './limits.ts';
import { id } from './lists.ts';
import { route } from './route.ts';

export const TryHeader = z.object({ name: z.string(), value: z.string() });
export const SentHeader = z.strictObject({
  name: z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,128}$/, 'Not the name of a header'),
  value: z
    .string()
    .max(tryLimits.headerLetters)
    .regex(/^[\t -~]*$/, 'Only visible ASCII characters and blanks'),
});

/** The result of a try. Only a `complete` response is whole. */
export const tryOutcomes = ['complete', 'too_long', 'timed_out', 'broken'] as const;
export type TryOutcome = (typeof tryOutcomes)[number];

export const TryHead = z.object({
  status: z.number().int(),
  headers: z.array(TryHeader).meta({ description: 'As the agent and the gateway sent them' }),
  first_byte_ms: z.number().int().meta({ description: 'From the connection to the gateway until the first byte of the answer' }),
});
export const TryEnd = z.object({
  outcome: z.enum(tryOutcomes).meta({ description: '`complete`; cut at 10 MiB (`too_long`) or 2 minutes (`timed_out`); `broken` midway' }),
  detail: z.string().meta({ description: 'What the outcome means, as a sentence; empty when the answer is complete' }),
  bytes: z.number().int().meta({ description: 'Bytes of the body that came' }),
  total_ms: z.number().int(),
});

/** Each event has one of these fields: first `head`, then any number of `chunk`, finally `end`. The fields before `end` may be missing. */
export const TryEvent = z.object({
  head: TryHead.optional(),
  chunk: z.string().optional().meta({ description: 'The next bytes of the body, in base64' }),
  end: TryEnd.optional(),
});
export type TryEvent = z.infer<typeof TryEvent>;
export type TryHead = z.infer<typeof TryHead>;
export type TryEnd = z.infer<typeof TryEnd>;

export const tryAgent = route({
  method: 'POST',
  path: '/deployments/:id/try',
  access: 'agents:write',
  stream: true,
  // A body may have many characters that JSON writes as two, and the request also contains headers.
  body_bytes: 3 * tryLimits.bodyBytes,
  summary: 'Send a request to an agent through the gateway, and get its answer as it comes',
  note: 'The status is 200 whatever the agent answers. The answer is cut at 10 MiB or after 2 minutes. Four of these calls of a team, and 32 of all, run at once on each server.',
  audit: 'deployment.try',
  errors: ['deployment_not_found', 'deployment_cannot_answer', 'gateway_unreachable'],
  input: z.strictObject({
    id: id('dep'),
    method: z.enum(tryMethods).default('GET'),
    path: z
      .string()
      .max(tryLimits.pathLetters)
      .regex(/^\/[!-"$-~]*$/, 'Begins with /, and has only visible ASCII characters without #')
      .default('/')
      .meta({ description: 'Path and query' }),
    headers: z
      .array(SentHeader)
      .max(tryLimits.headers)
      .default([])
      .meta({ description: 'Headers of framing and forwarding, and sessions and API keys of Paddock, are refused' }),
    body: z.string().default('').meta({ description: 'At most 1 MiB' }),
  }),
  output: TryEvent,
});
