import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { fairPlaces } from '@paddock/network';
import { maxQuestion, readQuestion, writeAnswer } from './dns-message.ts';
import { framed, frames } from './frames.ts';
import type { createResolver, DnsClient } from './resolve.ts';

/** The socket on which the resolver receives questions from sandboxes. */
export interface DnsListener {
  port: number;
  close(): void;
}

interface DoorParts {
  resolve: ReturnType<typeof createResolver>;
  /** The sandbox with this address; undefined if the address gets no answer. */
  who: (address: string) => DnsClient | undefined;
  /** Any free port if undefined. */
  port?: number;
}

/** Bounds of one sandbox, which also count for its owner. `accepted` leaves room for connections that are refused and closed at once. */
const bounds = { connections: 256, accepted: 512, connectionsOfOne: 8, questionsOfOne: 100, silentMs: 10_000 };
const maxStream = 65_535;
const tries = 20;
/** The answer to an owner that sends too many questions. */
const refused = { code: 'REFUSED', answers: [] };

/** Listens on the loopback for datagrams and connections. Throws if the port is taken. */
export async function openDnsListener({ resolve, who, port }: DoorParts): Promise<DnsListener> {
  const places = fairPlaces(bounds.connections);
  const open = new Map<Socket, DnsClient>();
  const ofOne = (asking: DnsClient) => [...open.values()].filter((one) => one === asking).length;
  for (let attempt = 1; ; attempt++) {
    const server = createServer((socket) => void converse(socket));
    server.maxConnections = bounds.accepted;
    const socket = createSocket('udp4');
    try {
      await once(server.listen(port ?? 0, '127.0.0.1'), 'listening');
      const at = (server.address() as AddressInfo).port;
      await once(socket.bind(at, '127.0.0.1'), 'listening'); // another program may have bound the port for datagrams only
      server.unref().on('error', () => undefined);
      socket.unref().on('error', () => undefined);
      socket.on('message', (bytes, from) => void answerDatagram(bytes, from));
      return { port: at, close };
    } catch (error) {
      close();
      if (port !== undefined || attempt === tries) throw error;
    }

    function close() {
      server.close();
      for (const one of open.keys()) one.destroy();
      try {
        socket.close();
      } catch {
        // it was never bound
      }
    }

    async function answerDatagram(bytes: Buffer, from: { address: string; port: number }) {
      const asking = who(from.address);
      const admission = asking?.budget.admit() ?? 'drop';
      const question = admission === 'drop' ? undefined : readQuestion(bytes);
      if (!asking || !question) return;
      const said = admission === 'refuse' ? refused : await resolve(asking, question, 'udp');
      try {
        socket.send(writeAnswer(question, said, question.room), from.port, from.address, () => undefined);
      } catch {
        // the socket was closed in the meantime, or the name server's answer cannot be encoded
      }
    }
  }

  async function converse(socket: Socket) {
    socket.on('error', () => undefined).setTimeout(bounds.silentMs, () => socket.destroy());
    const asking = who(socket.remoteAddress ?? '');
    const leave = asking && ofOne(asking) < bounds.connectionsOfOne ? places.take(asking.owner) : undefined;
    if (asking && leave) {
      open.set(socket, asking);
      await answerAll(socket, asking).catch(() => undefined);
      open.delete(socket);
      leave();
    }
    socket.destroy();
  }

  async function answerAll(socket: Socket, asking: DnsClient) {
    let left = bounds.questionsOfOne;
    for await (const bytes of frames(socket, maxQuestion)) {
      const admission = asking.budget.admit();
      const question = admission === 'drop' ? undefined : readQuestion(bytes);
      if (!question || left-- === 0) return;
      const said = admission === 'refuse' ? refused : await resolve(asking, question, 'tcp');
      socket.write(framed(writeAnswer(question, said, maxStream)));
    }
  }
}
