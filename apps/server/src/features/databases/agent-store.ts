import type { Database, DatabaseType, Environment } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';

/** A database as seen by the start of an agent. */
export interface AgentDatabase {
  id: string;
  type: DatabaseType;
  mode: Database['mode'];
  status: Database['status'];
  status_message: string | null;
  host: string | null;
  port: number | null;
  node: string | null;
  machine: string | null;
  secret_sealed: Buffer;
  secret_key_id: string;
}
export type AgentDatabaseStore = ReturnType<typeof agentDatabaseStore>;

interface EnvironmentRef {
  project_id: string;
  environment: Environment;
}

/** Queries for the databases of an environment at the start of an agent. */
export const agentDatabaseStore = (sql: Sql, node: string, machine: string) => {
  const attached = ({ project_id, environment }: EnvironmentRef, mode: Database['mode']) => sql`
    project_id = ${project_id}
    and environment = ${environment}
    and mode = ${mode}
    and is_attached
    and wanted <> 'deleted'`;
  return {
    attached: (of: EnvironmentRef, mode: Database['mode']) => sql<AgentDatabase[]>`
      select id, type, mode, status, status_message, host, port, node, machine, secret_sealed, secret_key_id
      from databases
      where ${attached(of, mode)}
      order by type`,

    /**
     * The node that starts the agent claims its databases, unless another node has them already. The notification wakes this node's
     * reconciler.
     */
    async take(of: EnvironmentRef): Promise<void> {
      const taken = await sql`
        update databases
        set node = ${node}, machine = ${machine}
        where ${attached(of, 'managed')}
          and node is null
        returning id`;
      if (taken.length) await sql`select pg_notify('databases', '')`;
    },
    /** Starts stopped databases, because an agent needs them. */
    wake: (of: EnvironmentRef) => sql`
      update databases
      set wanted = 'running'
      where ${attached(of, 'managed')}
        and wanted = 'stopped'`,

    /** Stores the result of the latest connection check of an external database. */
    checked: (id: string, reachable: boolean, message: string) => sql`
      update databases
      set
        status = ${reachable ? 'available' : 'unreachable'},
        status_message = ${reachable ? null : message},
        checked_at = now()
      where id = ${id}
        and mode = 'byo'`,
  };
};
