import * as z from 'zod';
import { id, nextCursor, page, timestamp } from './lists.ts';
import { route } from './route.ts';

export const alertSeverities = ['info', 'warning', 'critical'] as const;

export const Alert = z.object({
  id: id('alr'),
  deployment_id: z.string().nullable(),
  database_id: z.string().nullable(),
  project_name: z.string().nullable(),
  severity: z.enum(alertSeverities),
  message: z.string(),
  created_at: timestamp,
  resolved: z.boolean(),
  resolved_at: timestamp.nullable(),
});
export type Alert = z.infer<typeof Alert>;

export const alerts = {
  list: route({
    method: 'GET',
    path: '/metrics/alerts',
    access: 'agents:read',
    summary: 'Alerts, newest first; `open` counts those that are not resolved',
    errors: ['cursor_invalid'],
    input: z.strictObject({
      ...page.shape,
      deployment_id: id('dep').optional(),
      resolved: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional(),
    }),
    output: z.object({ alerts: z.array(Alert), next_cursor: nextCursor, open: z.number().int() }),
  }),
  resolve: route({
    method: 'POST',
    path: '/metrics/alerts/:id/resolve',
    access: 'agents:write',
    summary: 'Mark an alert as resolved',
    audit: 'alert.resolve',
    errors: ['alert_not_found'],
    input: z.strictObject({ id: id('alr') }),
    output: Alert,
  }),
};
