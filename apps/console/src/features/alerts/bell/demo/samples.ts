import type { Alert } from '@paddock/contract';
import { dayMs, hourMs, iso, minuteMs } from '@paddock/contract/time';
import { sampleId } from '../../../../demo/ids.ts';

export const sampleAlerts = (now: number): Alert[] =>
  (
    [
      {
        severity: 'warning',
        project_name: 'support-router',
        database_id: sampleId('db', 4),
        message:
          'PostgreSQL of production uses 84 % of its 5 GB of storage. At 100 % it becomes read-only: delete data, or raise the plan.',
        ago: 50 * minuteMs,
      },
      {
        severity: 'warning',
        project_name: 'support-router',
        deployment_id: sampleId('dep', 4),
        message: 'One of twenty requests took longer than 6.40 s within five minutes; the rule allows 5.00 s.',
        ago: 2 * hourMs,
        snoozed: 3 * hourMs,
      },
      {
        severity: 'warning',
        project_name: 'web-scout',
        deployment_id: sampleId('dep', 5),
        message:
          'Build failed while running the build command (npm run build): src/agent.ts:3 imports “cheerio”, which is not among the dependencies. Add that package to them and deploy again. The deployment before it serves on.',
        ago: 5 * hourMs,
      },
      {
        severity: 'critical',
        project_name: 'nightly-eval',
        database_id: sampleId('db', 9),
        message: 'Redis of production ended 5 times in 10 minutes and is not started again by itself.',
        ago: 6 * hourMs,
      },
      {
        severity: 'info',
        project_name: 'support-router',
        deployment_id: sampleId('dep', 6),
        message:
          'The agent in preview exited with code 1: crash 4 within 10 minutes. It is restarted; after the fifth it is given up. Look at its log for the cause.',
        ago: 9 * hourMs,
      },
      {
        severity: 'critical',
        project_name: 'support-router',
        database_id: sampleId('db', 4),
        message: 'The daily backup of PostgreSQL of production failed: the disk of the server was full.',
        ago: 4 * dayMs,
        resolved: 3 * dayMs,
      },
    ] as const
  ).map((alert, index) => ({
    id: sampleId('alr', index + 1),
    deployment_id: 'deployment_id' in alert ? alert.deployment_id : null,
    database_id: 'database_id' in alert ? alert.database_id : null,
    project_name: alert.project_name,
    severity: alert.severity,
    message: alert.message,
    created_at: iso(now - alert.ago),
    resolved: 'resolved' in alert,
    resolved_at: 'resolved' in alert ? iso(now - alert.resolved) : null,
    snoozed_until: 'snoozed' in alert ? iso(now + alert.snoozed) : null,
  }));
