import { plural } from '@paddock/contract/plural';
import { hourMs } from '@paddock/contract/time';
import type { Sql } from '../../../../db/connect.ts';
import { above, clauseLimits, strictestMax } from '../clause-limits.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { failed, passed, unverifiedResult } from '../finding.ts';

const maxAlerts = 1_000;
/** GDPR allows 72 hours to report a breach; other frameworks allow more. */
const { openHours } = clauseLimits['INC-01'];
/** The job runs every minute. */
const quietMs = 10 * 60_000;

/** INC-01: nothing critical stays open for longer than a framework allows. */
export function incidentControl({ sql, now }: Pick<ControlDeps, 'sql' | 'now'>): Control {
  return {
    id: 'INC-01',
    of: 'team',
    async check(team_id) {
      const [open, evaluated] = await Promise.all([loadCriticalAlerts(sql, team_id), lastEvaluation(sql)]);
      const looked_at = `${plural(open.length, 'open critical alert')}; the rules that open alerts were judged last at ${evaluated ?? 'no time'}`;
      const overdue = open.some((one) => isOverdue(one, now()));
      if (!overdue && (evaluated === undefined || now() - Date.parse(evaluated) > quietMs))
        return unverifiedResult(
          looked_at,
          'The job that opens alerts has not run without an error within the last 10 minutes, so nobody knows whether there is an incident.',
        );
      return { looked_at, absence: 'No critical alert is open.', resources: open.map((one) => judge(one, now())) };
    },
  };
}

const hoursOpen = ({ created_at }: OpenAlert, now: number): number => (now - Date.parse(created_at)) / hourMs;
const isOverdue = (alert: OpenAlert, now: number) => hoursOpen(alert, now) > strictestMax(openHours);

function judge(alert: OpenAlert, now: number): ControlFinding {
  const { id, title, message, project_name, created_at } = alert;
  const subject = { type: 'alert', id, name: title ?? message.slice(0, 100) };
  const exact = hoursOpen(alert, now);
  const hours = Math.floor(exact);
  const evidence = { message: message.slice(0, 500), project: project_name, created_at };
  const of = project_name ? ` of ${project_name}` : '';
  const problems = above(
    openHours,
    exact,
    ({ limit, by }) => `A critical alert${of} is open for ${plural(hours, 'hour')}; ${by} allows ${limit}: ${subject.name}.`,
  );
  if (problems.length === 0) return passed(subject, `Critical and open for ${plural(hours, 'hour')}: ${subject.name}.`, evidence);
  const fix = { text: 'Mend its cause, or resolve the alert once it was dealt with.', path: '/dashboard' };
  return failed(subject, problems, { evidence, fix });
}

interface OpenAlert {
  id: string;
  title: string | null;
  message: string;
  project_name: string | null;
  created_at: string;
}

const loadCriticalAlerts = (sql: Sql, team_id: string) => sql<OpenAlert[]>`
  select a.id, a.title, a.message, p.name as project_name, a.created_at
  from alerts a
  left join projects p on p.id = a.project_id
  where a.team_id = ${team_id}
    and p.deleting_at is null
    and a.severity = 'critical'
    and a.resolved_at is null
  order by a.created_at, a.id
  limit ${maxAlerts}`;

/** The last time that the job that opens alerts succeeded. */
async function lastEvaluation(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ last_run_at: string | null }[]>`
    select last_run_at
    from periodic_jobs
    where name = 'alert-rule.evaluate'
      and last_error is null`;
  return row?.last_run_at ?? undefined;
}
