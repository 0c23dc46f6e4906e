import { plural } from '@paddock/contract/plural';
import { dayMs } from '@paddock/contract/time';
import type { Sql } from '../../../../db/connect.ts';
import { above, clauseLimits } from '../clause-limits.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { agoText, failed, passed, type Subject } from '../finding.ts';

const maxRequests = 500;
const { openDays } = clauseLimits['DSR-01'];

/** DSR-01: every request about personal data is answered within its legal time limit, and each erasure has its certificate. */
export function requestControl({ sql }: Pick<ControlDeps, 'sql'>): Control {
  return {
    id: 'DSR-01',
    of: 'team',
    async check(team_id) {
      const rows = await loadRequests(sql, team_id);
      return {
        looked_at: `${plural(rows.length, 'request')} of people about their data, of the last year.`,
        absence: 'Nobody has asked about their data within the last year.',
        resources: rows.map(judge),
      };
    },
  };
}

function judge({ id, kind, status, created_at, finished_at, has_certificate, now }: AboutData): ControlFinding {
  const subject: Subject = { type: 'data_subject_request', id, name: null };
  const evidence = { kind, status, created_at, finished_at, has_certificate };
  const at = Date.parse(now);
  const request = `A request to ${kind}, made ${agoText(created_at, at)},`;
  if (status === 'failed')
    return failed(subject, `${request} failed.`, {
      evidence,
      fix: { text: 'Make the request again; the log of the server says what broke.' },
    });
  if (status !== 'completed') {
    const days = (at - Date.parse(created_at)) / dayMs;
    const problems = above(openDays, days, ({ limit, by }) => `${request} is not done; ${by} allows ${limit} days.`);
    if (problems.length === 0) return passed(subject, `${request} is under way.`, evidence);
    const fix = { text: 'See that a server runs and reaches its database: it works on requests every few seconds.' };
    return failed(subject, problems, { evidence, fix });
  }
  if (kind === 'erase' && !has_certificate)
    return failed(subject, `${request} has no certificate.`, { evidence, fix: { text: 'Make the request again.' } });
  return passed(subject, `${request} was done ${agoText(finished_at ?? now, at)}.`, evidence);
}

interface AboutData {
  id: string;
  kind: 'find' | 'erase';
  status: 'queued' | 'running' | 'completed' | 'failed';
  created_at: string;
  finished_at: string | null;
  has_certificate: boolean;
  now: string;
}

const loadRequests = (sql: Sql, team_id: string) => sql<AboutData[]>`
  select r.id, r.kind, r.status, r.created_at, r.finished_at, r.certificate is not null as has_certificate, now() as now
  from data_subject_requests r
  where r.team_id = ${team_id}
    and (r.status <> 'completed' or r.finished_at > now() - interval '1 year')
    and not (
      r.status = 'failed'
      and exists (
        select 1
        from data_subject_requests later
        where later.team_id = r.team_id
          and later.fingerprint = r.fingerprint
          and later.kind = r.kind
          and later.status = 'completed'
          and later.created_at > r.created_at
      )
    )
  order by r.status = 'completed', r.created_at
  limit ${maxRequests}`;
