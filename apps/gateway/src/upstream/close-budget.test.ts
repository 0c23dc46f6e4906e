import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { type Fixture, startFixture, startRawAgent, until } from '../../test/fixture.ts';
import { CloseBudget } from './close-budget.ts';

let fixture: Fixture;
before(async () => {
  fixture = await startFixture();
});
after(() => fixture.close());

/** Ports that the kernel keeps for a minute after this machine closed connections to `port` first. */
const keptPorts = (port: number): number => {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .filter((line) => line.split(/\s+/)[3]?.endsWith(remote) && line.split(/\s+/)[4] === '06').length;
};
const get = 'GET / HTTP/1.1\r\nHost: odd.localhost\r\nConnection: close\r\n\r\n';

test('an agent whose answers are broken leaves no ports behind', async (t) => {
  let asked = 0;
  const agent = await startRawAgent((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      asked += 1;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello');
    });
  });
  t.after(() => agent.close());
  await fixture.route('odd', agent);
  for (let n = 0; n < 30; n++) assert.match(await fixture.raw(get), /^HTTP\/1\.1 502 /);
  assert.equal(asked, 30);
  assert.equal(keptPorts(agent.port), 0);
});

test('for a visitor who is gone the connection to the agent is closed in order, after the agent has got what was asked', async (t) => {
  const got: string[] = [];
  const agent = await startRawAgent((socket) => {
    socket.on('data', (bytes) => got.push(bytes.toString('latin1')));
    socket.on('error', (error) => got.push(error.message));
    socket.on('end', () => {
      got.push('end');
      socket.end();
    });
  });
  t.after(() => agent.close());
  await fixture.route('odd', agent);
  const visitor = connect(fixture.gateway.port, '127.0.0.1');
  visitor.write('POST / HTTP/1.1\r\nHost: odd.localhost\r\nContent-Length: 4\r\n\r\nlast');
  await until(() => got.length > 0, 'the agent is asked');
  visitor.resetAndDestroy();
  await until(() => got.at(-1) === 'end', 'the agent is told of the end');
  assert.match(got.join(''), /\r\n\r\nlastend$/);
});

test('only so many connections to an instance are closed in order, and again some after a rest', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const partings = new CloseBudget();
  const closed = () => Array.from({ length: 10_000 }, () => partings.mayClose()).filter(Boolean).length;
  assert.equal(partings.isRested, true);
  assert.equal(closed(), 3_000);
  assert.equal(partings.isRested, false);
  now += 10_000;
  assert.equal(closed(), 500);
  now += 60_000;
  // The sum is never more than about 6,000 ports within the minute for which the kernel keeps each.
  assert.equal(closed(), 3_000);
  now += 3_600_000;
  assert.equal(partings.isRested, true);
});
