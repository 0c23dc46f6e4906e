import { contract, type Route, type Scope } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import type { Sql } from '../../../../db/connect.ts';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { daysSince, toFinding } from '../finding.ts';
import { loadLiveKeys } from './live-keys.ts';

/** The period in which a key should have used its scopes. */
const scopeDays = 30;

const routes = Object.values(contract as Record<string, Record<string, Route>>).flatMap((group) => Object.values(group));
const callsOf = (scope: Scope) => routes.filter(({ access, of_others }) => access === scope || of_others === scope);
/** Recorded actions that prove the use of a scope. */
const actionsOf = (scope: Scope) => callsOf(scope).flatMap(({ audit }) => audit || []);
/** Every use of a scope that only changes things is recorded, so that no record means no use. */
const onlyChanges = (scope: Scope) => callsOf(scope).every(({ method }) => method !== 'GET');

/**
 * IAM-01: compares the scopes of keys with their recorded actions. Reads are not recorded, so a read-only scope counts as used if the key
 * is used at all.
 */
export const keyScopeControl = ({ sql }: Pick<ControlDeps, 'sql'>): Control => ({
  id: 'IAM-01',
  of: 'team',
  async check(team_id) {
    const keys = await loadLiveKeys(sql, team_id);
    const done = await loadActions(
      sql,
      team_id,
      keys.map(({ id }) => id),
    );
    return {
      looked_at: `What ${plural(keys.length, 'live API key')} may do, against what the audit trail says they did in ${scopeDays} days.`,
      absence: 'The team has no live API key.',
      resources: keys.map((key) => {
        const seen = new Set(done.get(key.id));
        const isNew = daysSince(key.created_at) < scopeDays;
        const isIdle = daysSince(key.last_used_at ?? key.created_at) >= scopeDays;
        const used = key.scopes.filter((scope) => actionsOf(scope).some((action) => seen.has(action)));
        const unused = key.scopes.filter((scope) => !used.includes(scope) && (isIdle || onlyChanges(scope)));
        const unneeded = unused.join(', ');
        return toFinding(
          {
            type: 'api_key',
            id: key.id,
            name: key.name,
            evidence: { granted: key.scopes, used, unused, actions: [...seen].slice(0, 50), created_at: key.created_at },
            fix: { text: `Make a key without ${unneeded}, and revoke this one`, path: '/api-keys' },
          },
          {
            problems: isNew || unused.length === 0 ? [] : [`In ${scopeDays} days the key did not use what it may: ${unneeded}.`],
            fine: isNew
              ? `The key is younger than ${scopeDays} days: too young to say what it does not need.`
              : 'The key used each scope whose use is recorded.',
          },
        );
      }),
    };
  },
});

/** Recorded actions of each key within the period, without refused ones. */
async function loadActions(sql: Sql, team_id: string, key_ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await sql<{ id: string; actions: string[] }[]>`
    select actor_id as id, array_agg(distinct action) as actions
    from audit_records
    where team_id = ${team_id}
      and actor_id = any(${key_ids as string[]})
      and actor_type = 'key'
      and status <> 'error'
      and timestamp > now() - make_interval(days => ${scopeDays}::int)
    group by actor_id`;
  return new Map(rows.map(({ id, actions }) => [id, actions]));
}
