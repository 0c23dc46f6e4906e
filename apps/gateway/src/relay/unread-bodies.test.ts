import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { pathOf, plainAnswer, startCarelessAgent } from '../../test/careless-agent.ts';
import { type Fixture, startFixture, until } from '../../test/fixture.ts';

let fixture: Fixture;
before(async () => {
  fixture = await startFixture();
});
after(() => fixture.close());

const host = 'Host: careless.localhost\r\n';
const inner = `GET /env HTTP/1.1\r\n${host}\r\n`;
/** The inner request is incomplete: the head of the next request on the connection completes it. */
const openInner = `GET /env HTTP/1.1\r\n${host}X-Rest: `;
/** The other methods are in `attacks/http/try-unread-bodies.ts`. */
const methods = ['GET', 'DELETE', 'POST'];
const visitorCount = 8;

const withLength = (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`;
const inChunks = (body: string) => `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** The responses of `visitorCount` concurrent visitors with a cookie each. */
function visits(path = '/mine'): Promise<string[]> {
  const visit = async (n: number) => {
    const { status, body } = await fixture.fetch('careless', `${path}${n}`, { headers: { cookie: `visitor=${n}` } });
    return `${status} ${body}`;
  };
  return Promise.all(Array.from({ length: visitorCount }, (_, n) => visit(n)));
}

const ownAnswers = Array.from({ length: visitorCount }, (_, n) => `200 /mine${n} visitor=${n}`);

for (const method of methods)
  for (const [framing, framed] of [
    ['of a length', withLength(inner)],
    ['in chunks', inChunks(inner)],
    ['that is the beginning of a request', withLength(openInner)],
  ]) {
    test(`a body ${framing} that the agent does not read with ${method} neither answers other visitors nor takes their cookies`, async (t) => {
      const agent = await startCarelessAgent();
      t.after(() => agent.close());
      await fixture.route('careless', agent);
      const attack = `${method} /x HTTP/1.1\r\n${host}${framed}`;
      assert.match(await fixture.raw(attack, (received) => received.includes('\r\n\r\n')), /^HTTP\/1\.1 200 /);
      assert.deepEqual(await visits(), ownAnswers);
      assert.deepEqual(
        agent.connections.filter((paths) => paths[0] === '/x').map((paths) => paths.filter((path) => path.startsWith('/mine'))),
        [[]],
      );
    });
  }

test('an agent is asked to close the connection after a request with a body, and to keep it after one without', async (t) => {
  const heads: string[] = [];
  const agent = await startCarelessAgent((head) => {
    heads.push(head);
    return plainAnswer(head);
  });
  t.after(() => agent.close());
  await fixture.route('careless', agent);
  await fixture.fetch('careless', '/with', { method: 'PUT', body: 'body' });
  await fixture.fetch('careless', '/without', { method: 'PUT' });
  const connectionOf = (path: string) => /^Connection: (.*)$/m.exec(heads.find((head) => pathOf(head) === path)!)?.[1];
  assert.deepEqual([connectionOf('/with'), connectionOf('/without')], ['close', 'keep-alive']);
});

const stolen = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen';
for (const [name, method, head] of [
  ['to HEAD', 'HEAD', `HTTP/1.1 200 OK\r\nContent-Length: ${stolen.length}\r\n\r\n`],
  ['of status 204', 'GET', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['of status 304', 'GET', 'HTTP/1.1 304 Not Modified\r\n\r\n'],
] as const) {
  test(`a body behind an answer ${name}, which has none, answers no other visitor`, async (t) => {
    const agent = await startCarelessAgent((asked) => (pathOf(asked) === '/x' ? { text: head, late: stolen } : plainAnswer(asked)));
    t.after(() => agent.close());
    await fixture.route('careless', agent);
    await fixture.fetch('careless', '/x', { method });
    assert.deepEqual(await visits(), ownAnswers);
  });
}

const example = join(import.meta.dirname, '../../../../examples/counter-python');
/** The example unchanged, without its database clients, which it uses only with a database. */
const run = `
import runpy, sys, types
for name, error in (('psycopg', 'Error'), ('redis', 'RedisError')):
    sys.modules[name] = types.SimpleNamespace(**{error: OSError})
runpy.run_path('main.py', run_name='__main__')`;
const hasPython = spawnSync('python3', ['--version']).status === 0;

async function startPythonAgent(t: TestContext) {
  const probe = await startCarelessAgent();
  await probe.close();
  const child = spawn('python3', ['-c', run], {
    cwd: example,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(probe.port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (piece: Buffer) => (output += String(piece)));
  await until(() => output.includes('listens'), 'the agent listens');
  return { port: probe.port };
}

test("a body of GET that Python's http.server does not read answers no other visitor", { skip: !hasPython }, async (t) => {
  await fixture.route('careless', await startPythonAgent(t));
  const expected = await fixture.fetch('careless', '/');
  assert.equal(expected.status, 200);
  for (const body of [openInner, inner])
    for (let round = 0; round < 3; round++) {
      const attack = `GET /x HTTP/1.1\r\n${host}${withLength(body)}`;
      const [received, ...answers] = await Promise.all([
        fixture.raw(attack, (text) => text.includes('Not found')),
        ...Array.from({ length: visitorCount }, () => fixture.fetch('careless', '/')),
      ]);
      assert.match(received, /^HTTP\/1\.1 404 /);
      // Later visitors may get the connection of the attack, earlier ones may have waited for it.
      answers.push(...(await Promise.all(Array.from({ length: visitorCount }, () => fixture.fetch('careless', '/')))));
      assert.deepEqual([...new Set(answers.map(({ status, body }) => `${status} ${body}`))], [`200 ${expected.body}`]);
    }
});
