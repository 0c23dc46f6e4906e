import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment, LogLine } from '@paddock/contract';
import { zip } from '../../apps/server/test/archives.ts';
import { deploy, reaches, until } from '../../apps/server/test/platform.ts';
import { built, counterAgent } from '../agents.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { newProject, startWorld, type World } from '../world.ts';

const requests = 50;
const readers = 20;
const polls = 10;

/** SIGTERM with everything in progress (F49) and a second SIGTERM (F50). */
const term: Fault = {
  id: 'server-terminated-busy',
  fault: `SIGTERM with ${requests} requests, ${polls} long polls, a slow upload, ${readers} live logs and a build under way`,
  expected:
    'each accepted request is answered, live logs close with 1012 and resume without a gap, the build goes on after the next start; exit 0 within 30 s',
  short: true,
  failpoints: ['request-noted'],
  async run(_seed, scope) {
    const world = await startWorld(scope, { PADDOCK_AGENTS_ON_EXIT: 'keep' });
    const { id: project_id } = await newProject(world, 'busy');
    const building = await deploy(world.api, project_id, built('built', 4));
    await until('it builds', async () => (await world.api.deployments.get({ id: building.id })).status === 'building');
    const logs = await Promise.all(Array.from({ length: readers }, () => openLog(world)));
    await until('every reader has lines', async () => logs.every(({ lines }) => lines.length > 0));
    await world.steady.visitor.stop(); // the gateway ends with the server

    world.points.arm('request-noted', { do: 'delay', ms: 1500, always: true });
    const answers = Array.from({ length: requests }, (_, n) =>
      world.api.projects.create({ name: `in-flight-${n}` }, { idempotency_key: randomUUID() }).then(
        () => 'answered',
        (error: Error) => error.message,
      ),
    );
    const [team] = await world.sql<{ version: number }[]>`select max(version) as version from teams`;
    const polling = Array.from({ length: polls }, () => poll(world, team!.version + requests).catch((error: Error) => error.message));
    const upload = slowUpload(world, project_id, 3000);
    await until('all are under way', async () => world.points.hits('request-noted') >= requests - 2);
    // An upload that has not been accepted yet is refused, and rightly so.
    await until('the upload is being received', async () =>
      readdirSync(join(world.paddock.dataDir, 'blobs')).some((name) => name.endsWith('.part')),
    );

    const begun = performance.now();
    world.paddock.signal('SIGTERM');
    const { code } = await world.paddock.gone();
    const exitMs = Math.round(performance.now() - begun);
    assert.equal(code, 0);
    assert.ok(exitMs < 60_000, `it took ${exitMs} ms`);
    assert.deepEqual([...new Set(await Promise.all(answers))], ['answered'], 'no accepted request is cut');
    assert.deepEqual([...new Set(await Promise.all(polling))], [200], 'long polls are answered');
    const uploaded = await upload;
    assert.equal(uploaded.status, 201, JSON.stringify(uploaded.body));
    assert.deepEqual([...new Set(await Promise.all(logs.map(({ closed }) => closed)))], [1012]);

    world.points.clear();
    await world.paddock.boot({ PADDOCK_AGENTS_ON_EXIT: 'stop' }); // so that its exit leaves no agents
    const resumed = await openLog(world, logs[0]!.lines.at(-1));
    await until('the log goes on', async () => resumed.lines.length > 5);
    assert.equal(resumed.lines[0], logs[0]!.lines.at(-1)! + 1, 'without a gap');
    resumed.close();
    const isFinal = (status: string) => ['active', 'stopped', 'failed'].includes(status);
    await until('the build has ended', async () => isFinal((await world.api.deployments.get({ id: building.id })).status));
    const ended = await world.api.deployments.get({ id: building.id });
    assert.notEqual(ended.status, 'failed', ended.error_message ?? '');
    await reaches(world.api, (uploaded.body as Deployment).id, ['active']);
    return `exit 0 after ${exitMs} ms; ${requests} of ${requests} requests, ${polls} long polls and the upload answered; ${readers} live logs closed with 1012 and one resumed at its line; the build ended ${ended.status}; ${await checkInvariants(world)}`;
  },
};

const twice: Fault = {
  id: 'server-terminated-twice',
  fault: 'a second SIGTERM while the first one waits for a slow upload',
  expected: 'it ends at once, and the next start finds all in order',
  async run(_seed, scope) {
    const world = await startWorld(scope, { PADDOCK_AGENTS_ON_EXIT: 'keep' });
    const { id: project_id } = await newProject(world, 'twice');
    await world.steady.visitor.stop();
    const upload = slowUpload(world, project_id, 20_000).catch((error: Error) => error.message);
    await sleep(500);
    world.paddock.signal('SIGTERM');
    await sleep(1500);
    const begun = performance.now();
    world.paddock.signal('SIGTERM');
    const { code } = await world.paddock.gone();
    const exitMs = Math.round(performance.now() - begun);
    assert.equal(code, 1);
    await upload;
    await world.paddock.boot();
    return `exit 1 after ${exitMs} ms; ${await checkInvariants(world)}`;
  },
};

async function openLog({ paddock, token, steady }: World, after = 0) {
  const socket = new WebSocket(`${paddock.origin.replace('http', 'ws')}/ws/logs/${steady.id}?token=${token}&after=${after}`);
  const lines: number[] = [];
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)));
  socket.addEventListener('message', ({ data }) => lines.push(...(JSON.parse(String(data)) as LogLine[]).map((line) => line.number)));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  return { lines, closed, close: () => socket.close() };
}

const poll = async ({ paddock, token }: World, after: number) =>
  (await fetch(`${paddock.origin}/api/v1/changes?after=${after}`, { headers: { authorization: `Bearer ${token}` } })).status;

/** A multipart upload whose file arrives in pieces over the given time. */
function slowUpload({ paddock, token }: World, project_id: string, ms: number): Promise<{ status: number; body: unknown }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>();
  const boundary = 'paddock-slow';
  const call = request(
    `${paddock.origin}/api/v1/deployments`,
    { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` } },
    (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode!, body: JSON.parse(Buffer.concat(chunks).toString()) }));
    },
  );
  call.on('error', reject);
  void (async () => {
    const file = Buffer.from(await zip(counterAgent('slow')).arrayBuffer());
    call.write(`--${boundary}\r\ncontent-disposition: form-data; name="project_id"\r\n\r\n${project_id}\r\n`);
    call.write(
      `--${boundary}\r\ncontent-disposition: form-data; name="code"; filename="slow.zip"\r\ncontent-type: application/zip\r\n\r\n`,
    );
    const pieces = 20;
    for (let n = 0; n < pieces && !call.destroyed; n++) {
      call.write(file.subarray(Math.floor((n * file.length) / pieces), Math.floor(((n + 1) * file.length) / pieces)));
      await sleep(ms / pieces);
    }
    call.end(`\r\n--${boundary}--\r\n`);
  })();
  return promise;
}

export const faults: Fault[] = [term, twice];
