import type { Socket } from 'node:net';
import { closeFrame, frameFollower } from './web-socket-frames.ts';

export interface Splice {
  /** Ends both sides, each with a close frame if none of the other's is under way. */
  close: (code: number) => void;
}

/**
 * Joins two sockets after a protocol switch: bytes pass both ways untouched, each side read only as fast as the other
 * takes. Half-closing one closes the other's half. `moved` is told of every piece; `done` comes once, when both are closed.
 */
export function splice(
  visitor: Socket,
  agent: Socket,
  first: { fromVisitor: Buffer; fromAgent: Buffer },
  farewellMs: number,
  events: { moved: (bytesIn: number, bytesOut: number) => void; done: () => void },
): Splice {
  let open = 2;
  let farewell: NodeJS.Timeout | undefined;
  const frames = { visitor: frameFollower(), agent: frameFollower() };
  for (const [socket, other] of [
    [visitor, agent],
    [agent, visitor],
  ] as const) {
    const isVisitor = socket === visitor;
    socket.on('data', (piece: Buffer) => {
      (isVisitor ? frames.visitor : frames.agent).read(piece);
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
      if (open > 0) return;
      clearTimeout(farewell);
      events.done();
    });
  }
  if (first.fromVisitor.length > 0) visitor.unshift(first.fromVisitor);
  if (first.fromAgent.length > 0) agent.unshift(first.fromAgent);
  visitor.resume();
  agent.resume();

  return {
    close(code) {
      if (farewell) return;
      farewell = setTimeout(() => {
        visitor.destroy();
        agent.destroy();
      }, farewellMs);
      if (frames.agent.isBetweenFrames() && visitor.writable) visitor.write(closeFrame(code, false));
      if (frames.visitor.isBetweenFrames() && agent.writable) agent.write(closeFrame(code, true));
      visitor.destroySoon();
      agent.destroySoon();
    },
  };
}
