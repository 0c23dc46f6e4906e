import { traceLimits } from '@paddock/contract/limits';
import type { RetainedData } from '@paddock/contract/policy-rules';
import type { Control, ControlFinding } from '../../control.ts';
import type { ControlDeps } from '../../control-deps.ts';
import { agoText, count, dayMs, failed, passed, type Subject, unverified, within } from '../../finding.ts';
import { type JobRun, type Limits, type Overdue, retentionStore } from './retention-store.ts';

/** Logs and the audit trail are dropped in whole days, a day after the oldest line is due; every sweep may be an hour or two late. */
const wholeDay = 1.1;
const late = 0.1;
/** For the gateway's minutes, which are also kept until they are summed up. */
const minutesKeptDays = 7 + 1;

/** Data whose retention policies may shorten, and the job that enforces it: by line, within the hour. */
const shortened = [
  { data: 'audit payloads', kind: 'audit', job: 'audit.retain-by-policy' },
  { data: 'logs', kind: 'logs', job: 'log.retain-by-policy' },
  { data: 'traces', kind: 'traces', job: 'trace.retain-by-policy' },
] as const satisfies { data: RetainedData; kind: keyof Limits; job: string }[];

/** Retention jobs, with what they remove and the kind of data. */
const sweeps: Record<string, { what: string; kind: Overdue['kind'] }> = {
  'audit.retention': { what: 'Bodies of the audit trail', kind: 'audit' },
  'log.retain': { what: 'Log lines', kind: 'logs' },
  'trace.sweep': { what: 'Traces and spans', kind: 'traces' },
  'traffic.retain': { what: 'Visits by the minute', kind: 'visits' },
  'database-backup.sweep': { what: 'Backups', kind: 'backups' },
};

const fix = {
  text: 'The operator looks into the log of the server for the job, mends the cause, and waits for its next turn within the hour.',
};

type RetentionDeps = Pick<ControlDeps, 'sql' | 'auditRetentionDays' | 'logRetentionDays' | 'keptAtMostBy'>;

/** RET-01: each sweep succeeded within a day, and none of the team's data is older than the installation and its own policies allow. */
export function retentionControl({ sql, auditRetentionDays, logRetentionDays, keptAtMostBy }: RetentionDeps): Control {
  const store = retentionStore(sql);
  const usual: Limits = {
    audit: auditRetentionDays + wholeDay,
    logs: logRetentionDays + wholeDay,
    traces: traceLimits.keptDays + late,
    visits: minutesKeptDays + late,
  };
  return {
    id: 'RET-01',
    of: 'team',
    async check(team_id) {
      const ruled = await shortenedBy(team_id, keptAtMostBy);
      const limits = { ...usual };
      for (const { kind, days } of ruled) limits[kind] = Math.min(limits[kind], days + late);
      const { jobs, now } = await store.jobs([...Object.keys(sweeps), ...ruled.map(({ job }) => job)]);
      const nodes = await store.backupNodes(team_id);
      const overdue = await store.overdue(team_id, limits);
      const resources = Object.entries(sweeps).flatMap(([name, { what, kind }]) => {
        const own = ruled.filter((one) => one.kind === kind);
        const names = kind === 'backups' ? nodes.map((node) => `${name}@${node}`) : [name, ...own.map(({ job }) => job)];
        const runs = names.map((one) => jobs.find((job) => job.name === one) ?? { name: one, last_run_at: null, last_error: null });
        return [
          ...runs.map((run) => ranWell(run, { what, now })),
          ...overdue.filter((one) => one.kind === kind).map((one) => tooOld(one, { what, now, limits, policy: own[0]?.policy })),
        ];
      });
      const looked_at = `${count(resources.filter(({ type }) => type === 'job').length, 'retention job')}, and the oldest rows of audit payloads, logs, traces, visits and backups.`;
      return { looked_at, resources };
    },
  };
}

interface Shortened {
  kind: (typeof shortened)[number]['kind'];
  job: string;
  days: number;
  policy: string;
}

async function shortenedBy(team_id: string, keptAtMostBy: ControlDeps['keptAtMostBy']): Promise<Shortened[]> {
  const found: Shortened[] = [];
  for (const { data, kind, job } of shortened) {
    const one = await keptAtMostBy(team_id, data);
    if (one) found.push({ kind, job, days: one.days, policy: one.by.policy });
  }
  return found;
}

function ranWell({ name, last_run_at, last_error }: JobRun, { what, now }: { what: string; now: string }): ControlFinding {
  const subject: Subject = { type: 'job', id: name, name: what };
  const at = Date.parse(now);
  const evidence = { job: name, last_run_at };
  if (last_run_at === null) return unverified(subject, `${what}: the job ${name} has not run on this installation yet.`, { evidence, fix });
  if (last_error !== null)
    return failed(subject, `${what}: the last run of the job ${name} failed, ${agoText(last_run_at, at)}.`, { evidence, fix });
  if (!within(last_run_at, dayMs, at))
    return failed(subject, `${what}: the job ${name} ran ${agoText(last_run_at, at)}, which is more than 24 hours.`, { evidence, fix });
  return passed(subject, `${what}: the job ran well ${agoText(last_run_at, at)}.`, evidence);
}

interface Deps {
  what: string;
  now: string;
  limits: Limits;
  /** The policy that sets the limit, if one shortens the default. */
  policy: string | undefined;
}

function tooOld({ kind, subject_id, subject_name, at }: Overdue, { what, now, limits, policy }: Deps): ControlFinding {
  const subject: Subject = { type: kind === 'backups' ? 'database' : 'project', id: subject_id ?? kind, name: subject_name ?? what };
  const path = kind === 'backups' && subject_id ? `/databases?open=${subject_id}&tab=backups` : '/governance?tab=data-governance';
  const may =
    kind === 'backups'
      ? 'its own date of expiry'
      : `${count(Math.floor(limits[kind]), 'day')}${policy === undefined ? '' : ` by the policy "${policy}"`}`;
  const finding =
    kind === 'backups'
      ? `A backup should have been removed ${agoText(at, Date.parse(now))}.`
      : `${what} from ${agoText(at, Date.parse(now))} are still there; the limit is ${may}.`;
  return failed(subject, finding, { evidence: { kind, at, limit: may }, fix: { text: fix.text, path } });
}
