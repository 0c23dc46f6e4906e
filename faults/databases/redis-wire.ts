import { connect } from 'node:net';

export type Reply = string | number | null | Reply[];

const waitMs = 5_000;

/** A connection to a Redis without a library. Agents of faults and attacks include this file. Replies come in order. */
export async function openRedis(url: string) {
  const { hostname, port, username, password } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
  let buffer = Buffer.alloc(0);
  let broken: Error | undefined;
  const waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void }[] = [];
  const end = (error: Error) => {
    broken ??= error;
    socket.destroy();
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  socket.setTimeout(waitMs, () => waiting.length > 0 && end(new Error('Redis did not answer in time')));
  socket.on('error', end);
  socket.on('close', () => end(new Error('the connection to Redis was closed')));
  socket.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (let read = readReply(buffer, 0); read; read = readReply(buffer, 0)) {
      buffer = buffer.subarray(read.end);
      const { resolve, reject } = waiting.shift()!;
      if (read.reply instanceof Error) reject(read.reply);
      else resolve(read.reply);
    }
  });
  const call = (...words: (string | number)[]) => {
    if (broken) return Promise.reject(broken);
    return new Promise<Reply>((resolve, reject) => {
      waiting.push({ resolve, reject });
      socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(String(word))}\r\n${word}\r\n`).join('')}`);
    });
  };
  if (password) await call('AUTH', decodeURIComponent(username), decodeURIComponent(password));
  return { call, close: () => void socket.destroy() };
}

/** The reply that begins at `at`, or undefined while it is not complete. */
function readReply(buffer: Buffer, at: number): { reply: Reply | Error; end: number } | undefined {
  const eol = buffer.indexOf('\r\n', at);
  if (eol < 0) return undefined;
  const [kind, text, next] = [buffer.toString('latin1', at, at + 1), buffer.toString('utf8', at + 1, eol), eol + 2];
  if (kind === '+') return { reply: text, end: next };
  if (kind === '-') return { reply: new Error(text), end: next };
  if (kind === ':') return { reply: Number(text), end: next };
  const count = Number(text);
  if (count < 0) return { reply: null, end: next };
  if (kind === '$') {
    if (buffer.length < next + count + 2) return undefined;
    return { reply: buffer.toString('utf8', next, next + count), end: next + count + 2 };
  }
  const replies: Reply[] = [];
  let end = next;
  for (let n = 0; n < count; n++) {
    const read = readReply(buffer, end);
    if (!read) return undefined;
    replies.push(read.reply instanceof Error ? read.reply.message : read.reply);
    end = read.end;
  }
  return { reply: replies, end };
}
