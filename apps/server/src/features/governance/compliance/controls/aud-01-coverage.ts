import { auditActions, contract, type Route } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { recordedFields } from '../../../../audit/recorded-input.ts';
import type { Sql } from '../../../../db/connect.ts';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { toFinding } from '../finding.ts';

const minuteMs = 60_000;
/** The compared stretch: a day that ended five minutes ago. Gateways deliver records every few seconds, and count only complete minutes. */
const stretch = { minutes: 1_440, settledMinutes: 5 };
/**
 * A request is recorded when it begins and counted when it ends. Records are therefore searched two minutes around the counted stretch.
 * Longer streams may fall outside at the two edges of the day: up to 2 requests, or 0.2 % of many.
 */
const margin = { seconds: 120, requests: 2, share: 0.002 };
const waitingSeconds = 600;

type Deps = Pick<ControlDeps, 'sql' | 'now'> & {
  /** The routes of this server. */
  routes?: Record<string, Record<string, Pick<Route, 'method' | 'path' | 'audit'>>>;
};

/** AUD-01: each call that changes something is recorded, and each request that a gateway counted. */
export const auditCoverageControl = ({ sql, now, routes = contract }: Deps): Control => ({
  id: 'AUD-01',
  of: 'team',
  async check(team_id) {
    const to = new Date(Math.floor(now() / minuteMs) * minuteMs - stretch.settledMinutes * minuteMs);
    const from = new Date(to.getTime() - stretch.minutes * minuteMs);
    const [projects, { waiting, unreadable }] = await Promise.all([
      loadRequests(sql, team_id, { from: from.toISOString(), to: to.toISOString(), marginSeconds: margin.seconds }),
      countWaiting(sql, waitingSeconds),
    ]);
    const changing = Object.values(routes)
      .flatMap((group) => Object.values(group))
      .filter(({ method }) => method !== 'GET');
    const unnamed = changing.filter(
      ({ audit }) => audit === undefined || (audit !== false && !(audit in auditActions && audit in recordedFields)),
    );
    const counted = projects.reduce((sum, one) => sum + one.counted, 0);
    return {
      looked_at: `${plural(changing.length, 'call')} that ${changing.length === 1 ? 'changes' : 'change'} something, ${plural(counted, 'request')} that gateways counted in a day, and what waits to be chained.`,
      resources: [
        toFinding(
          {
            type: 'installation',
            id: 'calls',
            name: 'Calls of the API',
            evidence: {
              calls: changing.length,
              recorded: changing.filter(({ audit }) => typeof audit === 'string').length,
              left_out: changing.filter(({ audit }) => audit === false).map(({ method, path }) => `${method} ${path}`),
              unnamed: unnamed.map(({ method, path }) => `${method} ${path}`),
            },
          },
          {
            problems:
              unnamed.length > 0 ? [`${plural(unnamed.length, 'call')} that may change something names no action of the audit trail.`] : [],
            fine: 'Each call that changes something names what is recorded of it, or why nothing is.',
          },
        ),
        toFinding(
          {
            type: 'installation',
            id: 'intake',
            name: 'What waits to be chained',
            evidence: { waiting, unreadable, waiting_seconds: waitingSeconds },
            fix: { text: 'Look into the log of the server for what keeps records from being chained' },
          },
          {
            problems: [
              ...(waiting > 0
                ? [`${plural(waiting, 'record')} ${waiting === 1 ? 'waits' : 'wait'} to be chained for more than ten minutes.`]
                : []),
              ...(unreadable > 0
                ? [`${plural(unreadable, 'record')} could not be read and ${unreadable === 1 ? 'was' : 'were'} put aside.`]
                : []),
            ],
            fine: 'No records are pending, and none were rejected.',
          },
        ),
        ...projects.map((project) => ofProject(project, { from: from.toISOString(), to: to.toISOString() })),
      ],
    };
  },
});

function ofProject({ project_id, name, counted, requests, answers }: Counted, stretchOf: { from: string; to: string }) {
  const tolerated = Math.max(margin.requests, Math.floor(counted * margin.share));
  const missing = Math.max(counted - requests, counted - answers, 0);
  return toFinding(
    {
      type: 'project',
      id: project_id,
      name,
      evidence: { ...stretchOf, counted, requests, answers, tolerated },
      fix: { text: 'Look whether the gateways hand in their records: their logs tell what was lost', path: '/governance' },
    },
    {
      problems:
        missing > tolerated ? [`The trail lacks records of ${plural(missing, 'request')} of ${counted} that the gateways counted.`] : [],
      fine: `Of ${plural(counted, 'request')} the trail has ${requests} requests and ${answers} answers.`,
    },
  );
}

/** The compared time range. */
interface Stretch {
  from: string;
  to: string;
  /** Records may be this much before or after the counted range. */
  marginSeconds: number;
}
interface Counted {
  project_id: string;
  name: string;
  counted: number;
  requests: number;
  answers: number;
}

/** Requests to each project's agents: the gateways' counts, and the records in the trail. */
const loadRequests = (sql: Sql, team_id: string, { from, to, marginSeconds }: Stretch) => sql<Counted[]>`
  with counted as (
    select d.project_id, sum(t.requests)::float8 as counted
    from deployments d
    join traffic_minutes t on t.deployment_id = d.id
    where d.team_id = ${team_id}
      and t.minute >= ${from}
      and t.minute < ${to}
    group by d.project_id
  ),
  recorded as (
    select agent_id, count(*) filter (where action_type = 'request')::float8 as requests,
      count(*) filter (where action_type = 'response')::float8 as answers
    from audit_records
    where team_id = ${team_id}
      and agent_id in (
        select project_id
        from counted
      )
      and action_type in ('request', 'response')
      and timestamp >= ${from}::timestamptz - make_interval(secs => ${marginSeconds})
      and timestamp < ${to}::timestamptz + make_interval(secs => ${marginSeconds})
    group by agent_id
  )
  select c.project_id, p.name, c.counted, coalesce(r.requests, 0) as requests, coalesce(r.answers, 0) as answers
  from counted c
  join projects p on p.id = c.project_id
  left join recorded r on r.agent_id = c.project_id
  order by p.name`;

/** Records of the whole installation that have waited to be chained for longer than `seconds`, and unreadable ones. */
async function countWaiting(sql: Sql, seconds: number): Promise<{ waiting: number; unreadable: number }> {
  const [row] = await sql<[{ waiting: number; unreadable: number }]>`
    select
      (
        select count(*)::int
        from audit_intake
        where created_at < now() - make_interval(secs => ${seconds})
      ) as waiting,
      (
        select count(*)::int
        from audit_unreadable
      ) as unreadable`;
  return row;
}
