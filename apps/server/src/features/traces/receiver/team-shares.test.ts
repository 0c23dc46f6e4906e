import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { inJson } from '@paddock/otlp/encode';
import { until } from '../../../../test/platform.ts';
import { atEnd, testDatabase } from '../../../../test/postgres.ts';
import { startApi } from '../../../../test/server.ts';
import { credentialHeader, credentialOf } from './credential.ts';
import { startReceiver } from './start.ts';

const key = randomBytes(32);
const log = { warn: () => undefined, error: () => undefined };

test('a team whose deployments send all they may at once keeps no other team from sending', async () => {
  const database = await testDatabase();
  const world = await startApi({ after: atEnd }, { database });
  const receiver = await startReceiver({
    log,
    databaseUrl: database.url,
    key,
    tokenKey: key,
    secretKeys: world.seal.keys(),
    port: 0,
    // The held requests time out after that time.
    bounds: { pauseMs: 10, requestMs: 300_000 },
  });
  atEnd(() => receiver.close());
  const { port } = receiver;

  async function deployments(count: number): Promise<string[]> {
    const { api } = await world.person();
    const { id: project_id } = await api.projects.create({ name: 'traced' });
    const ids = Array.from({ length: count }, () => `dep_${randomBytes(6).toString('hex')}`);
    await world.sql`
      insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
      select one, team_id, ${project_id}, 'production', 'failed', 'b', 'n', 1, 'u'
      from projects, unnest(${ids}::text[]) one
      where projects.id = ${project_id}`;
    return ids;
  }
  async function send(deployment_id: string): Promise<number> {
    const now_ns = BigInt(Date.now()) * 1_000_000n;
    const times = { startTimeUnixNano: String(now_ns), endTimeUnixNano: String(now_ns + 1n) };
    const span = { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex'), name: 'work', ...times };
    const headers = { 'content-type': 'application/json', [credentialHeader]: credentialOf(key, deployment_id) };
    const response = await fetch(`http://127.0.0.1:${port}/v1/traces`, { method: 'POST', headers, body: inJson([span]) });
    await response.arrayBuffer();
    return response.status;
  }
  /** Starts a request and does not finish it. It is started anew if it is refused, because another request had its place for a moment. */
  async function hold(deployment_id: string): Promise<void> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    atEnd(async () => void socket.destroy());
    socket.once('data', () => void hold(deployment_id));
    await once(socket, 'connect');
    const head = [`POST /v1/traces HTTP/1.1`, 'host: otlp', 'content-type: application/json', 'content-length: 1000'];
    socket.write(`${[...head, `${credentialHeader}: ${credentialOf(key, deployment_id)}`].join('\r\n')}\r\n\r\n{`);
  }

  const [mine = '', ...others] = await deployments(5);
  const [neighbour = ''] = await deployments(1);
  for (const id of others) for (let n = 0; n < 4; n++) await hold(id);
  await until('the sendings of the team are refused', async () => (await send(mine)) === 429);
  assert.equal(await send(neighbour), 200);
});
