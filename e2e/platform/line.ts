import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { place } from './place.ts';

/** A connection between browser and platform that can be cut, and that can hold an upload. */
export async function openLine() {
  const { port: to } = place();
  const open = new Set<Socket>();
  const held = new Set<Socket>();
  let isCut = false;
  let holdFrom = Number.POSITIVE_INFINITY;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(to, '127.0.0.1');
    let sent = 0;
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => (open.delete(socket), held.delete(socket), other.destroy()));
    }
    near.on('data', (chunk) => {
      sent += chunk.length;
      if (sent > holdFrom) held.add(near.pause());
      if (!far.write(chunk)) near.pause();
    });
    far.on('drain', () => (held.has(near) ? undefined : near.resume()));
    far.pipe(near);
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const drop = () => open.forEach((socket) => socket.destroy());
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Breaks every connection, and each new one until `mend`. */
    cut() {
      isCut = true;
      drop();
    },
    mend: () => (isCut = false),
    /** Pauses a connection that has sent more than this many bytes until `release`. */
    hold: (bytes: number) => (holdFrom = bytes),
    release() {
      holdFrom = Number.POSITIVE_INFINITY;
      for (const socket of held) socket.resume();
      held.clear();
    },
    async close() {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}
export type Line = Awaited<ReturnType<typeof openLine>>;
