import type { Socket } from 'node:net';

/**
 * Limits the connections of each sandbox, so that none takes the slots of others. Without root all sandboxes connect from the machine's own
 * loopback, and cannot be distinguished.
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
