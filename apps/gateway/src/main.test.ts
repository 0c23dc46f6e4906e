import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { type Agent, ask, type Fixture, startAgent, startFixture, until } from '../test/fixture.ts';
import { refuses, startGatewayProcess } from '../test/gateway-process.ts';
import { readConfig } from './config.ts';

// The fixture's own gateway is only used to set routes.
let fixture: Fixture;
let agent: Agent;
let release: () => void;
before(async () => {
  fixture = await startFixture();
  agent = await startAgent((req, res) => {
    if (req.url === '/begun') res.write('begun');
    else if (req.url !== '/slow') return res.end('quick');
    release = () => res.end('slow');
    return undefined;
  });
  await fixture.route('work', agent, 'dep_work');
});
after(async () => {
  await fixture.close();
  await agent.close();
});

const startProcess = (env: Record<string, string> = {}) => startGatewayProcess(fixture.database.url, env);

const requests = async () => {
  const rows = await fixture.database.sql<{ requests: string }[]>`select requests from traffic_minutes where deployment_id = 'dep_work'`;
  return rows.reduce((sum, row) => sum + Number(row.requests), 0);
};

test('SIGTERM lets a request in flight finish, writes the last figures and exits 0', async () => {
  const gateway = await startProcess();
  const before = await requests();
  assert.equal((await ask(gateway.port, 'work.localhost', '/', {})).body, 'quick');
  const slow = ask(gateway.port, 'work.localhost', '/slow', {});
  await until(() => release !== undefined, 'the slow request is with the agent');
  gateway.child.kill('SIGTERM');
  await until(() => refuses(gateway.port), 'no new connection is taken');
  release();
  const answer = await slow;
  assert.deepEqual([answer.status, answer.body, answer.headers.connection], [200, 'slow', 'close']);
  assert.equal(await gateway.exited, 0);
  assert.equal((await requests()) - before, 2);
});

test('after SIGTERM nobody waits for a visitor who only keeps a connection open', async () => {
  const gateway = await startProcess();
  let received = '';
  const socket = connect(gateway.port, '127.0.0.1', () => socket.write('GET /begun HTTP/1.1\r\nHost: work.localhost\r\n\r\n'));
  socket.on('data', (piece: Buffer) => (received += String(piece)));
  await until(() => received.includes('begun'), 'the answer has begun');
  gateway.child.kill('SIGTERM');
  await until(() => refuses(gateway.port), 'it drains');
  release();
  const asked = Date.now();
  assert.equal(await gateway.exited, 0);
  assert.ok(Date.now() - asked < 25_000, 'not for the whole time of a drain');
  assert.match(received, /\r\nslow\r\n/);
});

test('a second SIGTERM ends it at once', async () => {
  const gateway = await startProcess();
  const asked = ask(gateway.port, 'work.localhost', '/slow', {}).then(
    () => 'answered',
    () => 'cut',
  );
  const before = release;
  await until(() => release !== before, 'the slow request is with the agent');
  gateway.child.kill('SIGTERM');
  await until(() => refuses(gateway.port), 'it drains');
  gateway.child.kill('SIGTERM');
  assert.equal(await gateway.exited, 1);
  assert.equal(await asked, 'cut');
});

test('it leaves when the process that it belongs to is gone', async () => {
  const parent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const gateway = await startProcess({ PADDOCK_PARENT_PID: String(parent.pid) });
  assert.equal((await ask(gateway.port, 'work.localhost', '/', {})).status, 200);
  parent.kill('SIGKILL');
  assert.equal(await gateway.exited, 0);
});

test('a wrong setting is named', () => {
  const good = { PADDOCK_DATABASE_URL: 'postgres://127.0.0.1/x' };
  assert.equal(readConfig(good).port, 4001);
  const wrong = {
    PADDOCK_DATABASE_URL: 'nowhere',
    PADDOCK_GATEWAY_PORT: '70000',
    PADDOCK_AGENT_DOMAIN: 'agents.test:80',
    PADDOCK_PUBLIC_URL: 'javascript:alert(1)',
    PADDOCK_TRUSTED_PROXIES: '10.0.0.0/33',
    PADDOCK_LOG_LEVEL: 'loud',
    PADDOCK_PARENT_PID: 'x',
    PADDOCK_GATEWAY_PROCESSES: '0',
    PADDOCK_AUDIT_SPOOL_MB: '0',
    PADDOCK_AUDIT_TOKEN_KEY: 'short',
  };
  for (const [name, value] of Object.entries(wrong)) assert.throws(() => readConfig({ ...good, [name]: value }), new RegExp(name));
});
