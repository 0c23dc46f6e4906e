import type { Sql } from '../../../db/connect.ts';

const maxAgents = 5;
const maxDatabases = 500;

/** A managed database, of any team. */
export interface Listening {
  id: string;
  team_id: string;
  type: string;
  port: number;
}

/** Targets that an agent must not reach: other projects' agents, and managed databases beyond the loopback. */
export const isolationStore = (sql: Sql) => ({
  /** Some running agents of this machine, one per project. */
  agents: (machine: string) => sql<{ project_id: string; host: string; port: number }[]>`
    select distinct on (project_id) project_id, target_host as host, target_port as port
    from routes
    where state = 'active'
      and target_host is not null
      and target_port is not null
      and target_machine = ${machine}
    order by project_id, version desc
    limit ${maxAgents}`,

  /** Databases of the whole installation. Those of other machines are not found at this one's addresses. */
  databases: () => sql<Listening[]>`
    select id, team_id, type, port
    from databases
    where mode = 'managed'
      and port is not null
      and wanted <> 'deleted'
    order by id
    limit ${maxDatabases}`,
});
