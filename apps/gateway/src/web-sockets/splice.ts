import type { Socket } from 'node:net';
import { send } from '../relay/send.ts';
import { closeFrame, FrameFollower } from './frames.ts';

/** Two sockets after a switch to WebSocket: bytes pass both ways as they came. Who owns a socket reads it no faster than the other takes. */
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
    // A write behind the end would break what is still on its way.
    if (this.#visitor.writable) send(this.#visitor, '', { bytes, from, to });
  }

  /** Ends both sides, each with a close frame if none of the other's is under way. */
  close(code: number): void {
    if (this.#said.byAgent.isBetweenFrames && this.#visitor.writable) this.#visitor.write(closeFrame(code, false));
    if (this.#said.byVisitor.isBetweenFrames && this.#agent.writable) this.#agent.write(closeFrame(code, true));
    this.#visitor.destroySoon();
    this.#agent.destroySoon();
  }
}
