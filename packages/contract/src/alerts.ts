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
  snoozed_until: timestamp.nullable().meta({ description: 'Until then nobody is told of it; null unless it is open and snoozed' }),
});
export type Alert = z.infer<typeof Alert>;

export const alerts = {
  list: route({
    method: 'GET',
    path: '/metrics/alerts',
    access: 'agents:read',
    summary: 'Alerts, newest first; `open` counts those that are neither resolved nor snoozed',
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
  get: route({
    method: 'GET',
    path: '/metrics/alerts/:id',
    access: 'agents:read',
    summary: 'One alert',
    errors: ['alert_not_found'],
    input: z.strictObject({ id: id('alr') }),
    output: Alert,
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
  snooze: route({
    method: 'POST',
    path: '/metrics/alerts/:id/snooze',
    access: 'agents:write',
    summary: 'Tell nobody of an open alert for so many minutes, a week at most; 0 wakes it',
    audit: 'alert.snooze',
    errors: ['alert_not_found', 'alert_resolved'],
    input: z.strictObject({ id: id('alr'), minutes: z.number().int().min(0).max(10_080) }),
    output: Alert,
  }),
};
