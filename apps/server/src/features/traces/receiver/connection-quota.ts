import type { Socket } from 'node:net';

/**
 * Lets each sandbox have so many connections, so that one takes nobody's place. Without root all sandboxes come from the machine's own loopback, and
 * cannot be told apart.
 */
export function connectionQuota(most: number) {
  const open = new Map<string, number>();
  return (socket: Socket): void => {
    const from = socket.remoteAddress ?? '';
    if (from === '' || from.startsWith('127.')) return;
    const count = (open.get(from) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      return;
    }
    open.set(from, count);
    socket.once('close', () => {
      const left = (open.get(from) ?? 1) - 1;
      if (left > 0) open.set(from, left);
      else open.delete(from);
    });
  };
}
