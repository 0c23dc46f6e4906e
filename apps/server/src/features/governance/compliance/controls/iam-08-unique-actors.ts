import { plural } from '@paddock/contract/plural';
import type { Sql } from '../../../../db/connect.ts';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { toFinding } from '../finding.ts';
import { loadLiveKeys } from './live-keys.ts';

const recordDays = 90;

/** IAM-08: each record names its actor, and each key has an owner in the team. */
export const actorControl = ({ sql }: Pick<ControlDeps, 'sql'>): Control => ({
  id: 'IAM-08',
  of: 'team',
  async check(team_id) {
    const [{ looked_at, nameless, examples }, keys] = await Promise.all([loadNamelessRecords(sql, team_id), loadLiveKeys(sql, team_id)]);
    return {
      looked_at: `${plural(looked_at, 'record')} of people and keys in ${recordDays} days, and ${plural(keys.length, 'live API key')}.`,
      absence: `There is no record of a person or a key in ${recordDays} days, and no live API key.`,
      resources: [
        ...(looked_at > 0 ? [assessRecords(team_id, { looked_at, nameless, examples })] : []),
        ...keys.map(({ id, name, has_owner }) =>
          toFinding(
            { type: 'api_key', id, name, evidence: { has_owner }, fix: { text: 'Revoke the key', path: '/api-keys' } },
            {
              problems: has_owner ? [] : ['The person this key acts for is not in the team.'],
              fine: 'The key acts for one person of the team.',
            },
          ),
        ),
      ],
    };
  },
});

const assessRecords = (team_id: string, evidence: { looked_at: number; nameless: number; examples: string[] }) =>
  toFinding(
    {
      type: 'team',
      id: team_id,
      name: 'Audit trail',
      evidence,
      fix: { text: 'Look at what recorded these without a name', path: '/governance' },
    },
    {
      problems:
        evidence.nameless > 0
          ? [`${plural(evidence.nameless, 'record')} of a person or a key ${evidence.nameless === 1 ? 'does' : 'do'} not say which.`]
          : [],
      fine: 'Each record names who did it.',
    },
  );

/** Records within the period whose actor should have a name but has none. */
async function loadNamelessRecords(sql: Sql, team_id: string): Promise<{ looked_at: number; nameless: number; examples: string[] }> {
  const [row] = await sql<[{ looked_at: number; nameless: number; examples: string[] | null }]>`
    select count(*)::int as looked_at, count(*) filter (where actor_id is null)::int as nameless,
      (array_agg(id order by seq desc) filter (where actor_id is null))[1:10] as examples
    from audit_records
    where team_id = ${team_id}
      and actor_type in ('person', 'key')
      and timestamp > now() - make_interval(days => ${recordDays}::int)`;
  return { ...row, examples: row.examples ?? [] };
}
