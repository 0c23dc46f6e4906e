import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openedAddress } from './place.ts';

export interface Message {
  headers: IncomingHttpHeaders & Record<string, string>;
  body: string;
}

/** A program that receives a channel's messages, at the only address of this machine that the platform may send to. */
export async function openReceiver(answer: string) {
  const received: Message[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers as Message['headers'], body: Buffer.concat(chunks).toString() });
      response.end(answer);
    });
  });
  server.listen(0, openedAddress);
  await once(server, 'listening');
  return {
    received,
    url: `http://${openedAddress}:${(server.address() as AddressInfo).port}/hook`,
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
