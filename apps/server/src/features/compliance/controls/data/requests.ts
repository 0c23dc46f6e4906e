import { above, clauseLimits } from '../../clause-limits.ts';
import type { Control, ControlFinding } from '../../control.ts';
import type { ControlDeps } from '../../control-deps.ts';
import { agoText, count, dayMs, failed, passed, type Subject } from '../../finding.ts';
import { type AboutData, requestsStore } from './requests-store.ts';

const most = 500;
const { openDays } = clauseLimits['DSR-01'];

/** DSR-01: every request about personal data is answered within its legal time limit, and each erasure has its certificate. */
export function requestControl({ sql }: Pick<ControlDeps, 'sql'>): Control {
  const store = requestsStore(sql);
  return {
    id: 'DSR-01',
    of: 'team',
    async check(team_id) {
      const rows = await store.recent(team_id, most);
      return {
        looked_at: `${count(rows.length, 'request')} of people about their data, of the last year.`,
        absence: 'Nobody has asked about their data within the last year.',
        resources: rows.map(look),
      };
    },
  };
}

function look({ id, kind, status, created_at, finished_at, has_certificate, now }: AboutData): ControlFinding {
  const subject: Subject = { type: 'data_subject_request', id, name: null };
  const evidence = { kind, status, created_at, finished_at, has_certificate };
  const at = Date.parse(now);
  const asked = `A request to ${kind}, made ${agoText(created_at, at)},`;
  if (status === 'failed')
    return failed(subject, `${asked} failed.`, {
      evidence,
      fix: { text: 'Make the request again; the log of the server says what broke.' },
    });
  if (status !== 'completed') {
    const days = (at - Date.parse(created_at)) / dayMs;
    const problems = above(openDays, days, ({ limit, by }) => `${asked} is not done; ${by} allows ${limit} days.`);
    if (problems.length === 0) return passed(subject, `${asked} is under way.`, evidence);
    const fix = { text: 'See that a server runs and reaches its database: it works on requests every few seconds.' };
    return failed(subject, problems, { evidence, fix });
  }
  if (kind === 'erase' && !has_certificate)
    return failed(subject, `${asked} has no certificate.`, { evidence, fix: { text: 'Make the request again.' } });
  return passed(subject, `${asked} was done ${agoText(finished_at ?? now, at)}.`, evidence);
}
