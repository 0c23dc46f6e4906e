import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import net, { type Socket } from 'node:net';

/** Sockets that were destroyed and have not said so yet: a real one says so in a later turn. */
const closing = new Set<StandIn>();

/** A socket without a network, so that a million conversations take minutes: what is written to it is kept. */
export class StandIn extends EventEmitter {
  /** Everything that was written, as latin1. */
  written = '';
  writes: string[] = [];
  /** Each write fills it until `drain`. */
  isSlow = false;
  writable = true;
  destroyed = false;
  writableNeedDrain = false;
  isPaused = false;

  get writableLength(): number {
    return this.writableNeedDrain ? 1 : 0;
  }

  /** As the product sees it: only what is used of a socket is there. */
  get asSocket(): Socket {
    return this as unknown as Socket;
  }

  write(bytes: Buffer | string, encoding: BufferEncoding = 'utf8'): boolean {
    if (!this.writable) return false;
    const text = (typeof bytes === 'string' ? Buffer.from(bytes, encoding) : bytes).toString('latin1');
    this.written += text;
    this.writes.push(text);
    this.writableNeedDrain = this.isSlow;
    return !this.isSlow;
  }

  end(): void {
    if (!this.writable) return;
    this.writable = false;
    this.emit('finish');
  }

  drain(): void {
    if (!this.writableNeedDrain || this.destroyed) return;
    this.writableNeedDrain = false;
    this.emit('drain');
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.writable = false;
    closing.add(this);
  }

  resetAndDestroy(): void {
    this.destroy();
  }

  destroySoon(): void {
    this.destroy();
  }
}

/** Sockets that were destroyed say that they are closed. */
export function tellClosed(): void {
  for (const socket of closing) {
    closing.delete(socket);
    socket.emit('close');
  }
}

/** The agent's end of a connection that the gateway opens. */
export class AgentEnd extends StandIn {
  readonly #buffer: Buffer;
  readonly #callback: (count: number) => boolean;
  isAccepted = false;

  constructor({ buffer, callback }: { buffer: Buffer; callback: (count: number) => boolean }) {
    super();
    this.#buffer = buffer;
    this.#callback = callback;
  }

  accept(): void {
    this.isAccepted = true;
    this.emit('connect');
  }

  /** The agent says something, which must fit into one read. What is kept of the gateway's buffer afterwards is worth nothing. */
  say(bytes: Buffer): void {
    if (this.destroyed) return;
    bytes.copy(this.#buffer);
    if (!this.#callback(bytes.length)) this.isPaused = true;
    this.#buffer.fill(0x58, 0, bytes.length);
  }

  hangUp(): void {
    if (!this.destroyed) this.emit('end');
  }
}

/** From here on each connection of this process that is opened by `connect` of node:net ends at an agent's end that `onOpen` gets. */
export function connectToStandIns(onOpen: (agent: AgentEnd) => void): void {
  const open = ({ onread }: { onread: { buffer: Buffer; callback: (count: number) => boolean } }) => {
    const agent = new AgentEnd(onread);
    onOpen(agent);
    return agent.asSocket;
  };
  // Not a mock of the test runner: that one keeps each call.
  Object.assign(net, { connect: open });
  syncBuiltinESMExports();
}
