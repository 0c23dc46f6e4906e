// Visitors that each keep a stream of events open. Asked, they count the events of some time, and on how many of the streams one came.
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAs, fail, openAll, settings } from './visitors.mjs';

const { port, hosts, connections } = settings;
const mark = Buffer.from('data:');
const counts = new Uint32Array(connections);

await openAll(connections, (n, ready) => {
  const socket = connectAs(n, port);
  socket.write(`GET /events HTTP/1.1\r\nHost: ${hosts[n % hosts.length]}\r\nAccept: text/event-stream\r\n\r\n`);
  socket.once('data', (piece) =>
    piece.latin1Slice(0, 12) === 'HTTP/1.1 200' ? ready() : fail(`not served: ${piece.latin1Slice(0, 200)}`),
  );
  socket.on('data', (piece) => {
    // Events are small and far between: none comes in two pieces.
    for (let at = piece.indexOf(mark); at >= 0; at = piece.indexOf(mark, at + mark.length)) counts[n] += 1;
  });
  socket.on('error', (error) => fail(error.message));
  socket.on('close', () => fail('a stream was closed'));
});
process.send('open');

process.on('message', async ({ ms }) => {
  counts.fill(0);
  await sleep(ms);
  process.send({ count: counts.reduce((sum, count) => sum + count, 0), alive: counts.filter(Boolean).length });
});
