import { ApiError, type Policy, policyLimits } from '@paddock/contract';
import { type PiiType } from '@paddock/contract/data-protection';
import { countHosts, understandRule } from '@paddock/contract/policy-rules';
import { recordAction } from '../../../audit/record-action.ts';
import { type Sql, singleRow, type Tx } from '../../../db/connect.ts';
import { lockTeam } from '../../../db/lock-team.ts';

export type PolicyStore = ReturnType<typeof policyStore>;

export type PolicyRow = Omit<Policy, 'understood' | 'etag'>;
/** Throws when the policy may not be changed in its current state. */
type Check = (current: PolicyRow) => void;
export type GivenPolicy = Pick<Policy, 'name' | 'description' | 'type' | 'status' | 'rules'>;
export type ActivePolicy = Pick<Policy, 'id' | 'name' | 'rules'>;

/** All SQL on policies. */
export const policyStore = (sql: Sql) => ({
  list: (team_id: string) => sql<PolicyRow[]>`
    select ${columns(sql)}
    from policies
    where team_id = ${team_id}
    order by created_at desc, id desc
    limit ${policyLimits.perTeam}`,

  /** Throws policy_not_found. */
  get: (team_id: string, id: string) => found(sql, team_id, id),

  /** Idempotent: a repeat returns the existing policy. Throws policy_limit_reached, policy_hosts_too_many. */
  create: (team_id: string, id: string, given: GivenPolicy): Promise<PolicyRow> =>
    sql.begin(async (tx) => {
      await lockTeam(tx, team_id);
      const [{ before, count }] = await tx<[{ before: boolean; count: number }]>`
        select coalesce(bool_or(id = ${id}), false) as before, count(*)::int as count
        from policies
        where team_id = ${team_id}`;
      if (before) return found(tx, team_id, id);
      if (count >= policyLimits.perTeam) throw new ApiError('policy_limit_reached');
      const hosts = await countedHosts(tx, team_id, { id, given });
      await tx`
        insert into policies (id, team_id, name, description, type, status, rules, redacts, hosts)
        values (
          ${id}, ${team_id}, ${given.name}, ${given.description}, ${given.type}, ${given.status}, ${given.rules},
          ${redactedBy(given.rules)}, ${hosts}
        )`;
      await recordAction(tx, id);
      return found(tx, team_id, id);
    }),

  /** Throws policy_not_found, the error of `check`, and policy_hosts_too_many. */
  replace: (team_id: string, { id, given }: { id: string; given: GivenPolicy }, check: Check): Promise<PolicyRow> =>
    sql.begin(async (tx) => {
      await lockTeam(tx, team_id);
      check(await found(tx, team_id, id));
      const hosts = await countedHosts(tx, team_id, { id, given });
      const [changed] = await tx`
        update policies
        set
          name = ${given.name},
          description = ${given.description},
          type = ${given.type},
          status = ${given.status},
          rules = ${given.rules},
          redacts = ${redactedBy(given.rules)},
          hosts = ${hosts},
          updated_at = date_trunc('milliseconds', clock_timestamp())
        where team_id = ${team_id}
          and id = ${id}
        returning id`;
      if (!changed) throw new ApiError('policy_not_found');
      await recordAction(tx, id);
      return found(tx, team_id, id);
    }),

  /** Throws policy_not_found, and the error of `check`. */
  remove: (team_id: string, id: string, check: Check): Promise<void> =>
    sql.begin(async (tx) => {
      const [removed] = await tx<PolicyRow[]>`
        select ${columns(tx)}
        from policies
        where team_id = ${team_id}
          and id = ${id}
        for update`;
      if (!removed) throw new ApiError('policy_not_found');
      check(removed);
      await recordAction(tx, id);
      await tx`
        delete from policies
        where team_id = ${team_id}
          and id = ${id}`;
    }),

  active: (team_id: string) => activePolicies(sql, team_id),
});

/** Always one row, so that "no policies" cannot be confused with a lost result. */
async function activePolicies(sql: Sql, team_id: string): Promise<ActivePolicy[]> {
  const rows = await sql<{ policies: ActivePolicy[] }[]>`
    select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'rules', rules) order by created_at, id), '[]') as policies
    from (
      select id, name, rules, created_at
      from policies
      where team_id = ${team_id}
        and status = 'active'
      order by created_at, id
      limit ${policyLimits.perTeam}
    ) active`;
  return singleRow(rows).policies;
}

/**
 * The hosts that a policy names. Throws policy_hosts_too_many if it would take the team's active policies over their limit, or further
 * over it: a team that exceeded the limit when it was introduced can still reduce the number.
 */
async function countedHosts(tx: Tx, team_id: string, { id, given }: { id: string; given: GivenPolicy }): Promise<number> {
  const hosts = countHosts(given.rules);
  if (given.status !== 'active' || hosts === 0) return hosts;
  const rows = await tx<{ others: number; before: number }[]>`
    select
      coalesce(sum(hosts) filter (where id <> ${id}), 0)::int as others,
      coalesce(sum(hosts) filter (where id = ${id}), 0)::int as before
    from policies
    where team_id = ${team_id}
      and status = 'active'`;
  const active = singleRow(rows);
  if (active.others + hosts > policyLimits.activeHosts && hosts > active.before) throw new ApiError('policy_hosts_too_many');
  return hosts;
}

async function found(tx: Tx, team_id: string, id: string): Promise<PolicyRow> {
  const [row] = await tx<PolicyRow[]>`
    select ${columns(tx)}
    from policies
    where team_id = ${team_id}
      and id = ${id}`;
  if (!row) throw new ApiError('policy_not_found');
  return row;
}

const columns = (tx: Tx) => tx`id, name, description, type, status, rules, created_at, updated_at`;

const redactedBy = (rules: readonly string[]): PiiType[] => [
  ...new Set(
    rules.flatMap((text) => {
      const rule = understandRule(text);
      return rule?.kind === 'redact' ? rule.types : [];
    }),
  ),
];
