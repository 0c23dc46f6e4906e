import * as z from 'zod';
import { logLimits } from './limits.ts';
import { id, timestamp } from './lists.ts';
import { route } from './route.ts';

export const logLevels = ['debug', 'info', 'warning', 'error'] as const;
export const LogLine = z.object({
  id: z.string(),
  number: z.number().int().meta({ description: 'From 1 within the deployment, without gaps' }),
  level: z.enum(logLevels),
  source: z.enum(['build', 'agent', 'platform']),
  message: z.string().meta({ description: 'Cut at 16 KiB, with a mark' }),
  created_at: timestamp,
});
export type LogLine = z.infer<typeof LogLine>;

const search = z.string().max(logLimits.searchLetters).optional().meta({ description: 'Words, in any case' });
const levelWords = logLevels.join('|');
const filter = z.strictObject({
  id: id('dep'),
  level: z
    .string()
    .regex(new RegExp(`^(${levelWords})(,(${levelWords})){0,3}$`), `One or several of ${logLevels.join(', ')}, separated by commas`)
    .optional()
    .meta({ description: `One or several of ${logLevels.join(', ')}, separated by commas` }),
  search,
});

export const LogCounts = z.object({
  total: z.number().int(),
  levels: z.object({ debug: z.number().int(), info: z.number().int(), warning: z.number().int(), error: z.number().int() }),
  last_number: z.number().int().meta({ description: 'The counts end at this line' }),
  is_complete: z
    .boolean()
    .meta({ description: 'False when counting took too long: older lines are not counted, and the counts are lower bounds' }),
  counted_from: z.number().int().nullable().meta({
    description: 'When the counts are not complete: the oldest counted line. Send it as `before` to count the older ones, and add up',
  }),
});
export type LogCounts = z.infer<typeof LogCounts>;

export const logs = {
  list: route({
    method: 'GET',
    path: '/deployments/:id/logs',
    access: 'logs:read',
    summary: 'Log lines in ascending number; without after or before the last ones',
    note: 'One call searches for about 1.5 seconds. Two searches of a team run at a time; ten more wait, for up to 10 seconds.',
    audit: 'log.read',
    errors: ['deployment_not_found'],
    input: filter.extend({
      limit: z.coerce.number<number>().int().min(1).max(500).default(logLimits.defaultPage),
      after: z.coerce.number<number>().int().min(0).optional(),
      before: z.coerce.number<number>().int().min(1).optional(),
    }),
    output: z.object({
      logs: z.array(LogLine),
      next_cursor: z.string().nullable(),
      searched_to: z.number().int().nullable().meta({
        description:
          'With a filter: the last searched number, when the search took too long to fill the page. Send it as `before`, or `after`',
      }),
    }),
  }),
  counts: route({
    method: 'GET',
    path: '/deployments/:id/logs/counts',
    access: 'logs:read',
    summary: 'How many lines of each level the log has, or how many of them hold the words',
    errors: ['deployment_not_found'],
    note: 'One call counts for about a second. Calls of a team take turns with its searches.',
    input: z.strictObject({ id: id('dep'), search, before: z.coerce.number<number>().int().min(1).optional() }),
    output: LogCounts,
  }),
  ticket: route({
    method: 'POST',
    path: '/deployments/:id/logs/ticket',
    answer: 'secret',
    access: 'logs:read',
    status: 201,
    location: '/deployments/:id/logs',
    summary: 'A single-use ticket (60 s) for the live log at /ws/logs/{id}',
    audit: 'log.read',
    errors: ['deployment_not_found'],
    input: z.strictObject({ id: id('dep') }),
    output: z.object({ ticket: z.string(), expires_at: timestamp }),
  }),
  download: route({
    method: 'GET',
    path: '/deployments/:id/logs/download',
    access: 'logs:read',
    download: { as: 'text', types: ['text/plain', 'application/x-ndjson'] },
    summary: 'The whole log, or what the filter leaves of it, as a file',
    audit: 'log.download',
    errors: ['deployment_not_found'],
    input: filter.extend({ format: z.enum(['text', 'jsonl']).default('text') }),
    output: z.string(),
  }),
};
