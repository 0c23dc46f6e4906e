import type { Socket } from 'node:net';
import type { AnswerHead } from '../heads/answer-head.ts';
import { visitorHead } from '../heads/visitor-head.ts';
import type { BodyEnd } from '../upstream/upstream.ts';
import { send, sendChunk } from './send.ts';

/** Writes an agent's response to the visitor; reused for one after the other. */
export class ResponseWriter {
  readonly #socket: Socket;
  /** The head waits for the first bytes of the body, so that both leave in one write. */
  #head = '';
  #makesChunks = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /**
   * Sets the head. `minor` and `keepsAlive` are the visitor's. Returns the framing in which the body is expected, and whether the connection stays
   * open after the response: HTTP/1.0 has no chunks, so a body without a length ends with the connection.
   */
  begin(
    head: AnswerHead,
    end: BodyEnd,
    visitor: { minor: number; keepsAlive: boolean; requestId: string; traceId: string },
  ): { form: 'framed' | 'plain'; keepsAlive: boolean } {
    const hasLength = end === 'none' || end === 'length';
    const isModern = visitor.minor === 1;
    const keepsAlive = visitor.keepsAlive && (hasLength || isModern);
    this.#makesChunks = end === 'close' && isModern;
    this.#head = visitorHead(head, {
      isChunked: !hasLength && isModern,
      requestId: visitor.requestId,
      traceId: visitor.traceId,
      connection: connectionLine(keepsAlive, isModern),
    });
    return { form: end === 'chunks' && !isModern ? 'plain' : 'framed', keepsAlive };
  }

  /** Nothing of the response was sent yet. */
  get isUnsent(): boolean {
    return this.#head !== '';
  }

  forget(): void {
    this.#head = '';
  }

  bytes(bytes: Buffer, from: number, to: number): void {
    const head = this.#head;
    this.#head = '';
    if (this.#makesChunks) sendChunk(this.#socket, head, { bytes, from, to });
    else send(this.#socket, head, { bytes, from, to });
  }

  end(): void {
    if (this.#makesChunks) this.#socket.write('0\r\n\r\n', 'latin1');
  }
}

function connectionLine(keepsAlive: boolean, isModern: boolean): 'close' | 'keep-alive' | undefined {
  if (!keepsAlive) return 'close';
  return isModern ? undefined : 'keep-alive';
}
