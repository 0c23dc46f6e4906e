// Streams of events and echoes of WebSockets, for as many ports as it is told.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const [everyMs, ...ports] = process.argv.slice(2).map(Number);
const streams = new Set();
const event = `data: ${JSON.stringify({ token: 'x'.repeat(60) })}\n\n`;

// Each stream gets an event once per interval, and the streams take turns: nobody wants a thousand events at once and then silence.
const shares = everyMs / 5;
let turn = 0;
setInterval(() => {
  let n = 0;
  for (const stream of streams) if (n++ % shares === turn) stream.write(event);
  turn = (turn + 1) % shares;
}, 5);

for (const port of ports) createServer(stream).on('upgrade', echo).listen(port, '127.0.0.1', 1024);

function stream(request, response) {
  if (request.url !== '/events') return response.end('ready');
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  streams.add(response);
  response.on('close', () => streams.delete(response));
}

function echo(request, socket) {
  const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  let rest = Buffer.alloc(0);
  socket.on('data', (piece) => {
    rest = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    while (rest.length >= 2) {
      const end = 6 + (rest[1] & 0x7f); // the load sends no frame of 126 bytes or more
      if (rest.length < end) return;
      socket.write(unmasked(rest.subarray(0, end)));
      rest = rest.subarray(end);
    }
  });
}

function unmasked(frame) {
  const [mask, text] = [frame.subarray(2, 6), frame.subarray(6)];
  return Buffer.from([frame[0], text.length, ...text.map((byte, n) => byte ^ mask[n & 3])]);
}
