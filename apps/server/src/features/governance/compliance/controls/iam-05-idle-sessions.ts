import { plural } from '@paddock/contract/plural';
import type { Sql } from '../../../../db/connect.ts';
import { above, clauseLimits } from '../clause-limits.ts';
import type { Control, Problem } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { toFinding } from '../finding.ts';

const { idleMinutes } = clauseLimits['IAM-05'];
/** HIPAA requires the end of a session after a period without use, but leaves the period open. */
const anyLimit = { framework: 'hipaa', clause: '312(a)(2)(iii)' } as const;
const fix = {
  text: `Activate a policy with the rule 'End idle sessions after ${idleMinutes[0].limit} minutes'`,
  path: '/governance?tab=policies',
};

/** IAM-05: a policy ends idle sessions. The control checks the setting, which Paddock enforces, and no single session. */
export const idleSessionControl = ({ sql, idleLimit }: Pick<ControlDeps, 'sql' | 'idleLimit'>): Control => ({
  id: 'IAM-05',
  of: 'team',
  async check(team_id) {
    const [limit, open_sessions] = await Promise.all([idleLimit(team_id), countOpenSessions(sql, team_id)]);
    return {
      looked_at: `After how many minutes without use the policies of the team end a session; ${plural(open_sessions, 'session is', 'sessions are')} open.`,
      resources: [
        toFinding(
          { type: 'team', id: team_id, name: 'Sessions of the team', evidence: { ...limit, open_sessions }, fix },
          {
            problems: findProblems(limit?.minutes),
            fine: `Sessions end after ${limit?.minutes} minutes without use, by the policy "${limit?.policy}".`,
          },
        ),
      ],
    };
  },
});

function findProblems(minutes: number | undefined): Problem[] {
  const longer = above(
    idleMinutes,
    minutes ?? Number.POSITIVE_INFINITY,
    ({ limit, by }) =>
      `${minutes === undefined ? 'No policy ends sessions that nobody uses' : `Sessions end after ${minutes} minutes without use`}; ${by} allows ${limit} minutes.`,
  );
  const endless = { finding: 'No policy ends sessions that nobody uses.', clauses: [anyLimit] };
  return minutes === undefined ? [...longer, endless] : longer;
}

async function countOpenSessions(sql: Sql, team_id: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count
    from sessions
    where team_id = ${team_id}
      and expires_at > now()`;
  return row.count;
}
