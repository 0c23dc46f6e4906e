import type { Protocol } from '@paddock/contract';
import type { Sql } from '../../../db/connect.ts';
import { sayHost } from '../addresses.ts';

export type ProtocolsStore = ReturnType<typeof protocolsStore>;

interface Found {
  id: string;
  instance_id: string;
  protocols: Protocol[];
  host_header: string | null;
}

/** Detected protocols of agents. */
export const protocolsStore = (sql: Sql) => ({
  /** An agent whose process has not been asked yet; undefined if it has, or is gone. */
  async unasked(team_id: string, { id, instance_id }: { id: string; instance_id: string }) {
    const [row] = await sql<{ subdomain: string; framework: string }[]>`
      select p.subdomain, coalesce(d.plan->>'framework', '') as framework
      from deployments d
      join projects p on p.id = d.project_id
      where d.team_id = ${team_id}
        and p.team_id = ${team_id}
        and d.id = ${id}
        and d.status = 'active'
        and d.instance_id = ${instance_id}
        and not exists (
          select 1
          from deployment_protocols a
          where a.team_id = d.team_id
            and a.deployment_id = d.id
            and (a.instance_id = d.instance_id or a.left_alone)
        )`;
    return row;
  },

  /** Stores the result, unless the process was replaced meanwhile. */
  keep: (team_id: string, { id, instance_id, protocols, host_header }: Found) =>
    sql.begin(async (tx) => {
      const { count } = await tx`
        insert into deployment_protocols (deployment_id, team_id, instance_id, protocols, host_header)
        select d.id, d.team_id, d.instance_id, ${tx.json(protocols)}, ${host_header}
        from deployments d
        where d.team_id = ${team_id}
          and d.id = ${id}
          and d.instance_id = ${instance_id}
        on conflict (deployment_id) do update
        set
          instance_id = excluded.instance_id,
          protocols = excluded.protocols,
          host_header = excluded.host_header,
          asked_at = excluded.asked_at`;
      if (count > 0) await sayHost(tx, { id, team_id }, host_header);
    }),

  /** Marks a deployment whose process exited while it was asked, so that it is not asked again. */
  leaveAlone: (team_id: string, { id, instance_id }: { id: string; instance_id: string }) => sql`
    insert into deployment_protocols (deployment_id, team_id, instance_id, protocols, left_alone)
    select d.id, d.team_id, d.instance_id, '[]', true
    from deployments d
    where d.team_id = ${team_id}
      and d.id = ${id}
      and d.instance_id = ${instance_id}
    on conflict (deployment_id) do update
    set left_alone = true`,
});
