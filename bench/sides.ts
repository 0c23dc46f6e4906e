import type { Sql } from '../apps/server/src/db/connect.ts';
import { programOf } from '../scripts/test/product.ts';
import { inDatabase, seed } from './database.ts';
import { familyOf, freePort, inFolder, startProcess, until } from './measure.ts';
import { visit } from './paddock.ts';
import type { Agent } from './peers/agents.ts';
import { startCaddy } from './peers/caddy.ts';
import { type ProxyOptions, startNginx } from './peers/nginx.ts';
import { orSkipped, Skipped } from './skipped.ts';

/** A proxy that serves the agent: the gateway, or one of its peers. */
export interface Side {
  name: string;
  port: number;
  /** All processes that share the work. */
  pids: number[];
}

export interface Peer {
  kind: 'nginx' | 'caddy';
  side: Side | Skipped;
}

export interface Sides {
  ours: Side;
  peers: Peer[];
  /** Names of agents behind the gateway, one for each port of the agent. The peers have one agent, whatever the name is. */
  hosts: string[];
  agent: Agent;
  sql: Sql;
}

const proxies = [['nginx', startNginx] as const, ['caddy', startCaddy] as const];

/** The gateway, nginx and Caddy as proxies to the same agent, each on one core, for the duration of the work. */
export const inFrontOf = (
  startAgent: () => Promise<Agent>,
  work: (sides: Sides) => Promise<void>,
  { withPeers = true, ...options }: ProxyOptions & { withPeers?: boolean } = {},
): Promise<void> =>
  inFolder((folder) =>
    inDatabase(async (sql, url) => {
      const agent = await startAgent();
      const closing: { close: () => Promise<void> }[] = [agent];
      try {
        const hosts = await makeRoutes(sql, agent.ports);
        const ours = await startGateway(url);
        closing.push(ours);
        await until('the gateway serves the agent', async () => (await visit(ours.port, hosts.at(-1)!)).status === 200);
        const peers: Peer[] = [];
        for (const [kind, start] of withPeers ? proxies : []) {
          const side = await orSkipped(() => start(folder, agent.ports[0]!, options));
          if (!(side instanceof Skipped)) closing.push(side);
          peers.push({ kind, side });
        }
        await work({ ours, peers, hosts, agent, sql });
      } finally {
        for (const one of closing.reverse()) await one.close();
      }
    }),
  );

async function startGateway(url: string) {
  const port = await freePort();
  const started = startProcess(process.execPath, [programOf('gateway')], {
    env: {
      ...process.env,
      PADDOCK_DATABASE_URL: url,
      PADDOCK_GATEWAY_PORT: `${port}`,
      PADDOCK_GATEWAY_PROCESSES: '1',
      PADDOCK_LOG_LEVEL: 'warn',
    },
  });
  await started.says('gateway ready');
  return { ...started, name: 'gateway', port, pids: familyOf(started.pid) };
}

/** A route for each port, each to a deployment of its own, since the gateway has limits for a deployment and for a target. */
async function makeRoutes(sql: Sql, ports: number[]): Promise<string[]> {
  for (const [n, port] of ports.entries()) {
    const { team_id, project_id, deployment_id } = await seed(sql, `bench${n}`);
    await sql`insert into routes (label, team_id, project_id, deployment_id, state, target_host, target_port, version)
      values (${`bench${n}`}, ${team_id}, ${project_id}, ${deployment_id}, 'active', '127.0.0.1', ${port}, 1)`;
  }
  return ports.map((_, n) => `bench${n}.localhost`);
}
