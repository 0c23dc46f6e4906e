import type { Socket } from 'node:net';
import { send } from '../relay/send.ts';
import { closeFrame, FrameFollower } from './frames.ts';

/** Two sockets after a switch to WebSocket: bytes pass both ways unchanged. The owner of a socket reads it no faster than the other side accepts. */
export class Splice {
  readonly #visitor: Socket;
  readonly #agent: Socket;
  readonly #said = { byVisitor: new FrameFollower(), byAgent: new FrameFollower() };

  constructor(visitor: Socket, agent: Socket) {
    this.#visitor = visitor;
    this.#agent = agent;
  }

  fromVisitor(bytes: Buffer, from: number, to: number): void {
    this.#said.byVisitor.read(bytes, from, to);
    if (this.#agent.writable) send(this.#agent, '', { bytes, from, to });
  }

  fromAgent(bytes: Buffer, from: number, to: number): void {
    this.#said.byAgent.read(bytes, from, to);
    // A write after the end would break the output that is still pending.
    if (this.#visitor.writable) send(this.#visitor, '', { bytes, from, to });
  }

  /** Ends both sides, each with a close frame unless a frame of the other side is incomplete. */
  close(code: number): void {
    if (this.#said.byAgent.isBetweenFrames && this.#visitor.writable) this.#visitor.write(closeFrame(code, false));
    if (this.#said.byVisitor.isBetweenFrames && this.#agent.writable) this.#agent.write(closeFrame(code, true));
    this.#visitor.destroySoon();
    this.#agent.destroySoon();
  }
}
