import type { Socket } from 'node:net';

/**
 * Joins two sockets after a protocol switch: bytes pass both ways untouched, each side read only as fast as the other
 * takes. Half-closing one closes the other's half. `moved` is told of every piece; `done` comes once, when both are closed.
 */
export function splice(
  visitor: Socket,
  agent: Socket,
  first: { fromVisitor: Buffer; fromAgent: Buffer },
  events: { moved: (bytesIn: number, bytesOut: number) => void; done: () => void },
): void {
  let open = 2;
  for (const [socket, other] of [
    [visitor, agent],
    [agent, visitor],
  ] as const) {
    const isVisitor = socket === visitor;
    socket.on('data', (piece: Buffer) => {
      events.moved(isVisitor ? piece.length : 0, isVisitor ? 0 : piece.length);
      if (!other.write(piece)) socket.pause();
    });
    socket.on('drain', () => other.resume());
    socket.on('end', () => other.end());
    // The cause does not matter: whatever broke one side, the other hears of it by its own end.
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      other.destroySoon();
      open -= 1;
      if (open === 0) events.done();
    });
  }
  if (first.fromVisitor.length > 0) visitor.unshift(first.fromVisitor);
  if (first.fromAgent.length > 0) agent.unshift(first.fromAgent);
  visitor.resume();
  agent.resume();
}
