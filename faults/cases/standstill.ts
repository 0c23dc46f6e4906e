import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresProcesses } from '../../apps/server/src/db/postgres/processes.ts';
import { type Scope, until } from '../../apps/server/test/platform.ts';
import { apiOf } from '../../apps/server/test/server.ts';
import { freePort } from '../../scripts/test/free-port.ts';
import { failpoints } from '../failpoints/points.ts';
import type { Fault } from '../fault.ts';
import { startSupervised } from '../supervised-server.ts';

const stoppedMs = 20_000;
/** The fault needs ten seconds of CPU time of the event loop; a busy machine gives the loop less than a second per second. */
const endsWithin_s = 90;

const person = (name: string) => ({ email: `${name}@example.com`, password: 'correct horse battery', name });

/** A server whose event loop hangs in a request once the failpoint is armed. */
async function startHanging(scope: Scope) {
  const points = failpoints();
  scope.after(points.remove);
  const port = await freePort();
  const server = await startSupervised(scope, port, points);
  const api = apiOf(`http://127.0.0.1:${port}`);
  const hang = () => {
    points.arm('request-noted', { do: 'spin' });
    const answer = api.accounts.signup(person('hung'), { idempotency_key: 'hang' }).then(
      () => 'answered',
      () => 'cut off',
    );
    return until('the loop hangs', async () => points.hits('request-noted') > 0).then(() => ({ answer }));
  };
  return { server, api, hang };
}

const hangs: Fault = {
  id: 'server-hangs',
  fault: 'a request hangs the event loop of the server for ever',
  expected: 'the server says where, is ended by its watchdog, started again, and serves',
  failpoints: ['request-noted'],
  async run(_seed, scope) {
    const { server, api, hang } = await startHanging(scope);
    const { answer } = await hang();
    const begun = performance.now();
    await until('the server is ready again', async () => server.timesReady() === 2, endsWithin_s);
    const ms = performance.now() - begun;
    assert.equal(await answer, 'cut off');
    assert.match(server.output(), /The server \(process \d+\) stands still for \d+ s and is ended: spin \(install\.ts:\d+\)/);
    assert.match(server.output(), /Paddock ended unexpectedly \(SIGKILL\) and starts again/);
    await api.accounts.signup(person('after'));
    return `ended and serving again after ${(ms / 1000).toFixed(1)} s, with the place where it hung`;
  },
};

const hungTerminated: Fault = {
  id: 'server-hung-terminated',
  fault: 'SIGTERM to a server whose event loop hangs',
  expected: 'everything ends within the grace: the server, its PostgreSQL and what started them; nothing is started again',
  failpoints: ['request-noted'],
  async run(_seed, scope) {
    const { server, hang } = await startHanging(scope);
    const postgres = join(server.dataDir, 'postgres');
    assert.ok(postgresProcesses(postgres).length > 0);
    await hang();
    const begun = performance.now();
    server.signal('SIGTERM');
    await until('everything has ended', async () => server.hasEnded(), endsWithin_s);
    const ms = performance.now() - begun;
    assert.equal(await server.ended, 137);
    assert.deepEqual(postgresProcesses(postgres), []);
    assert.equal(server.timesReady(), 1);
    return `exit 137 after ${(ms / 1000).toFixed(1)} s, PostgreSQL ended in order`;
  },
};

const stopped: Fault = {
  id: 'server-suspended',
  fault: `the server's process is stopped for ${stoppedMs / 1000} s, as by a suspended machine, and goes on`,
  expected: 'its watchdog leaves it alone, and it serves',
  async run(_seed, scope) {
    const { server, api } = await startHanging(scope);
    const { pid } = JSON.parse(readFileSync(join(server.dataDir, 'postgres.lock'), 'utf8')) as { pid: number };
    process.kill(pid, 'SIGSTOP');
    await sleep(stoppedMs);
    process.kill(pid, 'SIGCONT');
    await api.accounts.signup(person('resumed'));
    await sleep(2_000);
    await api.accounts.signup(person('later'));
    assert.equal(server.timesReady(), 1, server.output());
    return `served after ${stoppedMs / 1000} s of standstill, and went on`;
  },
};

export const faults = [hangs, hungTerminated, stopped];
