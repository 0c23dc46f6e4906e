import { join } from 'node:path';
import { inDatabase, seed } from '../database.ts';
import { requestsPerCpu } from '../load.ts';
import { freePort, inFolder, interleave, startProcess, until } from '../measure.ts';
import { visit } from '../paddock.ts';
import { startCaddy } from '../peers/caddy.ts';
import { startNginx } from '../peers/nginx.ts';
import { startWebAgent } from '../peers/web-agent.ts';
import { beside, type Row } from '../row.ts';
import { orSkipped, Skipped } from '../skipped.ts';

const gatewayMain = join(import.meta.dirname, '../../apps/gateway/src/main.ts');
const rounds = 5;
const seconds = 3;
const work = 'gateway, 200 bytes of JSON, traffic counted';
const unit = 'requests per second of CPU';

export const row: Row = {
  name: 'gateway',
  seconds: 60,
  run: (report) =>
    inFolder((folder) =>
      inDatabase(async (sql, url) => {
        const agent = await startWebAgent();
        const port = await freePort();
        const { team_id, project_id, deployment_id } = await seed(sql);
        await sql`insert into routes (label, team_id, project_id, deployment_id, state, target_host, target_port, version)
          values ('bench', ${team_id}, ${project_id}, ${deployment_id}, 'active', '127.0.0.1', ${agent.port}, 1)`;
        const gateway = startProcess(process.execPath, [gatewayMain], {
          env: {
            ...process.env,
            PADDOCK_DATABASE_URL: url,
            PADDOCK_GATEWAY_PORT: `${port}`,
            PADDOCK_GATEWAY_PROCESSES: '1',
            PADDOCK_LOG_LEVEL: 'warn',
          },
        });
        await gateway.says('gateway ready');
        const host = 'bench.localhost';
        await until('the gateway serves the agent', async () => (await visit(port, host)).status === 200);
        const load = (at: { port: number; pids: number[] }) => () => requestsPerCpu({ ...at, path: '/', host }, seconds);
        const ours = { port, pids: [gateway.pid] };
        try {
          for (const { start, atLeast } of [
            { start: startNginx, atLeast: 0.5 },
            { start: startCaddy, atLeast: 2.5 },
          ]) {
            const peer = await orSkipped(() => start(folder, agent.port));
            if (peer instanceof Skipped) {
              report({ work, unit, ours: 'not measured', peer: `skipped: ${peer.message}`, goal: `at least ${atLeast}×` });
              continue;
            }
            try {
              await interleave(1, [load(ours), load(peer)]); // compilers and caches warm up
              const [a, b] = await interleave(rounds, [load(ours), load(peer)]);
              report(beside({ work, unit, better: 'more', ours: { values: a! }, peer: { name: peer.name, values: b! }, atLeast }));
            } finally {
              await peer.close();
            }
          }
        } finally {
          await gateway.close();
          await agent.close();
        }
      }),
    ),
};
