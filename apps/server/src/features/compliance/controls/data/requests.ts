import { subjectLimits } from '@paddock/contract';
import type { Parts } from '../../../../parts.ts';
import type { Control, Found } from '../../control.ts';
import { agoText, counted, dayMs, failed, passed, type Subject, within } from './finding.ts';
import { type AboutData, requestsStore } from './requests-store.ts';

const most = 500;

/** DSR-01: nobody who asked about their data waits longer than 30 days, and each erasure has its certificate. */
export function requestsOnTime({ sql }: Pick<Parts, 'sql'>): Control {
  const store = requestsStore(sql);
  return {
    id: 'DSR-01',
    of: 'team',
    async check(team_id) {
      const rows = await store.recent(team_id, most);
      return { looked_at: `${counted(rows.length, 'request')} of people about their data, of the last year.`, resources: rows.map(look) };
    },
  };
}

function look({ id, kind, status, created_at, finished_at, has_certificate, now }: AboutData): Found {
  const subject: Subject = { type: 'data_subject_request', id, name: null };
  const evidence = { kind, status, created_at, finished_at, has_certificate };
  const at = Date.parse(now);
  const asked = `A request to ${kind}, made ${agoText(created_at, at)},`;
  if (status === 'failed')
    return failed(subject, {
      finding: `${asked} failed.`,
      evidence,
      fix: { text: 'Make the request again; the log of the server says what broke.' },
    });
  if (status !== 'completed') {
    if (within(created_at, subjectLimits.dueDays * dayMs, at)) return passed(subject, { finding: `${asked} is under way.`, evidence });
    const finding = `${asked} is not done; ${subjectLimits.dueDays} days are allowed.`;
    return failed(subject, {
      finding,
      evidence,
      fix: { text: 'See that a server runs and reaches its database: it works on requests every few seconds.' },
    });
  }
  if (kind === 'erase' && !has_certificate)
    return failed(subject, { finding: `${asked} has no certificate.`, evidence, fix: { text: 'Make the request again.' } });
  return passed(subject, { finding: `${asked} was done ${agoText(finished_at ?? now, at)}.`, evidence });
}
