import type { Sql } from '../../../../db/connect.ts';

export type TrailStore = ReturnType<typeof trailStore>;

/** Number of days that a dry run covers. */
export const lookbackDays = 30;
/** Maximum number of records that one rule reads. */
export const maxScanned = 50_000;

interface Recorded {
  audit_id: string;
  at: string;
  action: string;
}
export interface RecordedDeployment extends Recorded {
  deployment_id: string;
  environment: string | null;
  database_mode: string | null;
  /** The displayed name: that of its archive. */
  name: string | null;
  /** Null before the archive was inspected, and if the deployment is gone. */
  has_health: boolean | null;
  key_name: string | null;
  email: string | null;
}

/** All SQL for refusals in a dry run: successful calls of the last days in the trail, and the facts that are stored beside it. */
export const trailStore = (sql: Sql) => {
  const recent = recentCondition(sql);
  return {
    deployments: (team_id: string) => sql<RecordedDeployment[]>`
      select
        r.id as audit_id, r.timestamp as at, r.action, r.target_id as deployment_id,
        coalesce(d.environment, p.body::jsonb #>> '{input_data,environment}') as environment,
        coalesce(d.database_mode, p.body::jsonb #>> '{input_data,database_mode}') as database_mode,
        d.source_name as name,
        case when d.plan is not null then d.plan ->> 'health' is not null end as has_health,
        k.name as key_name,
        u.email
      from audit_records r
      left join audit_payloads p on p.team_id = r.team_id and p.seq = r.seq and p.recorded_at = r.recorded_at
      left join deployments d on d.team_id = r.team_id and d.id = r.target_id
      left join api_keys k on r.actor_type = 'key' and k.team_id = r.team_id and k.id = r.actor_id
      left join users u on r.actor_type = 'person' and u.id = r.actor_id
      where ${recent(team_id)}
        and r.action_type = 'deployment'
        and r.action in ('deployment.create', 'deployment.redeploy', 'deployment.rollback')
        and r.status = 'success'
      order by r.timestamp desc, r.seq desc
      limit ${maxScanned}`,

    /** Created keys, including rotated ones. */
    keysMade: (team_id: string) => sql<(Recorded & { name: string; expires_in_days: number | null })[]>`
      select r.id as audit_id, r.timestamp as at, r.action, k.name, k.expires_in_days
      from audit_records r
      join api_keys k on k.team_id = r.team_id and k.id = r.target_id
      where ${recent(team_id)}
        and r.action_type = 'configuration'
        and r.action in ('api-key.create', 'api-key.rotate')
        and r.status = 'success'
      order by r.timestamp desc, r.seq desc
      limit ${maxScanned}`,

    /** Calls by keys that were older than `days` at the time of the call. */
    callsByOldKeys: (team_id: string, days: number) => sql<(Recorded & { name: string })[]>`
      select r.id as audit_id, r.timestamp as at, r.action, k.name
      from api_keys k
      join audit_records r on r.team_id = k.team_id and r.actor_id = k.id
      where k.team_id = ${team_id}
        and ${recent(team_id)}
        and r.actor_type = 'key'
        and r.status = 'success'
        and r.timestamp > k.created_at + make_interval(days => ${days}::int)
      order by r.timestamp desc, r.seq desc
      limit ${maxScanned}`,

    ...ofPeople(sql),
  };
};

/** Calls by people, and sign-in attempts for their accounts. */
const ofPeople = (sql: Sql) => {
  const recent = recentCondition(sql);
  return {
    /** Calls with these actions by people who have no second factor now. */
    changesWithoutSecondFactor: (team_id: string, actions: readonly string[]) => sql<(Recorded & { name: string })[]>`
      select r.id as audit_id, r.timestamp as at, r.action, u.name
      from audit_records r
      join users u on u.id = r.actor_id
      where ${recent(team_id)}
        and r.actor_type = 'person'
        and r.action = any(${actions as string[]})
        and r.status = 'success'
        and not exists (
          select 1
          from second_factors f
          where f.user_id = u.id
            and f.is_confirmed
        )
      order by r.timestamp desc, r.seq desc
      limit ${maxScanned}`,

    /** The oldest first. */
    failedSignIns: (team_id: string) => sql<(Recorded & { user_id: string; name: string | null })[]>`
      select r.id as audit_id, r.timestamp as at, r.action, r.actor_id as user_id, u.name
      from audit_records r
      left join users u on u.id = r.actor_id
      where ${recent(team_id)}
        and r.action = 'session.open'
        and r.status = 'error'
        and r.actor_id is not null
      order by r.timestamp, r.seq
      limit ${maxScanned}`,

    /** Saved settings, as far as the trail still contains them. */
    protectionSaved: (team_id: string) => sql<(Recorded & { name: string | null; rules: Record<string, { action?: string }> | null })[]>`
      select r.id as audit_id, r.timestamp as at, r.action, r.agent_name as name, p.body::jsonb #> '{input_data,rules}' as rules
      from audit_records r
      join audit_payloads p on p.team_id = r.team_id and p.seq = r.seq and p.recorded_at = r.recorded_at
      where ${recent(team_id)}
        and r.action_type = 'configuration'
        and r.action = 'data-protection.update'
        and r.status = 'success'
      order by r.timestamp desc, r.seq desc
      limit ${maxScanned}`,
  };
};

const recentCondition = (sql: Sql) => (team_id: string) =>
  sql`
  r.team_id = ${team_id}
  and r.timestamp > now() - make_interval(days => ${lookbackDays}::int)`;
