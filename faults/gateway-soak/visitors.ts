import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { WebSocket } from 'ws';
import { mutated } from '../../attacks/http/mutations.ts';

export interface Visiting {
  port: number;
  signal: AbortSignal;
  /** Number of correct visits by kind. */
  well: Map<string, number>;
  /** Wrong responses to honest visitors. */
  wrong: string[];
}

/** Each kind repeats its visit until the signal, with a pause between two visits. */
export const kinds: Record<string, { pauseMs: number; visit: (to: Visiting) => Promise<void> }> = {
  'kept connection': { pauseMs: 5, visit: (to) => expectJson(to, keptAgent) },
  'new connection': { pauseMs: 20, visit: (to) => expectJson(to, undefined) },
  upload: { pauseMs: 100, visit: upload },
  download: { pauseMs: 200, visit: download },
  stream: {
    pauseMs: 500,
    visit: (to) => cutAfter(to, 'GET /events HTTP/1.1\r\nHost: good.localhost\r\n\r\n', 1_000 + Math.random() * 4_000),
  },
  'web socket': { pauseMs: 300, visit: webSocket },
  'gone while the agent thinks': {
    pauseMs: 200,
    visit: (to) => cutAfter(to, 'GET /slow HTTP/1.1\r\nHost: good.localhost\r\n\r\n', Math.random() * 500),
  },
  'half a head': { pauseMs: 200, visit: (to) => cutAfter(to, 'GET / HTTP/1.1\r\nHost: good.loc', Math.random() * 3_000) },
  'damaged head': { pauseMs: 10, visit: (to) => damaged(to) },
  'requests sent ahead': { pauseMs: 200, visit: (to) => cutAfter(to, 'GET /p HTTP/1.1\r\nHost: good.localhost\r\n\r\n'.repeat(50), 300) },
  'answers unread': { pauseMs: 500, visit: deaf },
  'bad agent': { pauseMs: 50, visit: (to) => cutAfter(to, 'GET / HTTP/1.1\r\nHost: bad.localhost\r\n\r\n', 500) },
};

const keptAgent = new Agent({ keepAlive: true, maxSockets: 4 });

export async function goOn(kind: string, to: Visiting): Promise<void> {
  const { pauseMs, visit } = kinds[kind]!;
  while (!to.signal.aborted) {
    await visit(to).then(
      () => to.well.set(kind, (to.well.get(kind) ?? 0) + 1),
      (error: Error) => to.signal.aborted || to.wrong.push(`${kind}: ${error.message}`),
    );
    await sleep(pauseMs, undefined, { signal: to.signal }).catch(() => 'the time is over');
  }
}

interface Asking {
  host?: string;
  agent?: Agent | undefined;
  body?: Buffer;
  chunked?: boolean;
}

function ask(to: Visiting, path: string, { host = 'good.localhost', agent, body, chunked = false }: Asking = {}) {
  return new Promise<{ expect: (holds: (got: { status: number; body: Buffer }) => boolean) => void }>((resolve, reject) => {
    const length = body && !chunked ? { 'content-length': body.length } : {};
    const req = request(
      { host: '127.0.0.1', port: to.port, path, method: body ? 'POST' : 'GET', headers: { host, ...length }, agent: agent ?? false },
      (res) => {
        const pieces: Buffer[] = [];
        res.on('data', (piece: Buffer) => pieces.push(piece));
        res.on('error', reject);
        res.on('end', () => {
          const got = { status: res.statusCode!, body: Buffer.concat(pieces) };
          resolve({
            expect(holds) {
              if (got.status !== 200 || !holds(got)) throw new Error(`${path}: ${got.status}, ${got.body.length} bytes`);
            },
          });
        });
      },
    );
    req.on('error', reject);
    req.end(body);
  });
}

async function expectJson(to: Visiting, agent: Agent | undefined): Promise<void> {
  const path = `/${randomBytes(6).toString('hex')}`;
  (await ask(to, path, { agent })).expect(({ body }) => String(body) === JSON.stringify({ path }));
}

async function download(to: Visiting): Promise<void> {
  (await ask(to, '/large')).expect(({ body }) => body.length === 1_000_000);
}

async function upload(to: Visiting): Promise<void> {
  const body = randomBytes(Math.floor(Math.random() * 300_000));
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  (await ask(to, '/echo', { body, chunked: Math.random() < 0.5 })).expect((got) => digest(got.body) === digest(body));
}

/** Sends the text, reads the response, and drops the connection after the delay. */
function cutAfter(to: Visiting, text: string, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(to.port, '127.0.0.1', () => socket.write(text, 'latin1'));
    socket.resume();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve());
    setTimeout(() => socket.destroy(), ms);
  });
}

function deaf(to: Visiting): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(to.port, '127.0.0.1', () => socket.write('GET /large HTTP/1.1\r\nHost: good.localhost\r\n\r\n'.repeat(5)));
    socket.pause();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve());
    setTimeout(() => socket.destroy(), 2_000);
  });
}

const bases = [
  'GET /a?b=c HTTP/1.1\r\nHost: good.localhost\r\nAccept: */*\r\n\r\n',
  'POST /echo HTTP/1.1\r\nHost: good.localhost\r\nContent-Length: 3\r\n\r\nabc',
  'POST /echo HTTP/1.1\r\nHost: good.localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
];

const damaged = (to: Visiting) => cutAfter(to, fc.sample(mutated(bases), 1)[0]!, 50);

function webSocket(to: Visiting): Promise<void> {
  return new Promise((resolve, reject) => {
    const client = new WebSocket(`ws://127.0.0.1:${to.port}/`, { headers: { host: 'good.localhost' } });
    const message = randomBytes(1 + Math.floor(Math.random() * 20_000));
    let left = 20;
    client.on('open', () => client.send(message));
    client.on('message', (data: Buffer) => {
      left -= 1;
      if (!data.equals(message)) reject(new Error('another message came back'));
      else if (left > 0) setTimeout(() => client.readyState === client.OPEN && client.send(message), 20);
      else if (Math.random() < 0.5) client.close();
      else client.terminate();
    });
    client.on('close', () => (left > 0 ? reject(new Error(`closed with ${left} messages to come`)) : resolve()));
    client.on('error', (error) => left > 0 && reject(error));
  });
}
