import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../apps/server/test/platform.ts';
import { keysOf, rowsOf } from '../databases/content.ts';
import { backedUp, query, redisCall, serverOf, settled, urlOf } from '../databases/managed.ts';
import { type DatabaseWorld, databaseWorld, stopWriting, writeMore } from '../databases/world.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';

const readyWithinMs = 15_000;

const killed: Fault = {
  id: 'database-killed',
  fault: 'kill -9 of each database server while an agent writes to it',
  expected: 'each acknowledged row and key is there, writes go on within seconds, the agent is the same process, and its log tells',
  async run() {
    const here = await databaseWorld();
    const { world, agent, urls } = here;
    const born = (await world.paddock.visit(agent.host, '/born')).body;
    await writeMore(here, 200);
    const pg = await killUnderLoad(here, 'postgresql');
    const redis = await killUnderLoad(here, 'redis');
    const end = await stopWriting(here);
    assert.ok(end.row_breaks > 0 && end.key_breaks > 0, 'the agent noticed');

    const [{ count, last } = { count: 0, last: 0 }] = await query<{ count: number; last: number }>(
      urls.postgresql,
      'select count(*)::int as count, max(n) as last from rows',
    );
    // The last row may have been written although its acknowledgement was lost.
    assert.ok(
      count === last && last >= end.rows && last <= end.rows + 1,
      `${end.rows} rows were acknowledged, ${count} are there up to ${last}`,
    );
    const there = new Set((await keysOf(urls.redis)).map((key) => Number(/^key:(\d+)=/.exec(key)?.[1])));
    const lost = Array.from({ length: end.keys }, (_, n) => n + 1).filter((n) => !there.has(n));
    assert.deepEqual(lost, [], 'keys that were acknowledged');
    assert.equal((await world.paddock.visit(agent.host, '/born')).body, born, 'the agent was not restarted');
    await until('the log of the deployment tells', async () => {
      const { logs } = await world.api.logs.list({ id: agent.deployment_id, limit: 500 });
      const told = logs.filter(({ source }) => source === 'platform').map(({ message }) => message);
      return ['PostgreSQL', 'Redis'].every((name) =>
        told.some((message) => message.includes(name) && /ended|crash|restart/i.test(message)),
      );
    });
    return `${end.rows} rows acknowledged, ${count} there; ${end.keys} keys acknowledged, none lost; writes go on after ${pg} and ${redis} ms; ${await checkInvariants(world)}`;
  },
};

/** Kills the database server and returns the milliseconds until a write was acknowledged again. */
async function killUnderLoad({ world, agent, written }: DatabaseWorld, type: 'postgresql' | 'redis'): Promise<number> {
  const database = await world.api.databases.get({ id: agent[type] });
  const count = async () => (await written())[type === 'redis' ? 'keys' : 'rows'];
  const breaks = async () => (await written())[type === 'redis' ? 'key_breaks' : 'row_breaks'];
  const before = await breaks();
  process.kill(serverOf(database), 'SIGKILL');
  const begun = performance.now();
  await until(`the agent notices the death of its ${type}`, async () => (await breaks()) > before);
  const at = await count();
  await until(`writes to ${type} go on`, async () => (await count()) > at + 5);
  const ms = Math.round(performance.now() - begun);
  assert.ok(ms < readyWithinMs, `writes went on after ${ms} ms`);
  await settled(world.api, agent[type]);
  return ms;
}

const restored: Fault = {
  id: 'database-destroyed-and-restored',
  fault: 'both databases are backed up, then all of their content is destroyed; then a backup is damaged',
  expected: 'a restore brings equal rows and keys back, also into a new database; the damaged backup is refused and changes nothing',
  async run() {
    const here = await databaseWorld();
    const { world, agent, urls } = here;
    const { api } = world;
    await writeMore(here, 50);
    await stopWriting(here);
    const before = { rows: await rowsOf(urls.postgresql), keys: await keysOf(urls.redis) };
    const now = async () => ({ rows: await rowsOf(urls.postgresql), keys: await keysOf(urls.redis) });
    const [pg, redis] = [await backedUp(api, agent.postgresql), await backedUp(api, agent.redis)];
    assert.deepEqual([pg.status, redis.status], ['available', 'available'], `${pg.error_message}, ${redis.error_message}`);
    await query(urls.postgresql, 'drop table rows');
    await redisCall(urls.redis, 'FLUSHDB');
    assert.deepEqual(await keysOf(urls.redis), []);
    const begun = performance.now();
    await restoreInto(here, { id: agent.postgresql, backup_id: pg.id, into: 'same' });
    await restoreInto(here, { id: agent.redis, backup_id: redis.id, into: 'same' });
    const ms = Math.round(performance.now() - begun);
    assert.deepEqual(await now(), before);

    const copy = await restoreInto(here, { id: agent.postgresql, backup_id: pg.id, into: 'new' });
    assert.equal(copy.is_attached, false);
    assert.equal(await rowsOf(await urlOf(api, copy.id)), before.rows);
    await api.databases.delete({ id: copy.id });

    damage(world.paddock.dataDir, agent.postgresql, pg.id);
    damage(world.paddock.dataDir, agent.redis, redis.id);
    const said: string[] = [];
    for (const [id, backup] of [
      [agent.postgresql, pg.id],
      [agent.redis, redis.id],
    ] as const) {
      const after = await restoreInto(here, { id, backup_id: backup, into: 'same' });
      assert.match(after.status_message ?? '', /backup|checksum|damaged/i, 'why it was refused');
      said.push(after.status_message ?? '');
    }
    assert.deepEqual(await now(), before);
    return `${before.keys.length} keys and ${before.rows.split(',').length} rows are back after ${ms} ms; damaged: "${said[0]}"; ${await checkInvariants(world)}`;
  },
};

type Restore = { id: string; backup_id: string; into: 'same' | 'new' };

async function restoreInto({ world: { api } }: DatabaseWorld, restore: Restore) {
  const made = await api.databases.restore(restore);
  return settled(api, made.id);
}

/** Changes one byte in the middle of the backup. */
function damage(dataDir: string, database: string, backup: string) {
  const folder = join(dataDir, 'database-backups', database);
  const name = readdirSync(folder).find((each) => each.startsWith(backup));
  if (!name) throw new Error(`there is no file of ${backup}`);
  const content = readFileSync(join(folder, name));
  const middle = content.length >> 1;
  content[middle] = content[middle]! ^ 0xff;
  writeFileSync(join(folder, name), content);
}

const full: Fault = {
  id: 'database-backup-disk-full',
  fault: 'the disk is full during a backup',
  expected:
    'the backup fails with its reason and an alert; the last good one stays and can be restored; with space again the next one is made',
  async run() {
    const here = await databaseWorld();
    const { world, agent, urls, disk } = here;
    const { api, paddock } = world;
    await writeMore(here, 10);
    await stopWriting(here);
    const before = await rowsOf(urls.postgresql);
    const good = await backedUp(api, agent.postgresql);
    assert.equal(good.status, 'available', good.error_message ?? '');
    await disk.fill(64);
    const failed = await backedUp(api, agent.postgresql);
    assert.equal(failed.status, 'failed');
    assert.match(failed.error_message ?? '', /disk|space/i);
    await until('an alert is raised', async () => (await alertsOf(here)).length > 0);
    const [alert] = await alertsOf(here);
    assert.match(alert!.message, /backup/i);
    const files = readdirSync(join(paddock.dataDir, 'database-backups', agent.postgresql));
    assert.ok(
      files.every((name) => !name.startsWith(failed.id)),
      `nothing is left of the failed one: ${files.join(', ')}`,
    );
    await disk.free();
    await query(urls.postgresql, 'drop table rows');
    await restoreInto(here, { id: agent.postgresql, backup_id: good.id, into: 'same' });
    assert.equal(await rowsOf(urls.postgresql), before);
    const again = await backedUp(api, agent.postgresql);
    assert.equal(again.status, 'available', again.error_message ?? '');
    return `"${failed.error_message}"; alert "${alert!.message}"; ${await checkInvariants(world)}`;
  },
};

const alertsOf = async ({ world, agent }: DatabaseWorld) =>
  (await world.api.alerts.list({ resolved: 'false' })).alerts.filter((one) => one.database_id === agent.postgresql);

const secret: Fault = {
  id: 'database-password-looked-for',
  fault: 'the passwords of databases, before and after their rotation, are looked for everywhere',
  expected: 'they are in no log, file, table, answer, alert or line, and no process has them among its arguments',
  async run() {
    const here = await databaseWorld();
    const { world, agent, urls } = here;
    const { api } = world;
    for (const type of ['postgresql', 'redis'] as const) {
      await api.databases.rotatePassword({ id: agent[type] });
      await until(`the password of ${type} is another one`, async () => (await urlOf(api, agent[type])) !== urls[type]);
      await settled(api, agent[type]);
      urls[type] = await urlOf(api, agent[type]);
      world.canaries.push(decodeURIComponent(new URL(urls[type]).password));
    }
    const hash = createHash('sha256')
      .update(urls.postgresql + urls.redis)
      .digest('hex');
    await until('the agent has both new ones', async () => (await world.paddock.visit(agent.host, '/addresses')).body === hash);
    await writeMore(here, 5);
    await stopWriting(here);
    const answers: unknown[] = [
      await api.databases.list({}),
      await api.alerts.list({}),
      await api.deployments.get({ id: agent.deployment_id }),
    ];
    for (const type of ['postgresql', 'redis'] as const)
      answers.push(
        await api.databases.get({ id: agent[type] }),
        await api.databases.backups({ id: agent[type] }),
        await api.databases.metrics({ id: agent[type] }),
      );
    answers.push(await api.logs.list({ id: agent.deployment_id, limit: 500 }));
    const places = { answers: JSON.stringify(answers), arguments: argumentsOfAll() };
    for (const [place, text] of Object.entries(places))
      assert.ok(
        world.canaries.every((one) => !text.includes(one)),
        `a password stands in ${place}`,
      );
    return `${world.canaries.length} secrets, ${places.arguments.split('\n').length} command lines; ${await checkInvariants(world)}`;
  },
};

function argumentsOfAll(): string {
  const lines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return ''; // the process has just exited
      }
    });
  return lines.join('\n');
}

export const faults: Fault[] = [killed, restored, full, secret];
