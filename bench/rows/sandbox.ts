import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processDriver } from '@paddock/runtime';
import { freePort, inFolder, interleave, until } from '../measure.ts';
import { visit } from '../paddock.ts';
import { startDocker } from '../peers/docker.ts';
import { image } from '../peers/docker-base.ts';
import { alone, beside, type Row } from '../row.ts';
import { orSkipped, Skipped } from '../skipped.ts';

const rounds = 9;
const work = 'sandboxed start → the agent answers';
const unit = 'ms';
const agent = "require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT)";
const quiet = { info: () => undefined, warn: () => undefined, error: console.error };
const limits = { memory_mb: 512, cpus: 1, processes: 256, disk_mb: 1024, open_files: 1024 };

export const row: Row = {
  name: 'sandbox',
  seconds: 60,
  run: (report) =>
    inFolder(async (folder) => {
      const app_dir = join(folder, 'app');
      mkdirSync(app_dir);
      writeFileSync(join(app_dir, 'server.js'), agent);
      const driver = processDriver({
        dataDir: join(folder, 'runtime'),
        installation: `bench-${process.pid}`,
        spares: { count: 2, egress: { allow: [] } },
        log: quiet,
      });
      const begin = (id: string) => {
        const mounts = [{ from: dirname(process.execPath), at: '/opt/node' }];
        const spec = { id, deployment_id: 'bench', generation: 1, app_dir, mounts, cwd: '', env: {}, limits, egress: { allow: [] } };
        return driver.start({ ...spec, owner: 'bench', command: ['/opt/node/node', 'server.js'] }, AbortSignal.timeout(30_000));
      };
      const ours = async (round: number) => {
        const id = `bench-${process.pid}-${round}`;
        const begun = performance.now();
        await begin(id);
        const at = driver.direct(id) ?? (await exposed(id));
        await until('the agent answers', async () => (await visit(at.port, 'bench', { address: at.host })).status === 200, {
          ms: 10_000,
          everyMs: 2,
        });
        const ms = performance.now() - begun;
        await driver.stop(id, 0);
        await driver.remove(id);
        await sleep(2000); // the network for the next sandbox is made meanwhile, outside the peer's time
        return ms;
      };
      const exposed = async (id: string) => {
        await until('the agent listens', async () => (await driver.listening(id)).length > 0, { ms: 10_000, everyMs: 2 });
        return driver.expose(id, (await driver.listening(id))[0]!.port);
      };
      // A neighbour runs first: it creates the rules that all agents of an installation share, as Docker has its own already.
      const neighbour = `bench-${process.pid}-neighbour`;
      await begin(neighbour);
      const docker = await orSkipped(startDocker);
      try {
        if (docker instanceof Skipped) {
          const [values] = await interleave(rounds, [ours]);
          report(alone({ work, unit, ours: { values: values! }, why: docker.message, goal: 'at least 3.3×' }));
          return;
        }
        writeFileSync(join(app_dir, 'Dockerfile'), `FROM ${image}\nCOPY server.js /app/\nCMD ["node", "server.js"]\n`);
        await docker.build(app_dir, 'bench-agent');
        const theirs = async () => {
          const port = await freePort();
          const begun = performance.now();
          const container = await docker.start('bench-agent', '-e', `PORT=${port}`);
          await until('the container answers', async () => (await visit(port, 'bench')).status === 200, { ms: 10_000, everyMs: 2 });
          const ms = performance.now() - begun;
          await docker.remove(container);
          return ms;
        };
        await interleave(1, [() => ours(rounds), theirs]);
        const [a, b] = await interleave(rounds, [ours, theirs]);
        const note =
          "Docker starts it on the host's own network, without one to make; ours has its own, with rules, made ahead as in the product";
        report(
          beside({
            work,
            unit,
            better: 'less',
            ours: { values: a! },
            peer: { name: `${docker.name} run`, values: b! },
            atLeast: 3.33,
            note,
          }),
        );
      } finally {
        await driver.stop(neighbour, 0);
        await driver.remove(neighbour);
        await driver.close();
        if (!(docker instanceof Skipped)) await docker.close();
      }
    }),
};
