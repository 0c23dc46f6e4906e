import { connect, type Socket } from 'node:net';
import { type Encryption, secured } from './secure.ts';

/** Longer than any statement may take. After this silence the other side is considered gone, as after a lost network. */
const silenceMs = 40_000;
const lookMs = 1_000;
const keepAliveMs = 15_000;
/** ReadyForQuery, which ends each response: `Z`, its length, and a state. */
const ready = Buffer.from([0x5a, 0, 0, 0, 5]);
/** Length including the state. */
const readyBytes = 6;

/** CancelRequest: its length and its code. The server responds by closing the connection. */
const cancelRequest = Buffer.from([0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e]);

let turn = 0;

type Address = { host: string[]; port: number[]; path: string | false };
interface Watch {
  onBroken: () => void;
  mayBeSilent: boolean;
  encryption: Encryption | undefined;
}

/**
 * Creates a connection's socket for the driver. A socket that stays silent while a response is due is destroyed. Every close by the other
 * side is an error: otherwise the driver would reconnect forever to a server that accepts and closes connections. `onBroken` is called for
 * connections that had worked.
 */
export function databaseSocket({ host, port, path }: Address, { encryption, ...watch }: Watch): Socket | Promise<Socket> {
  const at = turn++ % Math.max(1, port.length); // the servers of a list are tried in turn
  // Without Nagle's delay: after a copy each of the driver's small packets would wait 40 ms for an acknowledgement of the previous one.
  const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs };
  const name = host[at] ?? 'localhost';
  const socket = path ? connect({ path }) : connect({ host: name, port: port[at] ?? 5432, ...options });
  if (!encryption || path) return watched(socket, watch);
  return secured(socket, name, encryption).then((secure) => watched(secure, watch));
}

function watched(socket: Socket, { onBroken, mayBeSilent }: Omit<Watch, 'encryption'>): Socket {
  let worked = false;
  socket.on('data', (chunk: Buffer) => (worked ||= chunk.includes(ready)));
  const isCancel = recognizeCancel(socket);
  socket.on('end', () => {
    if (isCancel()) socket.destroy();
    else socket.destroy(Object.assign(new Error('the database ended the connection'), { code: 'ECONNRESET' }));
  });
  socket.on('error', () => worked && onBroken());
  if (mayBeSilent) return socket;

  let answered = 0;
  let since = performance.now();
  let tail = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    since = performance.now();
    tail = Buffer.concat([tail, chunk.subarray(-readyBytes)]).subarray(-readyBytes);
    // The end of a response covers the bytes sent before it: a statement may have been sent a moment later.
    if (tail.subarray(0, ready.length).equals(ready)) answered = socket.bytesWritten;
  });
  const look = setInterval(() => {
    if (socket.bytesWritten <= answered) since = performance.now();
    else if (performance.now() - since > silenceMs)
      socket.destroy(Object.assign(new Error(`the database was silent for ${silenceMs / 1000} s`), { code: 'ETIMEDOUT' }));
  }, lookMs).unref();
  socket.on('close', () => clearInterval(look));
  return socket;
}

/** Whether the first bytes written to the socket ask the server to cancel a query. */
function recognizeCancel(socket: Socket): () => boolean {
  let isCancel = false;
  const write = socket.write;
  socket.write = (chunk: Uint8Array | string, ...rest: never[]) => {
    isCancel = Buffer.isBuffer(chunk) && chunk.subarray(0, cancelRequest.length).equals(cancelRequest);
    socket.write = write;
    return socket.write(chunk, ...rest);
  };
  return () => isCancel;
}
