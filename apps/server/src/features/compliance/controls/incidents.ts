import type { Sql } from '../../../db/connect.ts';
import { type Control, type Found, unverified } from '../control.ts';
import { counted, failed, passed } from './found.ts';
import { incidentsStore, type OpenAlert } from './incidents-store.ts';

export interface IncidentParts {
  sql: Sql;
  now: () => number;
}

/** Article 33 of the GDPR gives 72 hours to report a breach. */
const limitHours = 72;
const hourMs = 3_600_000;
/** The job runs every minute. */
const quietMs = 10 * 60_000;

/** INC-01: nothing critical stays open for longer than 72 hours. */
export function incidentControl({ sql, now }: IncidentParts): Control {
  const store = incidentsStore(sql);
  return {
    id: 'INC-01',
    of: 'team',
    async check(team_id) {
      const [open, evaluated] = await Promise.all([store.critical(team_id), store.evaluated()]);
      const looked_at = `${counted(open.length, 'open critical alert')}; the rules that open alerts were judged last at ${evaluated ?? 'no time'}`;
      const overdue = open.some((one) => isOverdue(one, now()));
      if (!overdue && (evaluated === undefined || now() - Date.parse(evaluated) > quietMs))
        return unverified(
          looked_at,
          'The job that opens alerts has not run without an error within the last 10 minutes, so nobody knows whether there is an incident.',
        );
      return { looked_at, resources: open.map((one) => judge(one, now())) };
    },
  };
}

const isOverdue = ({ created_at }: OpenAlert, now: number) => now - Date.parse(created_at) > limitHours * hourMs;

function judge(alert: OpenAlert, now: number): Found {
  const { id, title, message, project_name, created_at } = alert;
  const thing = { type: 'alert', id, name: title ?? message.slice(0, 100) };
  const hours = Math.floor((now - Date.parse(created_at)) / hourMs);
  const evidence = { message: message.slice(0, 500), project: project_name, created_at };
  if (!isOverdue(alert, now)) return passed(thing, `Critical and open for ${counted(hours, 'hour')}: ${thing.name}.`, evidence);
  return failed(
    thing,
    `A critical alert${project_name ? ` of ${project_name}` : ''} is open for ${counted(hours, 'hour')}, longer than ${limitHours}: ${thing.name}.`,
    {
      evidence,
      fix: { text: 'Mend its cause, or resolve the alert once it was dealt with.', path: '/dashboard' },
    },
  );
}
