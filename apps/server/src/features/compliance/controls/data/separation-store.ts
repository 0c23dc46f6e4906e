import type { Environment } from '@paddock/contract';
import type { Sql } from '../../../../db/connect.ts';

export interface OfEnvironment {
  id: string;
  project_id: string;
  project_name: string;
  environment: Environment;
  /** The key of a variable, the type of a database. */
  name: string;
  context: string;
  sealed: Buffer;
  key_id: string;
}

export const maxValues = 20_000;

/** Variables and databases of environments, still sealed. Read only. */
export const separationStore = (sql: Sql) => ({
  variables: (team_id: string) => sql<OfEnvironment[]>`
    select
      v.project_id || ':' || v.environment || ':' || v.key as id, v.project_id, p.name as project_name, v.environment, v.key as name,
      'variable:' || v.project_id || ':' || v.environment || ':' || v.key as context, v.sealed, v.key_id
    from variables v
    join projects p on p.id = v.project_id
    where v.team_id = ${team_id}
      and p.deleting_at is null
    order by v.project_id, v.environment, v.key
    limit ${maxValues}`,

  databases: (team_id: string) => sql<OfEnvironment[]>`
    select
      b.id, b.project_id, p.name as project_name, b.environment, b.type as name, 'database:' || b.id as context, b.secret_sealed as sealed,
      b.secret_key_id as key_id
    from databases b
    join projects p on p.id = b.project_id
    where b.team_id = ${team_id}
      and b.mode = 'byo'
      and b.is_attached
      and p.deleting_at is null
    order by b.project_id, b.environment, b.type
    limit ${maxValues}`,
});
