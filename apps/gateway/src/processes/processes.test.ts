import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { after, before, type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { type Agent, ask, type Fixture, startAgent, startFixture, until } from '../../test/fixture.ts';
import { followersOf, isLiving, visitEach } from '../../test/followers.ts';
import { type GatewayProcess, refuses, spawnGatewayProcess, startGatewayProcess } from '../../test/gateway-process.ts';
import { defaultProcesses, readConfig } from '../config.ts';
import { limits } from '../limits.ts';
import { startLeader } from './leader.ts';

// The fixture's own gateway is only used to set routes.
let fixture: Fixture;
let agent: Agent;
const waiting: (() => void)[] = [];
let served = 0;
before(async () => {
  fixture = await startFixture();
  agent = await startAgent((req, res) => {
    served += 1;
    if (req.url === '/slow') waiting.push(() => res.end('slow'));
    else res.end('quick');
  });
  await fixture.route('work', agent, 'dep_work');
});
after(async () => {
  await fixture.close();
  await agent.close();
});

async function startSeveral(t: TestContext, processes: number, env: Record<string, string> = {}) {
  const gateway = await startGatewayProcess(fixture.database.url, { PADDOCK_GATEWAY_PROCESSES: String(processes), ...env });
  const leader = gateway.child.pid!;
  const atStart = followersOf(leader);
  t.after(() => endAll(gateway, atStart));
  return { ...gateway, leader };
}

/** Also ends processes whose leader a test has killed. */
async function endAll({ child, exited }: GatewayProcess, atStart: number[]) {
  const followers = [...atStart, ...followersOf(child.pid!)];
  child.kill('SIGKILL');
  await exited;
  for (const pid of new Set(followers)) if (isLiving(pid)) process.kill(pid, 'SIGKILL');
}

/** Requests counted by all gateways so far. */
const requests = async () => {
  const [row] = await fixture.database.sql<
    [{ sum: string; gateways: number }]
  >`select coalesce(sum(requests), 0)::text as sum, count(distinct gateway_id)::int as gateways from traffic_minutes`;
  return { sum: Number(row.sum), gateways: row.gateways };
};

async function slowOf(visitors: { ask: (path: string) => Promise<string> }[]) {
  waiting.length = 0;
  const answers = Promise.allSettled(visitors.map((visitor) => visitor.ask('/slow')));
  await until(() => waiting.length === visitors.length, 'the slow requests are with the agent');
  const release = () => {
    for (const answer of waiting) answer();
  };
  return { answers, release };
}

const isReplaced = (leader: number, follower: number, processes: number) => {
  const followers = followersOf(leader);
  return followers.length === processes && !followers.includes(follower);
};

const valuesOf = (results: PromiseSettledResult<string>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? result.value : 'cut'));

test('several processes share the port: each answers visitors, and health names the one that was started', async (t) => {
  const { leader, port } = await startSeveral(t, 3);
  assert.equal(followersOf(leader).length, 3);
  for (const visitor of await visitEach(port, leader)) {
    assert.equal(await visitor.ask('/'), 'quick');
    visitor.leave();
  }
  for (let n = 0; n < 8; n++) assert.equal((await ask(port, 'localhost', '/healthz', {})).headers['x-gateway-process'], String(leader));
});

test('a process that is killed is replaced alone, and visitors of the others notice nothing', async (t) => {
  const { leader, port } = await startSeveral(t, 2);
  const [victim, other] = await visitEach(port, leader);
  assert.ok(victim && other);
  const { answers, release } = await slowOf([victim, other]);
  process.kill(victim.follower, 'SIGKILL');
  await until(() => isReplaced(leader, victim.follower, 2), 'another process runs');
  release();
  assert.deepEqual(valuesOf(await answers), ['cut', 'slow']);
  const visitors = await visitEach(port, leader);
  assert.ok(visitors.some(({ follower }) => follower === other.follower));
  for (const visitor of [...visitors, other]) {
    assert.equal(await visitor.ask('/'), 'quick');
    visitor.leave();
  }
});

test('a process that is asked to leave lets its requests finish, and is replaced', async (t) => {
  const { leader, port } = await startSeveral(t, 2);
  const [asked] = await visitEach(port, leader);
  assert.ok(asked);
  const { answers, release } = await slowOf([asked]);
  process.kill(asked.follower, 'SIGTERM');
  release();
  assert.deepEqual(valuesOf(await answers), ['slow']);
  await until(() => isReplaced(leader, asked.follower, 2), 'another process runs');
});

test('SIGTERM lets requests of every process finish, and exits 0', async (t) => {
  const { leader, port, child, exited } = await startSeveral(t, 2);
  const followers = followersOf(leader);
  const { answers, release } = await slowOf(await visitEach(port, leader));
  child.kill('SIGTERM');
  await until(() => refuses(port), 'no new connection is taken');
  release();
  assert.deepEqual(valuesOf(await answers), ['slow', 'slow']);
  assert.equal(await exited, 0);
  assert.deepEqual(followers.filter(isLiving), []);
});

test('a signal that reaches leader and processes alike, as Ctrl-C does, lets requests finish', async (t) => {
  const { leader, port, child, exited } = await startSeveral(t, 2);
  const { answers, release } = await slowOf(await visitEach(port, leader));
  for (const pid of followersOf(leader)) process.kill(pid, 'SIGINT');
  child.kill('SIGINT');
  await until(() => refuses(port), 'no new connection is taken');
  release();
  assert.deepEqual(valuesOf(await answers), ['slow', 'slow']);
  assert.equal(await exited, 0);
});

test('a second SIGTERM ends all at once', async (t) => {
  const { leader, port, child, exited } = await startSeveral(t, 2);
  const followers = followersOf(leader);
  const { answers } = await slowOf(await visitEach(port, leader));
  child.kill('SIGTERM');
  await until(() => refuses(port), 'it drains');
  child.kill('SIGTERM');
  assert.equal(await exited, 1);
  await until(() => !followers.some(isLiving), 'all have ended, long before the drain would be over');
  assert.deepEqual(valuesOf(await answers), ['cut', 'cut']);
});

test('SIGTERM in the middle of the start leaves no process behind', async () => {
  const { child, exited, ready } = spawnGatewayProcess(fixture.database.url, { PADDOCK_GATEWAY_PROCESSES: '2' });
  ready.catch(() => undefined); // it may become ready
  await until(() => followersOf(child.pid!).length > 0, 'the first process starts');
  const followers = followersOf(child.pid!);
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
  assert.deepEqual(followers.filter(isLiving), []);
});

test('when the leader is killed, all let their requests finish and leave', async (t) => {
  const { leader, port, child, exited } = await startSeveral(t, 2);
  const followers = followersOf(leader);
  const { answers, release } = await slowOf(await visitEach(port, leader));
  child.kill('SIGKILL');
  await exited;
  await until(() => refuses(port), 'no new connection is taken');
  release();
  assert.deepEqual(valuesOf(await answers), ['slow', 'slow']);
  await until(() => !followers.some(isLiving), 'all have left');
});

test('figures of all processes sum up exactly, also of a process that was killed and of its replacement', async (t) => {
  const { leader, port, child, exited } = await startSeveral(t, 2);
  const [before, servedBefore] = [await requests(), served];
  const counted = async () => (await requests()).sum - before.sum;
  const askAll = async () => {
    const visitors = await visitEach(port, leader);
    for (const { ask, leave } of visitors) {
      for (let n = 0; n < 20; n++) await ask('/');
      leave();
    }
    return visitors;
  };
  const [victim] = await askAll();
  assert.ok(victim);
  // A killed process has not written the requests of its last second.
  await until(async () => (await counted()) === served - servedBefore, 'all is written');
  process.kill(victim.follower, 'SIGKILL');
  await until(() => isReplaced(leader, victim.follower, 2), 'another process runs');
  await askAll();
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
  assert.equal(await counted(), served - servedBefore);
  assert.equal((await requests()).gateways - before.gateways, 3);
});

test('a gateway whose port is taken ends, as a single process does, and leaves no process behind', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const env = { PADDOCK_GATEWAY_PROCESSES: '2', PADDOCK_GATEWAY_PORT: String(port) };
  await assert.rejects(
    startGatewayProcess(fixture.database.url, env),
    new RegExp(`left with 3 before it was ready: [^]*Port ${port} is in use by process ${process.pid} \\(node`),
  );
  other.close();
});

/** Runs the leader in this process, with limits that a test can reach. */
async function leadHere(t: TestContext, more: Partial<typeof limits>) {
  Object.assign(process.env, { PADDOCK_DATABASE_URL: fixture.database.url, PADDOCK_LOG_LEVEL: 'error' });
  const followers = startLeader({ port: 0, processes: 2 }, pino({ level: 'silent' }), { ...limits, ...more });
  t.after(async () => {
    followers.end();
    await followers.close().catch(() => undefined);
  });
  return { ...followers, port: await followers.start() };
}

test('a process that hangs is killed and replaced', { timeout: 120_000 }, async (t) => {
  const { port } = await leadHere(t, { followerBeatMs: 500, followerStartBeats: 120, followerSilentBeats: 6 });
  const [hanging] = await visitEach(port, process.pid);
  assert.ok(hanging);
  process.kill(hanging.follower, 'SIGSTOP');
  await until(() => !isLiving(hanging.follower), 'the one that hangs has ended');
  await until(() => isReplaced(process.pid, hanging.follower, 2), 'another process runs');
});

test('a process that does not leave in time is killed, and the end is not called orderly', async (t) => {
  const { port, close } = await leadHere(t, { drainMs: 0, followerLeaveMs: 500 });
  const visitors = await visitEach(port, process.pid);
  const { answers } = await slowOf(visitors);
  await assert.rejects(close(), /did not leave in good order: it ended \(SIGKILL\)/);
  assert.deepEqual(valuesOf(await answers), ['cut', 'cut']);
  assert.deepEqual(followersOf(process.pid), []);
});

test('one process for every two cores, at least one; a number that is none is named', () => {
  assert.deepEqual([1, 2, 3, 4, 16, 256].map(defaultProcesses), [1, 1, 1, 2, 8, 8]);
  const read = (value: string) =>
    readConfig({ PADDOCK_DATABASE_URL: 'postgres://127.0.0.1/x', PADDOCK_GATEWAY_PROCESSES: value }).processes;
  assert.equal(read('64'), 64);
  assert.equal(read(''), defaultProcesses(availableParallelism()));
  for (const value of ['0', '65', '-1', '1.5', '2e0', 'two'])
    assert.throws(() => read(value), /PADDOCK_GATEWAY_PROCESSES must be .* from 1 to 64/);
});
