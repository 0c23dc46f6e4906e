// Requests at a constant rate, whatever becomes of those before ("open loop"). The time of a request counts from the moment at which it
// was due, not from the one at which it could be sent, so a server that stands still is charged for every request that had to wait.
// A thread of its own keeps the time: timers of an event loop are a millisecond late.
import { Worker } from 'node:worker_threads';
import { connectAs, eachAnswer, openAll, settings } from './visitors.mjs';

const { port, hosts, perSecond, connections } = settings;
const requests = hosts.map((host) => Buffer.from(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
const now = () => performance.timeOrigin + performance.now();
const free = [];
const waiting = [];
let run;

await openAll(connections, (n, ready) => {
  const connection = { socket: connectAs(n, port), due: undefined };
  connection.socket.write(requests[n % requests.length]);
  eachAnswer(connection.socket, () => {
    if (connection.due !== undefined) run.answered(now() - connection.due);
    else ready();
    connection.due = undefined;
    const next = waiting.shift();
    if (next) send(connection, next);
    else free.push(connection);
  });
});
process.send('open');

process.on('message', async ({ seconds }) => {
  const total = Math.round(seconds * perSecond);
  const times = [];
  const late = [];
  const { promise, resolve } = Promise.withResolvers();
  run = { answered: (ms) => times.push(ms) === total && resolve() };
  const begun = now() + 100;
  const begin = (n) => {
    const due = begun + (n * 1000) / perSecond;
    late.push(now() - due);
    const request = { due, bytes: requests[n % requests.length] };
    const connection = free.pop();
    if (connection) send(connection, request);
    else waiting.push(request);
  };
  await eachTick({ begun, perSecond, total }, begin);
  await promise;
  const sorted = times.toSorted((a, b) => a - b);
  const sortedLate = late.toSorted((a, b) => a - b);
  const slow = times.filter((ms) => ms > 100).length;
  process.send({
    p50: at(sorted, 0.5),
    p99: at(sorted, 0.99),
    max: sorted.at(-1),
    slow,
    count: total,
    late: at(sortedLate, 0.5),
    // For whoever looks at several windows together.
    ...(settings.tellsTimes ? { times } : {}),
  });
});

function send(connection, { due, bytes }) {
  connection.due = due;
  connection.socket.write(bytes);
}

function at(sorted, share) {
  return sorted[Math.floor(sorted.length * share)];
}

/** Calls back for each request as soon as it is due; the metronome wakes us. */
async function eachTick({ begun, perSecond, total }, begin) {
  const due = new Int32Array(new SharedArrayBuffer(4));
  const metronome = new Worker(new URL('metronome.mjs', import.meta.url), { workerData: { due, begun, perSecond, total } });
  for (let n = 0; n < total; ) {
    const until = Atomics.load(due, 0);
    while (n < until) begin(n++);
    if (n < total) await Atomics.waitAsync(due, 0, until).value;
  }
  await metronome.terminate();
}
