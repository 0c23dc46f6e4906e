import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import net, { type Socket } from 'node:net';

/** Destroyed sockets that have not emitted `close` yet: a real one does so in a later turn. */
const closing = new Set<StandIn>();

/** A socket without a network that records its writes, so that a million conversations take minutes. */
export class StandIn extends EventEmitter {
  /** Everything that was written, as latin1. */
  written = '';
  writes: string[] = [];
  /** Each write fills the buffer until `drain`. */
  isSlow = false;
  writable = true;
  destroyed = false;
  writableNeedDrain = false;
  isPaused = false;

  get writableLength(): number {
    return this.writableNeedDrain ? 1 : 0;
  }

  /** The socket's type for the product; only the members that the product uses exist. */
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

/** Emits `close` on the destroyed sockets. */
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

  /** Sends bytes from the agent, which must fit into one read. A reference to the gateway's buffer is invalid afterwards. */
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

/** Replaces `connect` of node:net in this process: each connection ends at a fake agent that `onOpen` gets. */
export function connectToStandIns(onOpen: (agent: AgentEnd) => void): void {
  const open = ({ onread }: { onread: { buffer: Buffer; callback: (count: number) => boolean } }) => {
    const agent = new AgentEnd(onread);
    onOpen(agent);
    return agent.asSocket;
  };
  // The mock of the test runner is not used: it keeps each call.
  Object.assign(net, { connect: open });
  syncBuiltinESMExports();
}
