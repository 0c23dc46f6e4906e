import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLine } from '@paddock/contract';
import { WebSocket } from 'ws';
import { zip } from '../../../test/archives.ts';
import { apiOf, startApi } from '../../../test/server.ts';
import { teamOf } from '../../../test/team-of.ts';
import { listenForChanges } from '../../db/changes.ts';
import { createLog } from '../../log.ts';
import { logFeed } from './feed.ts';
import { agentLevel } from './levels.ts';
import { dropOldPartitions, makePartitions } from './retention.ts';
import { logStore } from './store.ts';

async function deployed(t: TestContext) {
  const api = await startApi(t);
  const ada = await api.person();
  const project = await ada.api.projects.create({ name: 'logging' });
  const deployment = await ada.api.deployments.create({ project_id: project.id, file: zip({ 'server.js': '1' }), file_name: 'a.zip' });
  const team_id = await teamOf(api.sql, 'the only project');
  const store = logStore(api.sql);
  const write = (messages: string[], level: LogLine['level'] = 'info') =>
    store.append(team_id, deployment.id, {
      lines: messages.map((message) => ({ level, source: 'agent' as const, message, created_at: new Date().toISOString() })),
    });
  return { ...api, ada, id: deployment.id, store, write, team_id };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

test('lines are numbered from 1, paged by number in both directions, filtered and searched', async (t) => {
  const { ada, id, write } = await deployed(t);
  await write(numbers(1, 120).map((n) => `line ${n}`));
  await write(['It FAILED'], 'error');
  const of = async (query: object) => (await ada.api.logs.list({ id, ...query })).logs.map((line) => line.number);
  assert.deepEqual(await of({}), numbers(22, 121), 'the last hundred');
  assert.deepEqual(await of({ limit: 3, after: 10 }), [11, 12, 13]);
  assert.deepEqual(await of({ limit: 3, before: 10 }), [7, 8, 9]);
  assert.deepEqual(await of({ level: 'error' }), [121]);
  assert.deepEqual(await of({ search: 'failed' }), [121]);
  assert.deepEqual(await of({ search: '%' }), []);
});

test('a download holds every line as text or JSON lines', async (t) => {
  const { ada, id, write } = await deployed(t);
  await write(numbers(1, 2500).map((n) => `line ${n}`));
  const text = await ada.api.logs.download({ id });
  assert.equal(text.trim().split('\n').length, 2500);
  const last = JSON.parse((await ada.api.logs.download({ id, format: 'jsonl', search: 'line 2500' })).trim()) as LogLine;
  assert.deepEqual([last.number, last.message], [2500, 'line 2500']);
});

test('a reader that is cut off again and again gets every line once and in order', async (t) => {
  const { origin, ada, id, write, sql } = await deployed(t);
  const got: number[] = [];
  let ended = false;
  const writing = (async () => {
    for (let n = 0; n < 40; n++) {
      await write(numbers(1, 25).map((k) => `${n * 25 + k}`));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await sql`update deployments set status = 'failed' where id = ${id}`;
  })();
  for (let tries = 0; tries < 200 && !ended; tries++) {
    const { ticket } = await ada.api.logs.ticket({ id });
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws/logs/${id}?token=${ticket}&after=${got.at(-1) ?? 0}`);
    socket.on('message', (frame: Buffer) => got.push(...(JSON.parse(frame.toString()) as LogLine[]).map((line) => line.number)));
    const cut = setTimeout(() => socket.terminate(), 30 + Math.random() * 150);
    const [code] = await new Promise<[number]>((resolve) => socket.on('close', (code) => resolve([code])).on('error', () => resolve([0])));
    clearTimeout(cut);
    ended = code === 1000;
  }
  await writing;
  assert.ok(ended, 'the stream says that it has ended');
  assert.deepEqual(got, numbers(1, 1000));
});

test('readers at different places get each line once while the database is slow', async (t) => {
  const { sql, id, store, write } = await deployed(t);
  const changes = await listenForChanges(sql);
  const slow = (...asked: Parameters<typeof store.after>) => sleep(120).then(() => store.after(...asked));
  const feed = logFeed({ store: { ...store, after: slow }, changes, log: createLog('fatal') });
  t.after(async () => {
    feed.close();
    await changes.close();
  });
  await write(numbers(1, 30).map((n) => `line ${n}`));
  const places = [0, 5, 10, 15, 20, 25];
  const got = places.map(() => [] as number[]);
  places.forEach((after, reader) => {
    const send = (frame: string) => got[reader]!.push(...(JSON.parse(frame) as LogLine[]).map((line) => line.number));
    feed.follow(id, after, { send, buffered: () => 0, end: () => undefined, tooSlow: () => undefined });
  });
  for (let n = 31; n <= 60; n++) {
    await write([`line ${n}`]);
    await sleep(40);
  }
  for (let tries = 0; tries < 300 && !got.every((one) => one.includes(60)); tries++) await sleep(50);
  assert.deepEqual(
    got,
    places.map((after) => numbers(after + 1, 60)),
  );
});

test('a reader of a log that says nothing hears an empty list every few seconds', async (t) => {
  const { origin, ada, id } = await deployed(t);
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws/logs/${id}?token=${ada.token}`);
  t.after(() => socket.terminate());
  const heard = await new Promise<string[]>((resolve) => {
    const frames: string[] = [];
    socket.on('message', (frame: Buffer) => {
      frames.push(frame.toString());
      if (frames.filter((one) => one === '[]').length === 2) resolve(frames);
    });
  });
  assert.deepEqual(heard.slice(-2), ['[]', '[]']);
});

test('a session that ends closes its live logs', async (t) => {
  const { origin, ada, id } = await deployed(t);
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws/logs/${id}?token=${ada.token}`);
  await new Promise((resolve) => socket.once('open', resolve));
  await ada.api.accounts.logout();
  const code = await new Promise((resolve) => socket.once('close', resolve));
  assert.equal(code, 4401);
});

test('a key that is revoked, and a ticket of one, close their live logs within five seconds; those of others stay open', async (t) => {
  const { origin, ada, id, write } = await deployed(t);
  const [doomed, other] = await Promise.all(['doomed', 'other'].map((name) => ada.api.apiKeys.create({ name, scopes: ['logs:read'] })));
  const open = async (token: string) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws/logs/${id}?token=${token}`);
    await once(socket, 'open');
    return socket;
  };
  const ticketBy = async (token: string) => (await apiOf(origin, token).logs.ticket({ id })).ticket;
  const [byKey, byTicket] = [await open(doomed!.api_key), await open(await ticketBy(doomed!.api_key))];
  const staying = [await open(other!.api_key), await open(ada.token)];
  const unused = await ticketBy(doomed!.api_key);
  const ended = [byKey, byTicket].map((socket) => once(socket, 'close', { signal: AbortSignal.timeout(5000) }));
  await ada.api.apiKeys.revoke({ id: doomed!.key_info.id });
  for (const close of ended) assert.equal((await close)[0], 4401);
  await assert.rejects(open(unused), /401/, 'its tickets are worth nothing either');
  const heard = staying.map((socket) => once(socket, 'message'));
  await write(['still there']);
  await Promise.all(heard);
});

test('handshakes that fail do not use up the connections of their session', async (t) => {
  const { origin, ada, id, write } = await deployed(t);
  await write(['still there']);
  const path = `/ws/logs/${id}?token=${ada.token}`;
  const attempt = async () => {
    const call = request(`${origin}${path}`, {
      headers: { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'short' },
    }).end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'close');
    return answer.statusCode;
  };
  const statuses = await Promise.all(Array.from({ length: 40 }, attempt));
  statuses.push(...(await Promise.all(Array.from({ length: 40 }, attempt))));
  assert.deepEqual([...new Set(statuses)], [400]);
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`);
  const [data] = (await once(socket, 'message')) as [Buffer];
  assert.match(String(data), /still there/);
  socket.close();
});

test('retention drops the days that are too old and keeps the others', async (t) => {
  const { sql, write, store, id } = await deployed(t);
  await write(['today']);
  const later = Date.now() + 40 * 86_400_000;
  await makePartitions(sql, later);
  const dropped = await dropOldPartitions(sql, 30, later);
  assert.ok(dropped.length >= 4);
  assert.equal((await store.after(id, 0, 10)).length, 0);
  assert.deepEqual(await dropOldPartitions(sql, 30, later), []);
});

test('the level of a line is what it says of itself', () => {
  const cases: [string, 'stdout' | 'stderr', LogLine['level']][] = [
    ['hello', 'stdout', 'info'],
    ['hello', 'stderr', 'error'],
    ['INFO:     Started server process [7]', 'stderr', 'info'],
    ['2026-11-20 10:00:00,123 - app - WARNING - low', 'stderr', 'warning'],
    ['2026-11-20T10:00:00.123Z ERROR broken', 'stdout', 'error'],
    ['[10:00:00] [DEBUG] tick', 'stdout', 'debug'],
    ['{"level":30,"msg":"pino"}', 'stderr', 'info'],
    ['{"level":"warn","message":"winston"}', 'stdout', 'warning'],
    ['{"severity":"ERROR"}', 'stdout', 'error'],
    ['{"not json', 'stdout', 'info'],
    ['level=error msg="logfmt"', 'stdout', 'error'],
    ['\u001b[32mINFO\u001b[0m: green', 'stderr', 'info'],
    ['Traceback (most recent call last):', 'stdout', 'error'],
    ['(node:7) Warning: deprecated', 'stderr', 'warning'],
    ['TypeError: x is not a function', 'stdout', 'error'],
    ['Information is power', 'stdout', 'info'],
    ['errors are human', 'stdout', 'info'],
    ['I1120 10:00:00 klog', 'stderr', 'info'],
  ];
  for (const [line, stream, level] of cases) assert.equal(agentLevel(line, stream), level, line);
});
