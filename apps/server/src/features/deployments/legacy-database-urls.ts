import type { Environment } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';
import { deploymentDatabasesContext } from '../../secrets/contexts.ts';
import type { Seal } from '../../secrets/seal.ts';
import type { DatabaseUrls } from './databases.ts';

export type LegacyDatabaseUrls = ReturnType<typeof legacyDatabaseUrls>;
type Place = { project_id: string; environment: Environment };

export interface LegacyDeployment extends Place {
  id: string;
  team_id: string;
  databases_sealed: Buffer;
  databases_key_id: string;
  /** All deployments of the environment that store addresses. */
  ids: string[];
}

const pageSize = 20;

/** Database addresses stored in deployments of an older release, until their environment has them itself. */
export const legacyDatabaseUrls = (sql: Sql, seal: Seal) => ({
  /** The relevant deployment of each environment: the serving one, else the last one that ran. In the order of `after`. */
  page: (after: Place | undefined) => sql<LegacyDeployment[]>`
    select distinct on (d.project_id, d.environment)
      d.id, d.team_id, d.project_id, d.environment, d.databases_sealed, d.databases_key_id,
      array(
        select o.id
        from deployments o
        where o.project_id = d.project_id
          and o.environment = d.environment
          and o.databases_sealed is not null
          and o.databases_carried_at is null
      ) as ids
    from deployments d
    join projects p on p.id = d.project_id and p.deleting_at is null
    where d.databases_sealed is not null
      and d.databases_carried_at is null
      and (d.project_id, d.environment) > (${after?.project_id ?? ''}, ${after?.environment ?? ''})
    order by d.project_id, d.environment, d.is_current desc, (d.deployed_at is not null) desc, d.created_at desc, d.id desc
    limit ${pageSize}`,

  open: ({ id, databases_sealed, databases_key_id }: LegacyDeployment) =>
    JSON.parse(seal.open({ sealed: databases_sealed, key_id: databases_key_id }, deploymentDatabasesContext(id))) as DatabaseUrls,

  /** From now on the environment's deployments get only its own databases. */
  carried: (tx: Tx, { ids }: LegacyDeployment) => tx`
    update deployments
    set databases_carried_at = now()
    where id = any(${ids})`,
});
