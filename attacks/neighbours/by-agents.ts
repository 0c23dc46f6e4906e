import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, reaches } from '../../apps/server/test/platform.ts';
import { again, makeAgent, placeOf, stop } from '../agents/arena.ts';
import { attackFromBuild, deleteUnderLoad, refuseToEnd } from '../agents/lifecycle.ts';
import { addressesOfMachine } from '../agents/reach.ts';
import { attacks } from '../agents/resources.ts';
import type { Row } from '../row.ts';
import type { Attack, Ready } from './attack.ts';
import type { Ground } from './ground.ts';

/** Attacks that exhaust one of the machine's resources. An agent that is ended for it repeats the attack when it is back. */
const resourceAttacks: Attack[] = attacks.map(({ kind }) => ({
  group: 'resources',
  name: kind,
  async prepare(ground) {
    ground.node = await again(ground.paddock, ground.node);
    return repeating(
      async () => {
        const place = placeOf(ground.paddock.dataDir, ground.node.deployment_id);
        if (!place || place.id === attacked.get(ground)) return sleep(100);
        await ground.node.ask(`/attack?kind=${encodeURIComponent(kind)}`);
        attacked.set(ground, place.id);
      },
      async () => {
        await stop(ground.node);
      },
    );
  },
}));
/** The last instance that was told to attack. */
const attacked = new WeakMap<Ground, string>();

/** Attacks that reach for other agents and for the kernel, as often as possible. */
const reachAttacks: Attack[] = [
  reach('dials every address of the machine', async ({ node, paddock }) => {
    const place = placeOf(paddock.dataDir, node.deployment_id);
    if (!place) throw new Error('The hostile agent does not run.');
    const targets = addressesOfMachine(place).flatMap((host) => [paddock.gatewayPort, 5432, 22].map((port) => [host, port]));
    return node.ask(`/dial?targets=${encodeURIComponent(JSON.stringify(targets))}`);
  }),
  reach('datagrams to networks that are refused', ({ node }) =>
    node.ask(`/datagrams?hosts=${encodeURIComponent(JSON.stringify(Array.from({ length: 100 }, (_, n) => `10.0.0.${n}`)))}`),
  ),
  reach('forbidden system calls and sockets', ({ python }) => python.ask('/probes')),
  reach('a search of all files', ({ node }) => node.sh('find / -xdev -readable -type f 2>/dev/null | wc -l')),
  reach('signals to every process', ({ node }) => node.sh('for p in $(seq 2 3000); do kill -0 $p 2>/dev/null; done; kill -0 -1')),
];

function reach(name: string, once: (ground: Ground) => Promise<unknown>): Attack {
  return {
    group: 'reach',
    name,
    async prepare(ground) {
      if ((await ground.eve.api.deployments.get({ id: ground.node.deployment_id })).status !== 'active')
        ground.node = await again(ground.paddock, ground.node);
      return repeating(() => once(ground));
    },
  };
}

/** Attacks during the start and the end of agents. */
const lifecycleAttacks: Attack[] = [
  whole('refuses to end', refuseToEnd),
  whole('is deleted under load', deleteUnderLoad),
  whole('attacks from its build', attackFromBuild),
  {
    group: 'lifecycle',
    name: 'ends as soon as it is up',
    prepare: async (ground) =>
      deploying(ground, {
        'server.js': `require('http').createServer(() => 0).listen(process.env.PORT, () => setTimeout(() => process.exit(1), 300))`,
      }),
  },
  {
    group: 'lifecycle',
    name: 'never comes up',
    prepare: async (ground) =>
      deploying(ground, { 'package.json': '{"scripts":{"start":"node server.js"}}', 'server.js': 'throw new Error("no")' }),
  },
];

/** An attempt that runs once, from its deployment to its end. */
function whole(name: string, attempt: (ground: Ground) => Promise<Row[]>): Attack {
  return {
    group: 'lifecycle',
    name,
    async prepare(ground) {
      // A new person for each run: the attempt chooses the names of the projects.
      const eve = await ground.paddock.person();
      let rows: Promise<Row[]> = Promise.resolve([]);
      return {
        begin: () => void (rows = attempt({ ...ground, eve })),
        isDone: () => rows,
        end: async () =>
          (await rows)
            .filter(({ ok }) => !ok)
            .map(({ attempt, got }) => `WRONG ${attempt}: ${got}`)
            .join(', '),
      };
    },
  };
}

let deployed = 0;

/** Makes deployments one after the other, as fast as possible. */
async function deploying({ eve }: Ground, files: Record<string, string>): Promise<Ready> {
  const project = await eve.api.projects.create({ name: `in-and-out-${++deployed}` });
  return repeating(
    async () => {
      const { id } = await deploy(eve.api, project.id, files);
      await reaches(eve.api, id, ['active', 'failed']).catch(() => undefined);
    },
    async () => void (await eve.api.projects.delete({ id: project.id })),
  );
}

/** Repeats the work until the end, also after a failure. */
function repeating(once: () => Promise<unknown>, clear = async () => {}): Ready {
  let isOver = false;
  let times = 0;
  let going = Promise.resolve();
  const go = async () => {
    for (; !isOver && times < 100_000; times++) await once().catch(() => sleep(50));
  };
  return {
    begin: () => void (going = go()),
    async end() {
      isOver = true;
      await going;
      await clear();
      return '';
    },
  };
}

/** Load of an honest neighbour, for comparison. */
const honest: Attack[] = [
  { group: 'honest', name: 'nothing', prepare: async () => ({ begin: () => undefined, end: async () => '' }) },
  {
    group: 'honest',
    name: 'deployments, one after the other',
    prepare: (ground) => deploying(ground, { 'server.js': `require('http').createServer((q, r) => r.end('x')).listen(process.env.PORT)` }),
  },
  {
    group: 'honest',
    name: 'a deployment with its start',
    async prepare({ paddock }) {
      const { api } = await paddock.person();
      let made: Promise<unknown> = Promise.resolve();
      return {
        begin: () =>
          void (made = makeAgent(paddock, api, {
            name: 'honest',
            files: { 'server.js': `require('http').createServer((q, r) => r.end('x')).listen(process.env.PORT)` },
          })),
        isDone: () => made,
        end: async () => (await made, ''),
      };
    },
  },
];

export const agentAttacks: Attack[] = [...honest, ...resourceAttacks, ...reachAttacks, ...lifecycleAttacks].map((one) => ({
  ...one,
  isByAgent: true,
}));
