// An agent with ordinary and extraordinary answers, and WebSockets; all of it well formed.
import { createHash } from 'node:crypto';
import http from 'node:http';

const long = Buffer.alloc(2_000_000, 'x');
const event = Buffer.from('data: tick\n\n');
const frames = Buffer.concat(Array.from({ length: 1000 }, () => Buffer.from([0x81, 1, 0x78])));

const server = http.createServer((request, response) => {
  request.on('error', () => response.destroy());
  response.on('error', () => response.destroy());
  if (request.url === '/deaf') return;
  request.resume();
  if (request.url === '/long') return response.end(long);
  if (request.url === '/late') return setTimeout(() => response.end('late'), 1000);
  if (request.url === '/events') return endless(response.writeHead(200, { 'content-type': 'text/event-stream' }), event);
  request.on('end', () => response.end('ok'));
});

server.on('upgrade', (request, socket) => {
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.on('error', () => socket.destroy());
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  if (request.url === '/frames') endless(socket, frames);
  socket.resume();
});

/** As much as is taken. */
function endless(stream, piece) {
  const pump = () => {
    for (let n = 0; n < 1000 && !stream.destroyed; n++) if (!stream.write(piece)) return;
    setImmediate(pump);
  };
  stream.on('drain', pump);
  pump();
}

server.listen(Number(process.env.PORT), '0.0.0.0');
