import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net';
import { WebSocketServer } from 'ws';

/** An agent that answers correctly, in the way that the path names. */
export async function startHonestAgent() {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  new WebSocketServer({ server }).on('connection', (socket) => {
    socket.on('message', (data, binary) => socket.send(data as Buffer, { binary }));
    socket.on('error', () => socket.terminate());
  });
  return { port: (server.address() as AddressInfo).port, close: () => server.closeAllConnections() };
}

function answer(req: IncomingMessage, res: ServerResponse): void {
  req.on('error', () => res.destroy());
  res.on('error', () => undefined);
  if (req.url === '/echo') req.pipe(res);
  else if (req.url === '/slow') setTimeout(() => res.end('slow'), 2_000);
  else if (req.url === '/events') stream(res);
  else if (req.url === '/large') res.end(Buffer.alloc(1_000_000, 'x'));
  else res.setHeader('content-type', 'application/json').end(JSON.stringify({ path: req.url }));
}

function stream(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  const timer = setInterval(() => res.write('data: tick\n\n'), 200);
  res.on('close', () => clearInterval(timer));
}

const badAnswers = [
  'hello\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\nxyz',
  `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(70_000)}`,
  `HTTP/1.1 200 OK\r\n${'Set-Cookie: a=b; Domain=localhost\r\n'.repeat(200)}Content-Length: 2\r\n\r\nokrest`,
  'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20),
  '',
];

/** An agent that answers badly, each connection in a different way. */
export async function startBadAgent() {
  let turn = 0;
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    const text = badAnswers[turn++ % badAnswers.length]!;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      if (turn % 2 === 0) socket.end(text, 'latin1');
      else socket.write(text, 'latin1');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
