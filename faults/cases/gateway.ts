import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, reaches, until } from '../../apps/server/test/platform.ts';
import { built } from '../agents.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { childrenOf } from '../invariants/resources.ts';
import { startVisitor } from '../visitor.ts';
import { newProject, sharedWorld, startWorld } from '../world.ts';
import { gatewaysOf } from './server.ts';

const killed: Fault = {
  id: 'gateway-killed',
  fault: 'kill -9 of the gateway, three times',
  expected: 'agents go on; visitors are answered again within 5 s; one gateway is left',
  async run(_seed, scope) {
    const world = await startWorld(scope);
    await world.steady.visitor.stop(); // some of its visits must fail while there is no gateway
    world.steady.visitor.check();
    const away: number[] = [];
    for (let n = 0; n < 3; n++) {
      const begun = performance.now();
      process.kill(await world.paddock.gatewayPid(), 'SIGKILL');
      await until('it answers again', async () => (await world.paddock.visit('steady.localhost').catch(() => undefined))?.body === 'up');
      away.push(Math.round(performance.now() - begun));
      await sleep(500);
    }
    await until('one gateway is left', async () => gatewaysOf(world).length === 1);
    await checkInvariants(world);
    return `answered again after ${away.join(', ')} ms; same agent process; one gateway`;
  },
};

const oneOfTwo: Fault = {
  id: 'gateway-process-killed',
  fault: "kill -9 of one of the gateway's two processes, six times, while agents are visited",
  expected: 'each kill costs a visitor one visit at most; the process is replaced, its leader and the other process are the same',
  async run(_seed, scope) {
    const kills = 6;
    const world = await startWorld(scope, { PADDOCK_GATEWAY_PROCESSES: '2' });
    await world.steady.visitor.stop(); // some of its visits may be cut
    world.steady.visitor.check();
    const leader = await world.paddock.gatewayPid();
    let cut = 0;
    const visitor = startVisitor(world.paddock, world.steady.host, (answer) => {
      if (answer !== '200 up') cut += 1;
      return true;
    });
    for (let n = 0; n < kills; n++) {
      const [victim = 0, other = 0] = childrenOf(leader);
      assert.ok(victim && other);
      process.kill(victim, 'SIGKILL');
      const isReplaced = (pids: number[]) => pids.length === 2 && pids.includes(other) && !pids.includes(victim);
      await until('it is replaced', async () => isReplaced(childrenOf(leader)));
      await sleep(1000); // the new process listens
    }
    await visitor.stop();
    const { visits } = visitor.check();
    assert.ok(cut <= kills, `${cut} visits were cut`);
    assert.equal(await world.paddock.gatewayPid(), leader);
    return `${cut} of ${visits} visits cut; ${await checkInvariants(world)}`;
  },
};

const stopped: Fault = {
  id: 'gateway-stopped',
  fault: 'SIGSTOP of the gateway for 6 s',
  expected: 'requests wait and are answered afterwards; none is refused',
  async run(_seed, scope) {
    const world = await startWorld(scope);
    await world.steady.visitor.stop();
    world.steady.visitor.check();
    const pid = await world.paddock.gatewayPid();
    process.kill(pid, 'SIGSTOP');
    const waiting = Array.from({ length: 20 }, () => world.paddock.visit(world.steady.host));
    await sleep(6000);
    process.kill(pid, 'SIGCONT');
    const answers = await Promise.all(waiting);
    assert.deepEqual([...new Set(answers.map(({ status, body }) => `${status} ${body}`))], ['200 up']);
    assert.equal(await world.paddock.gatewayPid(), pid);
    await checkInvariants(world);
    return `${answers.length} waiting requests were answered afterwards; the gateway is the same process`;
  },
};

const hung: Fault = {
  id: 'gateway-hung',
  fault: 'a gateway that hangs for good (SIGSTOP without end)',
  expected: 'the server ends it and starts another: visitors are answered again within 60 s',
  limit_s: 180,
  async run(_seed, scope) {
    const world = await startWorld(scope);
    await world.steady.visitor.stop();
    world.steady.visitor.check();
    const pid = await world.paddock.gatewayPid();
    process.kill(pid, 'SIGSTOP');
    const begun = performance.now();
    await until(
      'another one answers',
      async () => (await world.paddock.visit(world.steady.host).catch(() => undefined))?.body === 'up',
      90,
    );
    const awayMs = Math.round(performance.now() - begun);
    assert.notEqual(await world.paddock.gatewayPid(), pid);
    assert.ok(awayMs < 60_000, `after ${awayMs} ms`);
    await checkInvariants(world);
    return `answered again after ${awayMs} ms by another gateway`;
  },
};

const serverless: Fault = {
  id: 'gateway-without-server',
  fault: 'kill -9 of the server, which stays away for 10 s while agents are visited',
  expected: 'visitors notice nothing, and nothing is lost of what agents write',
  async run(_seed, scope) {
    const world = await startWorld(scope);
    const second = startVisitor(world.paddock, world.steady.host, (answer) => answer === '200 up');
    await world.paddock.kill();
    await sleep(10_000);
    await world.paddock.boot();
    await second.stop();
    const { visits } = second.check();
    return `${visits} visits of a second visitor answered; ${await checkInvariants(world)}`;
  },
};

const twoAtOnce: Fault = {
  id: 'gateway-two-at-once',
  fault: 'kill -9 of the server; at its start the gateway of the run before and its own serve beside each other for seconds',
  expected: 'no address moves meanwhile, or one visitor could meet the new deployment and then the old; afterwards it does',
  short: true,
  async run() {
    const world = await sharedWorld();
    const { id, host } = await newProject(world, 'two-gateways');
    const old = await deploy(world.api, id, built('old', 0));
    await reaches(world.api, old.id, ['active']);
    await world.paddock.kill();
    world.points.arm('gateway-answering', { do: 'pause' });
    const booting = world.paddock.boot();
    await until('both gateways serve', async () => world.points.hits('gateway-answering') === 1);
    const listed = () => world.api.projects.list({}).catch(() => undefined);
    await until('the API answers', async () => (await listed()) !== undefined);
    const next = await deploy(world.api, id, built('next', 0));
    await sleep(2000);
    const { status } = await world.api.deployments.get({ id: next.id });
    world.points.release('gateway-answering');
    await booting;
    assert.equal(status, 'queued');
    await reaches(world.api, next.id, ['active']);
    await until('the new one answers', async () => (await world.paddock.visit(host)).body === 'next');
    return `queued while both served, then active; ${await checkInvariants(world)}`;
  },
};

export const faults: Fault[] = [killed, oneOfTwo, stopped, hung, serverless, twoAtOnce];
