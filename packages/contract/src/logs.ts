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
  message: z.string(),
  created_at: timestamp,
});
export type LogLine = z.infer<typeof LogLine>;

const filter = z.strictObject({ id: id('dep'), level: z.enum(logLevels).optional(), search: z.string().max(200).optional() });

export const logs = {
  list: route({
    method: 'GET',
    path: '/deployments/:id/logs',
    access: 'logs:read',
    summary: 'Log lines in ascending number; without after or before the last ones',
    input: filter.extend({
      limit: z.coerce.number<number>().int().min(1).max(500).default(logLimits.default_page),
      after: z.coerce.number<number>().int().min(0).optional(),
      before: z.coerce.number<number>().int().min(1).optional(),
    }),
    output: z.object({ logs: z.array(LogLine), next_cursor: z.string().nullable() }),
  }),
  ticket: route({
    method: 'POST',
    path: '/deployments/:id/logs/ticket',
    access: 'logs:read',
    status: 201,
    location: '/deployments/:id/logs',
    summary: 'A single-use ticket (60 s) for the live log at /ws/logs/{id}',
    input: z.strictObject({ id: id('dep') }),
    output: z.object({ ticket: z.string(), expires_at: timestamp }),
  }),
  download: route({
    method: 'GET',
    path: '/deployments/:id/logs/download',
    access: 'logs:read',
    download: true,
    summary: 'The whole log, or what the filter leaves of it, as a file',
    input: filter.extend({ format: z.enum(['text', 'jsonl']).default('text') }),
    output: z.string(),
  }),
};
