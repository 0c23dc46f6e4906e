import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A DNS server at 127.0.0.1 that knows a few names, each with one address. */
export async function startNameServer(known: Record<string, string>): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => socket.send(answer(question, known), from.port, from.address));
  socket.bind(53, '127.0.0.1').unref();
  await once(socket, 'listening');
}

function answer(question: Buffer, known: Record<string, string>): Buffer {
  const end = question.indexOf(0, 12);
  const labels: string[] = [];
  for (let at = 12; at < end; at += question[at]! + 1) labels.push(question.subarray(at + 1, at + 1 + question[at]!).toString());
  const address = known[labels.join('.').toLowerCase()];
  const isFound = address !== undefined && question.readUInt16BE(end + 1) === 1;
  const header = Buffer.from([question[0]!, question[1]!, 0x81, address === undefined ? 0x83 : 0x80, 0, 1, 0, isFound ? 1 : 0, 0, 0, 0, 0]);
  const record = isFound ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 30, 0, 4, ...address.split('.').map(Number)] : [];
  return Buffer.concat([header, question.subarray(12, end + 5), Buffer.from(record)]);
}
