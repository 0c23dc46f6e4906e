import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Fixture, startAgent, startRawAgent } from '../../apps/gateway/test/fixture.ts';
import { type HostileAnswer, hostileAnswers } from './answers.ts';
import { tell } from './raw.ts';
import type { Row } from './table.ts';

const get = 'GET / HTTP/1.1\r\nHost: odd.localhost\r\n\r\n';
const boundedMb = 60;

/** Sends every hostile response through the gateway. After each, another agent's visitor must get the right response. */
export async function tryAnswers(fixture: Fixture): Promise<Row[]> {
  const rows: Row[] = [];
  const good = await startAgent((_, res) => res.end('good'));
  await fixture.route('good', good);
  // A gigabyte of zeros in small parts would take seconds to compress; the members of a gzip file can simply follow each other.
  const member = gzipSync(Buffer.alloc(16 * 1024 * 1024));
  const bomb = Buffer.concat(Array.from({ length: 64 }, () => member));
  for (const answer of hostileAnswers(bomb)) {
    let asked = 0;
    const agent = await startRawAgent((socket) =>
      socket.once('data', () => {
        asked += 1;
        answer.does(socket);
      }),
    );
    await fixture.route('odd', agent);
    const { got, held } = answer.expected === 'passed, bounded' ? await takeSome(fixture) : await take(fixture, answer);
    const next = (await fixture.fetch('good')).body;
    rows.push({
      attempt: answer.name,
      expected: answer.expected,
      got: `${got}; agent asked ${asked}×; next: ${next}`,
      held: held && next === 'good',
    });
    await agent.close();
  }
  await good.close();
  return rows;
}

async function take(fixture: Fixture, { expected, request = get }: HostileAnswer) {
  // The second request shows whose response comes next on the same connection.
  const heard = await tell(fixture.gateway.port, request + (request.endsWith('\r\n\r\n') ? get.replace('odd', 'good') : ''), {
    quietMs: 500,
    enough: (text) => /good(\r\n0\r\n\r\n)?$/.test(text),
  });
  const [first = '', second = ''] = heard.text.split(/(?<=.)(?=HTTP\/1\.1 [2-5]\d\d )/s);
  const hasEvil = /evil/i.test(heard.text);
  const rightNext = second === '' || second.endsWith('good') || second.endsWith('4\r\ngood\r\n0\r\n\r\n');
  const held = {
    'refused (502)': first.startsWith('HTTP/1.1 502 ') && !hasEvil && rightNext,
    // A response that arrived in one piece has not been passed on yet.
    'cut short or 502':
      (first.startsWith('HTTP/1.1 502 ') && !hasEvil && rightNext) ||
      (first.startsWith('HTTP/1.1 200 ') && !first.endsWith('\r\n0\r\n\r\n') && second === '' && heard.closed),
    'passed once':
      first.startsWith('HTTP/1.1 200 ') &&
      /ok(\r\n0\r\n\r\n)?$/.test(first) &&
      !hasEvil &&
      rightNext &&
      first.includes('X-Request-Id: req_'),
    'passed without a body': /^HTTP\/1\.1 (?:200|204|304) [^]*\r\n\r\n$/.test(first) && !hasEvil && rightNext,
    'passed, bounded': false,
  }[expected];
  const got = `${heard.statuses.join(', ') || 'nothing'}${heard.closed ? ', closed' : ''}`;
  return { got, held };
}

/** Reads a little, then stops: the gateway must slow the agent down. */
async function takeSome(fixture: Fixture) {
  const before = memoryMb();
  const socket = connect(fixture.gateway.port, '127.0.0.1', () => socket.write(get));
  socket.on('error', () => socket.destroy());
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  await sleep(700);
  const grown = memoryMb() - before;
  socket.destroy();
  await sleep(50);
  return { got: `200, +${grown} MB while it is not read`, held: grown < boundedMb };
}

const memoryMb = () => Math.round((process.memoryUsage().external + process.memoryUsage().heapUsed) / 1e6);
