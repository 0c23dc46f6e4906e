import { auditActions, contract, type Route } from '@paddock/contract';
import { recordedFields } from '../../../audit/recorded-input.ts';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { count, toFinding } from '../finding.ts';
import { type Counted, trailStore } from './trail-store.ts';

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
      trailStore(sql).requests(team_id, { from: from.toISOString(), to: to.toISOString(), marginSeconds: margin.seconds }),
      trailStore(sql).waiting(waitingSeconds),
    ]);
    const changing = Object.values(routes)
      .flatMap((group) => Object.values(group))
      .filter(({ method }) => method !== 'GET');
    const unnamed = changing.filter(
      ({ audit }) => audit === undefined || (audit !== false && !(audit in auditActions && audit in recordedFields)),
    );
    const counted = projects.reduce((sum, one) => sum + one.counted, 0);
    return {
      looked_at: `${count(changing.length, 'call')} that ${changing.length === 1 ? 'changes' : 'change'} something, ${count(counted, 'request')} that gateways counted in a day, and what waits to be chained.`,
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
              unnamed.length > 0 ? [`${count(unnamed.length, 'call')} that may change something names no action of the audit trail.`] : [],
            fine: 'Each call that changes something names what is recorded of it, or why nothing is.',
          },
        ),
        toFinding(
          {
            type: 'installation',
            id: 'intake',
            name: 'What waits to be chained',
            evidence: { waiting, unreadable, waiting_seconds: waitingSeconds },
            fix: { text: 'Look into the log of the server for what keeps records from being chained', path: null },
          },
          {
            problems: [
              ...(waiting > 0
                ? [`${count(waiting, 'record')} ${waiting === 1 ? 'waits' : 'wait'} to be chained for more than ten minutes.`]
                : []),
              ...(unreadable > 0
                ? [`${count(unreadable, 'record')} could not be read and ${unreadable === 1 ? 'was' : 'were'} put aside.`]
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
        missing > tolerated ? [`The trail lacks records of ${count(missing, 'request')} of ${counted} that the gateways counted.`] : [],
      fine: `Of ${count(counted, 'request')} the trail has ${requests} requests and ${answers} answers.`,
    },
  );
}
