import { plural } from '@paddock/contract/plural';
import { above, clauseLimits } from '../clause-limits.ts';
import type { Control, Problem } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { daysSince, toFinding } from '../finding.ts';
import { type KeyRow, loadLiveKeys } from './live-keys.ts';

const { ageDays, idleDays } = clauseLimits['KEY-02'];
const fix = { text: 'Rotate or revoke the key', path: '/api-keys' };

/** KEY-02: age and idleness of a team's keys. */
export const keyAgeControl = ({ sql }: Pick<ControlDeps, 'sql'>): Control => ({
  id: 'KEY-02',
  of: 'team',
  async check(team_id) {
    const keys = await loadLiveKeys(sql, team_id);
    return {
      looked_at: `${plural(keys.length, 'live API key')}: how long ago each was rotated and used, and whether it ends.`,
      absence: 'The team has no live API key.',
      resources: keys.map((key) =>
        toFinding(
          {
            type: 'api_key',
            id: key.id,
            name: key.name,
            evidence: { created_at: key.created_at, last_used_at: key.last_used_at, expires_at: key.expires_at },
            fix,
          },
          { problems: findProblems(key), fine: `The key is ${plural(daysSince(key.created_at), 'day')} old, in use, and ends.` },
        ),
      ),
    };
  },
});

function findProblems({ created_at, last_used_at, expires_at }: KeyRow): Problem[] {
  const age = daysSince(created_at);
  const idle = daysSince(last_used_at ?? created_at);
  return [
    ...above(ageDays, age, ({ limit, by }) => `The key was made ${age} days ago and not rotated since; ${by} allows ${limit} days.`),
    ...above(idleDays, idle, ({ limit, by }) => `Nothing has used the key for ${idle} days; ${by} allows ${limit}.`),
    ...(expires_at === null ? [neverExpires] : []),
  ];
}

/** Only PCI DSS 8.6.3 requires that programs' secrets change periodically. */
const neverExpires: Problem = { finding: 'The key never expires.', clauses: [{ framework: 'pci-dss', clause: '8.6.3' }] };
