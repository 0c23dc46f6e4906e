import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import packet, { type Answer } from 'dns-packet';

/** The name server's answer for a name: addresses, another name (`CNAME`), or its records. */
export type Names = Record<string, string[] | string>;

export interface TestNameServer {
  address: string;
  port: number;
  /** The names that were requested. */
  asked: string[];
  names: Names;
}

/** A name server on the loopback. Answers for `tcp` names are truncated over UDP. */
export async function testNameServer(names: Names, { tcp = [] as string[], ttl = 30 } = {}): Promise<TestNameServer> {
  const known: TestNameServer = { address: '127.0.0.1', port: 0, asked: [], names };
  const answer = (bytes: Buffer, isStream: boolean): Buffer => {
    const { id, questions = [] } = packet.decode(bytes);
    const { name = '', type } = questions[0] ?? {};
    known.asked.push(name);
    const isCut = !isStream && tcp.includes(name);
    const found = recordsOf(known.names, name, ttl);
    const flags = packet.RECURSION_AVAILABLE | (found ? 0 : 3) | (isCut ? packet.TRUNCATED_RESPONSE : 0);
    return packet.encode({ type: 'response', id: id ?? 0, flags, questions, answers: type === 'A' && !isCut ? (found ?? []) : [] });
  };
  const stream = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        const said = answer(bytes.subarray(2), true);
        const length = Buffer.alloc(2);
        length.writeUInt16BE(said.length);
        socket.write(Buffer.concat([length, said]));
      });
  }).listen(0, '127.0.0.1');
  await once(stream, 'listening');
  known.port = (stream.address() as AddressInfo).port;
  const socket = createSocket('udp4').on('message', (bytes, from) => socket.send(answer(bytes, false), from.port, from.address));
  socket.bind(known.port, '127.0.0.1');
  await once(socket, 'listening');
  stream.unref();
  socket.unref();
  return known;
}

function recordsOf(names: Names, name: string, ttl: number): Answer[] | undefined {
  const found = names[name];
  if (found === undefined) return undefined;
  if (typeof found === 'string') return [{ type: 'CNAME', name, ttl, data: found }, ...(recordsOf(names, found, ttl) ?? [])];
  return found.map((data) => ({ type: 'A', name, ttl, data }));
}
