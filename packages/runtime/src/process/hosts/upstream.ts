import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type DnsAnswer, type DnsQuestion, readAnswer, writeQuestion } from './dns-message.ts';
import { framed, frames } from './frames.ts';

export interface NameServer {
  address: string;
  port: number;
}
export type DnsQuery = Pick<DnsQuestion, 'name' | 'type'>;

const attemptMs = 2_000;
const attempts = 2;
/** Answers over TCP may be longer. */
const maxAnswer = 65_535;

/** Queries the name servers of this machine one after the other, twice each; undefined if none answers. */
export async function queryUpstream(
  servers: readonly NameServer[],
  asked: DnsQuery,
  transport: 'udp' | 'tcp',
): Promise<DnsAnswer | undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    for (const server of servers) {
      const said = await ask(server, asked, transport).catch(() => undefined);
      if (said && said.code !== 'SERVFAIL' && said.code !== 'REFUSED') return said;
    }
  }
  return undefined;
}

const ask = (server: NameServer, asked: DnsQuery, transport: 'udp' | 'tcp') => {
  const id = randomInt(65_536); // strangers have to guess both the id and the random port of the socket
  const question = writeQuestion(asked, id);
  const read = (bytes: Buffer) => readAnswer(bytes, { ...asked, id });
  return transport === 'udp' ? askByDatagram(server, question, read) : askByStream(server, question, read);
};

type Read = (bytes: Buffer) => DnsAnswer | undefined;

async function askByDatagram({ address, port }: NameServer, question: Buffer, read: Read): Promise<DnsAnswer | undefined> {
  const socket = createSocket('udp4');
  try {
    const { promise, resolve, reject } = Promise.withResolvers<DnsAnswer | undefined>();
    socket.on('error', reject);
    // On a connected socket the kernel only lets through packets from that server. Packets that do not answer the question are ignored.
    socket.on('message', (bytes) => {
      const said = read(bytes);
      if (said) resolve(said);
    });
    socket.connect(port, address, () => socket.send(question));
    const timer = setTimeout(() => resolve(undefined), attemptMs);
    return await promise.finally(() => clearTimeout(timer));
  } finally {
    socket.close();
  }
}

async function askByStream({ address, port }: NameServer, question: Buffer, read: Read): Promise<DnsAnswer | undefined> {
  const signal = AbortSignal.timeout(attemptMs);
  const socket = connect({ host: address, port, signal });
  try {
    await once(socket, 'connect', { signal });
    socket.write(framed(question));
    for await (const bytes of frames(socket, maxAnswer)) return read(bytes);
    return undefined;
  } finally {
    socket.destroy();
  }
}
