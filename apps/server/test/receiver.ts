import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from './platform.ts';

export interface Message {
  headers: IncomingHttpHeaders & Record<string, string>;
  body: string;
  path: string;
}

type Answering = (message: Message, answer: ServerResponse) => unknown;

/** A real HTTP server on loopback that receives messages of channels. `answer` may be replaced at any time; by default it succeeds. */
export async function receiver(t: Scope, first: Answering = (_, answer) => answer.end('thanks')) {
  const received: Message[] = [];
  const at = { answer: first };
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = { headers: request.headers as Message['headers'], body: Buffer.concat(chunks).toString(), path: request.url ?? '' };
      received.push(message);
      void at.answer(message, answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  t.after(close);
  const { port } = server.address() as AddressInfo;
  return { received, at, port, url: `http://127.0.0.1:${port}/hook`, close };
}
