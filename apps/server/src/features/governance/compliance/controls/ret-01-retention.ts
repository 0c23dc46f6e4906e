import { traceLimits } from '@paddock/contract/limits';
import { plural } from '@paddock/contract/plural';
import type { RetainedData } from '@paddock/contract/policy-rules';
import { dayMs } from '@paddock/contract/time';
import type { Sql } from '../../../../db/connect.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { agoText, failed, passed, type Subject, unverified, within } from '../finding.ts';

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

type Deps = Pick<ControlDeps, 'sql' | 'auditRetentionDays' | 'logRetentionDays' | 'keptAtMostBy'>;

/** RET-01: each sweep succeeded within a day, and none of the team's data is older than the installation and its own policies allow. */
export function retentionControl({ sql, auditRetentionDays, logRetentionDays, keptAtMostBy }: Deps): Control {
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
      const { jobs, now } = await loadJobs(sql, [...Object.keys(sweeps), ...ruled.map(({ job }) => job)]);
      const nodes = await loadBackupNodes(sql, team_id);
      const overdue = await loadOverdue(sql, team_id, limits);
      const resources = Object.entries(sweeps).flatMap(([name, { what, kind }]) => {
        const own = ruled.filter((one) => one.kind === kind);
        const names = kind === 'backups' ? nodes.map((node) => `${name}@${node}`) : [name, ...own.map(({ job }) => job)];
        const runs = names.map((one) => jobs.find((job) => job.name === one) ?? { name: one, last_run_at: null, last_error: null });
        return [
          ...runs.map((run) => ranWell(run, { what, now })),
          ...overdue.filter((one) => one.kind === kind).map((one) => tooOld(one, { what, now, limits, policy: own[0]?.policy })),
        ];
      });
      const looked_at = `${plural(resources.filter(({ type }) => type === 'job').length, 'retention job')}, and the oldest rows of audit payloads, logs, traces, visits and backups.`;
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

interface OverdueContext {
  what: string;
  now: string;
  limits: Limits;
  /** The policy that sets the limit, if one shortens the default. */
  policy: string | undefined;
}

function tooOld({ kind, subject_id, subject_name, at }: Overdue, { what, now, limits, policy }: OverdueContext): ControlFinding {
  const subject: Subject = { type: kind === 'backups' ? 'database' : 'project', id: subject_id ?? kind, name: subject_name ?? what };
  const path = kind === 'backups' && subject_id ? `/databases?open=${subject_id}&tab=backups` : '/governance?tab=data-governance';
  const may =
    kind === 'backups'
      ? 'its own date of expiry'
      : `${plural(Math.floor(limits[kind]), 'day')}${policy === undefined ? '' : ` by the policy "${policy}"`}`;
  const finding =
    kind === 'backups'
      ? `A backup should have been removed ${agoText(at, Date.parse(now))}.`
      : `${what} from ${agoText(at, Date.parse(now))} are still there; the limit is ${may}.`;
  return failed(subject, finding, { evidence: { kind, at, limit: may }, fix: { text: fix.text, path } });
}

interface JobRun {
  name: string;
  last_run_at: string | null;
  last_error: string | null;
}

/** How long each kind may be kept, in days, including the allowed delay of a sweep. */
interface Limits {
  audit: number;
  logs: number;
  traces: number;
  visits: number;
}

/** The oldest overdue item of a kind. */
interface Overdue {
  kind: 'audit' | 'logs' | 'traces' | 'visits' | 'backups';
  /** Its owner: a project, a database. */
  subject_id: string | null;
  subject_name: string | null;
  at: string;
}

async function loadJobs(sql: Sql, names: readonly string[]): Promise<{ jobs: JobRun[]; now: string }> {
  const jobs = await sql<JobRun[]>`
    select name, last_run_at, last_error
    from periodic_jobs
    where split_part(name, '@', 1) = any(${names as string[]})
    order by name`;
  const [{ now }] = await sql<[{ now: string }]>`select now() as now`;
  return { jobs, now };
}

/** Nodes that have managed databases of a team; each one removes its own expired backups. */
async function loadBackupNodes(sql: Sql, team_id: string): Promise<string[]> {
  const rows = await sql<{ node: string }[]>`
    select distinct node
    from databases
    where team_id = ${team_id}
      and mode = 'managed'
      and node is not null`;
  return rows.map(({ node }) => node);
}

async function loadOverdue(sql: Sql, team_id: string, days: Limits): Promise<Overdue[]> {
  const before = (kind: keyof Limits) => sql`now() - ${`${days[kind]} days`}::interval`;
  const audit = sql<Overdue[]>`
    select 'audit' as kind, null as subject_id, null as subject_name, recorded_at as at
    from audit_payloads
    where team_id = ${team_id}
      and recorded_at < ${before('audit')}
    limit 1`;
  const logs = sql<Overdue[]>`
    select 'logs' as kind, d.project_id as subject_id, p.name as subject_name, l.created_at as at
    from log_lines l
    left join deployments d on d.id = l.deployment_id
    left join projects p on p.id = d.project_id
    where l.team_id = ${team_id}
      and l.created_at < ${before('logs')}
    limit 1`;
  const traces = sql<Overdue[]>`
    select 'traces' as kind, d.project_id as subject_id, p.name as subject_name, t.started_at as at
    from traces t
    join deployments d on d.id = t.deployment_id
    join projects p on p.id = d.project_id
    where d.team_id = ${team_id}
      and t.started_at < ${before('traces')}
    order by t.started_at
    limit 1`;
  const visits = sql<Overdue[]>`
    select 'visits' as kind, d.project_id as subject_id, p.name as subject_name, v.minute as at
    from traffic_minutes v
    join deployments d on d.id = v.deployment_id
    join projects p on p.id = d.project_id
    where d.team_id = ${team_id}
      and v.minute < ${before('visits')}
    order by v.minute
    limit 1`;
  // The newest backup is kept, because it is the last one to restore from.
  const backups = sql<Overdue[]>`
    select 'backups' as kind, b.id as subject_id, p.name || ', ' || b.environment || ', ' || b.type as subject_name, k.expires_at as at
    from database_backups k
    join databases b on b.id = k.database_id
    join projects p on p.id = b.project_id
    where k.team_id = ${team_id}
      and k.expires_at < now() - interval '2 hours'
      and k.id is distinct from (
        select n.id
        from database_backups n
        where n.database_id = k.database_id
          and n.status = 'available'
        order by n.created_at desc, n.id desc
        limit 1
      )
    order by k.expires_at
    limit 1`;
  return (await Promise.all([audit, logs, traces, visits, backups])).flat();
}
