import { BROKEN } from '../bodies/chunks.ts';
import { RequestBody } from '../bodies/request-body.ts';
import { Stash } from '../bodies/stash.ts';
import { Tail, type TailEvents } from '../taps/tail.ts';
import type { TailHold } from '../taps/tap.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { send, sendChunk } from './send.ts';

const nothing = Buffer.alloc(0);

/** How a request is sent to the agent. */
export interface WriteOptions {
  /** The head that the agent receives, ending with the empty line. */
  text: string;
  /** The body is taken out of its framing and sent in chunks made here. */
  makesChunks: boolean;
  /** Bytes of the body that are available already. */
  prepared?: Buffer;
  tail?: TailHold;
}

/** Writes a request to the agent; reused for one after the other. */
export class RequestWriter {
  readonly body = new RequestBody();
  #way: WriteOptions = { text: '', makesChunks: false };
  #upstream: Upstream | undefined;
  #isHeadSent = false;
  #tail: Tail | undefined;
  #isTailOver = true;

  /** The options that `begin` uses, for another attempt. */
  set way(way: WriteOptions) {
    this.#way = way;
  }

  begin(upstream: Upstream, tailEvents: Omit<TailEvents, 'pass' | 'end'>): void {
    this.#upstream = upstream;
    this.#isHeadSent = false;
    const { tail } = this.#way;
    this.#isTailOver = tail === undefined;
    if (tail === undefined) return;
    this.#tail = new Tail(tail, new Stash(), {
      ...tailEvents,
      pass: (bytes) => sendChunk(upstream.socket, '', { bytes, from: 0, to: bytes.length }),
      end: () => {
        this.#isTailOver = true;
        upstream.socket.write('0\r\n\r\n', 'latin1');
      },
    });
  }

  get hasBegun(): boolean {
    return this.#isHeadSent;
  }

  /** The agent has been sent everything. */
  get isSent(): boolean {
    return this.#isHeadSent && this.body.isWhole && this.#isTailOver;
  }

  get isFull(): boolean {
    return (this.#upstream?.socket.writableNeedDrain ?? false) || (this.#tail?.isFull ?? false);
  }

  /** Sends the head unless it was sent, and the bytes of [from, to) that belong to the body. Returns their number, or BROKEN. */
  take(bytes: Buffer, from: number, to: number): number {
    const used = this.body.isWhole || from === to ? 0 : this.body.take(bytes, from, to);
    if (used === BROKEN) return BROKEN;
    this.#pass(bytes, from, used === 0 ? from : from + this.body.kept);
    return used;
  }

  #pass(bytes: Buffer, from: number, to: number): void {
    const { socket } = this.#upstream!;
    const { text, makesChunks, prepared = nothing } = this.#way;
    const put = makesChunks ? sendChunk : send;
    const isFirst = !this.#isHeadSent;
    this.#isHeadSent = true;
    if (this.#tail === undefined && prepared.length === 0) put(socket, isFirst ? text : '', { bytes, from, to });
    else {
      if (isFirst) put(socket, text, { bytes: prepared, from: 0, to: prepared.length });
      if (this.#tail !== undefined) this.#tail.push(bytes, from, to);
      else put(socket, '', { bytes, from, to });
    }
    if (!this.body.isWhole) return;
    if (this.#tail !== undefined) this.#tail.finish();
    else if (makesChunks) socket.write('0\r\n\r\n', 'latin1');
  }

  stop(): void {
    this.#tail?.stop();
    this.#tail = undefined;
    this.#upstream = undefined;
  }

  forget(): void {
    this.stop();
    this.#way = { text: '', makesChunks: false };
  }
}
