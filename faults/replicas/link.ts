import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP link to a database that can be cut and restored. A cut link passes nothing and accepts no new connection. */
export async function breakableLink(url: string) {
  const target = new URL(url);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    }
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as { port: number }).port);
  return {
    url: through.href,
    cut() {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    mend: () => (isCut = false),
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
