import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../apps/server/test/platform.ts';
import { rowsOf } from '../databases/content.ts';
import { backedUp, deployManaged, listenersOn, query, redisCall, settled, urlOf } from '../databases/managed.ts';
import { type DatabaseWorld, databaseWorld, stopWriting, writeMore } from '../databases/world.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { dieAt } from '../world.ts';

/** A database operation during which the server dies, and the check once the server is back. The check returns a summary. */
interface Death {
  point: string;
  when: string;
  expected: string;
  /** Sets up what the operation needs, and returns the operation and the check. */
  prepare(here: DatabaseWorld): Promise<{ act: () => Promise<unknown>; check: () => Promise<string> }>;
}

const backup = (point: string, when: string): Death => ({
  point,
  when,
  expected: 'the backup is made by the next server',
  async prepare({ world: { api }, agent }) {
    const before = new Set((await api.databases.backups({ id: agent.postgresql })).backups.map(({ id }) => id));
    return {
      act: () => api.databases.createBackup({ id: agent.postgresql }),
      async check() {
        let status = '';
        await until('the backup is there', async () => {
          const made = (await api.databases.backups({ id: agent.postgresql })).backups.find(({ id }) => !before.has(id));
          status = `${made?.status} ${made?.error_message ?? ''}`;
          return made?.status === 'available';
        }).catch((error: Error) => Promise.reject(new Error(`${error.message}; it is ${status}`)));
        return 'available';
      },
    };
  },
});

const restore = (point: string, when: string): Death => ({
  point,
  when,
  expected: 'the restore is done by the next server, whole',
  async prepare(here) {
    const { world, agent, urls } = here;
    await writeMore(here, 10);
    await stopWriting(here);
    const before = await rowsOf(urls.postgresql);
    const { id } = await backedUp(world.api, agent.postgresql);
    await query(urls.postgresql, 'delete from rows where n % 2 = 0');
    return {
      act: () => world.api.databases.restore({ id: agent.postgresql, backup_id: id, into: 'same' }),
      async check() {
        const { status_message } = await settled(world.api, agent.postgresql);
        assert.equal(await rowsOf(urls.postgresql), before, status_message ?? '');
        return `${before.split(',').length} rows`;
      },
    };
  },
});

const deaths: Death[] = [
  backup('database-task-begun', 'when a backup was begun'),
  backup('backup-written', 'when a backup is written and not noted yet'),
  restore('restore-begun', 'when a restore is about to begin'),
  restore('restore-done', 'when a backup is put back and that is not noted yet'),
  {
    point: 'database-password-set',
    when: 'when a database has a new password and agents have not',
    expected: 'the connection string that is told works, and the agent has it, too',
    async prepare(here) {
      const { world, agent, urls } = here;
      return {
        act: () => world.api.databases.rotatePassword({ id: agent.postgresql }),
        async check() {
          await until('another connection string is told', async () => (await urlOf(world.api, agent.postgresql)) !== urls.postgresql);
          urls.postgresql = await urlOf(world.api, agent.postgresql);
          world.canaries.push(decodeURIComponent(new URL(urls.postgresql).password));
          assert.deepEqual(await query(urls.postgresql, 'select 1 as one'), [{ one: 1 }]);
          await until('the agent writes with it', async () => {
            // The agent may be restarted meanwhile and then needs the command again.
            await world.paddock.visit(agent.host, '/start');
            const { rows } = await here.written();
            await sleep(300);
            return (await here.written()).rows > rows;
          });
          await stopWriting(here);
          return 'told, works, and written with';
        },
      };
    },
  },
  {
    point: 'database-started',
    when: 'when a database was started and that is not noted yet',
    expected: 'it is available, once, with what it held',
    async prepare({ world: { api }, agent, urls }) {
      await redisCall(urls.redis, 'SET', 'kept', 'yes');
      await api.databases.stop({ id: agent.redis });
      await settled(api, agent.redis, { wanted: 'stopped' });
      return {
        act: () => api.databases.start({ id: agent.redis }),
        async check() {
          const { port } = await settled(api, agent.redis);
          assert.equal(await redisCall(urls.redis, 'GET', 'kept'), 'yes');
          assert.equal(listenersOn(port ?? 0).length, 1);
          return 'one server, the key is there';
        },
      };
    },
  },
  {
    point: 'database-removed',
    when: 'when the files of a deleted database are gone and its row is not',
    expected: 'it is gone for good',
    async prepare({ world: { api } }) {
      const files = { 'server.js': `require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT);` };
      const gone = await deployManaged(api, { name: `gone-${Date.now().toString(36)}`, files });
      const { port } = await api.databases.get({ id: gone.redis });
      await api.deployments.stop({ id: gone.deployment_id });
      return {
        act: () => api.databases.delete({ id: gone.redis }),
        async check() {
          await until('it is gone', async () =>
            (await api.databases.list({ project_id: gone.project_id })).databases.every(({ id }) => id !== gone.redis),
          );
          assert.deepEqual(listenersOn(port ?? 0), []);
          await api.projects.delete({ id: gone.project_id });
          await until('the other one goes with its project', async () =>
            (await api.databases.list({})).databases.every(({ id }) => id !== gone.postgresql),
          );
          return 'no row, no server; the project went with the other one';
        },
      };
    },
  },
];

export const faults: Fault[] = deaths.map(({ point, when, expected, prepare }) => ({
  id: `database-server-dies-${point}`,
  fault: `the server dies ${when}`,
  expected,
  failpoints: [point],
  async run() {
    const here = await databaseWorld();
    const { act, check } = await prepare(here);
    const { bootMs } = await dieAt(here.world, point, act);
    here.world.points.clear();
    const seen = await check();
    return `${seen}; started again in ${bootMs} ms; ${await checkInvariants(here.world)}`;
  },
}));
