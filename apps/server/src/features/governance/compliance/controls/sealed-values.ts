import type { Sql } from '../../../../db/connect.ts';

const maxInstallationValues = 200;

/** A sealed value, and the place that it is tied to. */
export interface SealedValue {
  /** `table.column` */
  column: string;
  context: string;
  sealed: Buffer;
  key_id: string | null;
  /** The subject that users know. */
  subject_type: string;
  subject_id: string;
  subject_name: string | null;
  project_id: string | null;
  environment: string | null;
}

/** Values per column. A team with more gets a random sample, different at each run. */
export const maxPerColumn = 5_000;

/** Every column that holds sealed values. `sealedColumns` finds new columns missing here. */
export const knownColumns = [
  'variables.sealed',
  'databases.secret_sealed',
  'database_tasks.secret_sealed',
  'deployments.databases_sealed',
  'deployments.given_sealed',
  'channels.sealed',
  'second_factors.sealed',
  'data_subject_requests.sealed',
  'mails.sealed',
  'oauth_states.sealed',
  'audit_signing_key.sealed',
  'key_check.sealed',
] as const;

/** The columns of the schema that hold sealed values. */
export async function loadSealedColumns(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select table_name || '.' || column_name as name
    from information_schema.columns
    where table_schema = current_schema()
      and data_type = 'bytea'
      and column_name ~ 'sealed$'
    order by 1`;
  return rows.map(({ name }) => name);
}

/** At most `limit` values of each column of a team. */
export async function loadTeamValues(sql: Sql, team_id: string, limit: number): Promise<SealedValue[]> {
  return (await Promise.all(teamColumns.map((load) => load(sql, team_id, limit)))).flat();
}

/** The newest values that belong to no team, without any data about the persons they concern. */
export async function loadInstallationValues(sql: Sql): Promise<SealedValue[]> {
  const of = sql`'installation' as subject_type, 'installation' as subject_id, null as subject_name, null as project_id, null as environment`;
  const mails = sql<SealedValue[]>`
    select 'mails.sealed' as column, 'mail ' || id as context, sealed, key_id, ${of}
    from mails
    where sealed is not null
    order by created_at desc
    limit ${maxInstallationValues}`;
  const states = sql<SealedValue[]>`
    select 'oauth_states.sealed' as column, 'oauth state ' || encode(state_hash, 'hex') as context, sealed, key_id, ${of}
    from oauth_states
    order by expires_at desc
    limit ${maxInstallationValues}`;
  const single = sql<SealedValue[]>`
    select 'audit_signing_key.sealed' as column, 'audit_signing_key' as context, sealed, key_id, ${of}
    from audit_signing_key
    union all
    select 'key_check.sealed' as column, 'key_check' as context, sealed, key_id, ${of}
    from key_check`;
  return (await Promise.all([mails, states, single])).flat();
}

type OfColumn = (sql: Sql, team_id: string, limit: number) => Promise<SealedValue[]>;

const ofVariables: OfColumn = (sql, team_id, limit) => sql<SealedValue[]>`
    select
      'variables.sealed' as column, 'variable:' || v.project_id || ':' || v.environment || ':' || v.key as context, v.sealed, v.key_id,
      'variable' as subject_type, v.project_id || ':' || v.environment || ':' || v.key as subject_id,
      v.key || ' of ' || p.name || ', ' || v.environment as subject_name, v.project_id, v.environment
    from variables v
    join projects p on p.id = v.project_id
    where v.team_id = ${team_id}
      and p.deleting_at is null
    order by random()
    limit ${limit}`;

const ofDatabases: OfColumn = (sql, team_id, limit) => sql<SealedValue[]>`
    select
      'databases.secret_sealed' as column, 'database:' || b.id as context, b.secret_sealed as sealed, b.secret_key_id as key_id,
      'database' as subject_type, b.id as subject_id, b.type || ' of ' || p.name || ', ' || b.environment as subject_name, b.project_id,
      b.environment
    from databases b
    join projects p on p.id = b.project_id
    where b.team_id = ${team_id}
    order by random()
    limit ${limit}`;

const ofTasks: OfColumn = (sql, team_id, limit) => sql<SealedValue[]>`
    select
      'database_tasks.secret_sealed' as column, 'database:' || t.database_id as context, t.secret_sealed as sealed, t.secret_key_id as key_id,
      'database' as subject_type, t.database_id as subject_id, null as subject_name, null as project_id, null as environment
    from database_tasks t
    where t.team_id = ${team_id}
      and t.secret_sealed is not null
    order by random()
    limit ${limit}`;

const ofDeployments: OfColumn = (sql, team_id, limit) => sql<SealedValue[]>`
    select
      'deployments.databases_sealed' as column, 'databases:' || d.id as context, d.databases_sealed as sealed, d.databases_key_id as key_id,
      'deployment' as subject_type, d.id as subject_id, d.source_name as subject_name, d.project_id, d.environment
    from deployments d
    where d.team_id = ${team_id}
      and d.databases_sealed is not null
    order by random()
    limit ${limit}`;

const ofStarts: OfColumn = (sql, team_id, limit) => sql<SealedValue[]>`
    select
      'deployments.given_sealed' as column, 'given:' || d.id as context, d.given_sealed as sealed, d.given_key_id as key_id,
      'deployment' as subject_type, d.id as subject_id, d.source_name as subject_name, d.project_id, d.environment
    from deployments d
    where d.team_id = ${team_id}
      and d.given_sealed is not null
    order by random()
    limit ${limit}`;

const ofChannels: OfColumn = (sql, team_id, limit) => sql<SealedValue[]>`
    select
      'channels.sealed' as column, 'channel:' || c.id as context, c.sealed, c.key_id, 'channel' as subject_type, c.id as subject_id,
      c.name as subject_name, null as project_id, null as environment
    from channels c
    where c.team_id = ${team_id}
    order by random()
    limit ${limit}`;

const ofFactors: OfColumn = (sql, team_id, limit) => sql<SealedValue[]>`
    select
      'second_factors.sealed' as column, 'second_factor:' || f.user_id as context, f.sealed, f.key_id, 'user' as subject_type,
      f.user_id as subject_id, u.name as subject_name, null as project_id, null as environment
    from second_factors f
    join team_members m on m.user_id = f.user_id
    join users u on u.id = f.user_id
    where m.team_id = ${team_id}
    order by random()
    limit ${limit}`;

const ofRequests: OfColumn = (sql, team_id, limit) => sql<SealedValue[]>`
    select
      'data_subject_requests.sealed' as column, 'data subject request ' || r.id as context, r.sealed, r.key_id,
      'data_subject_request' as subject_type, r.id as subject_id, null as subject_name, null as project_id, null as environment
    from data_subject_requests r
    where r.team_id = ${team_id}
      and r.sealed is not null
    order by random()
    limit ${limit}`;

const teamColumns: readonly OfColumn[] = [ofVariables, ofDatabases, ofTasks, ofDeployments, ofStarts, ofChannels, ofFactors, ofRequests];
