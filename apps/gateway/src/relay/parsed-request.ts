import { toNetworkKey } from '@paddock/network';
import { withoutNamed } from '../heads/connection-names.ts';
import { headerValue } from '../heads/header-value.ts';
import { newRequestId, randomHex } from '../heads/random-hex.ts';
import { RequestHead, readRequestHead } from '../heads/request-head.ts';
import { forwardingLines, upstreamHead } from '../heads/upstream-head.ts';
import type { Limits } from '../limits.ts';
import type { ResponseCode } from '../pages/own-responses.ts';
import { webSocketKey } from '../web-sockets/handshake.ts';
import type { Client, clientReader } from './client-address.ts';
import { safeMethods } from './retry-policy.ts';

// A head is processed before the next one is read, so one object serves all connections.
export const requestHead = new RequestHead();

/** The current request of a connection. */
export class ParsedRequest {
  /** The unchanged head without the empty line at its end; empty if it was not valid. */
  text = '';
  method = '';
  /** In origin form. */
  target = '';
  host = '';
  /** Minor version of HTTP/1.x. */
  minor = 1;
  isChunked = false;
  /** Content-Length, or -1. */
  length = -1;
  /** Whether the visitor wants the connection kept alive after the response. */
  keepsAlive = false;
  /** Whether the visitor sends the body only after a '100 Continue'. */
  awaitsContinue = false;
  /** Whether the request is safe to send twice. */
  isRepeatable = false;
  isWebSocket = false;
  /** The key of a valid handshake. */
  webSocketKey: string | undefined;
  requestId = '';
  /** Empty until the request is known to be for a deployment. */
  traceId = '';
  /** The visitor's span, the parent of the gateway's; empty without one. */
  parentSpanId = '';
  /** The traceparent that the agent receives; it names the gateway's span. */
  traceparent = '';
  /** The Host header that the agent receives; null: `host`. */
  host_header: string | null = null;
  /** Whether the exchange's span is recorded. */
  isSampled = false;
  client: Client;
  network: string;
  readonly #limits: Limits;
  readonly #clients: ReturnType<typeof clientReader>;
  readonly #peer: Client;
  readonly #isProxy: boolean;
  readonly #peerForwarding: string;
  /** The visitor's traceparent; empty without a valid one. */
  #givenTrace = '';

  constructor(limits: Limits, clients: ReturnType<typeof clientReader>, peer: Client) {
    this.#limits = limits;
    this.#clients = clients;
    this.#peer = peer;
    this.#isProxy = clients.isTrusted(peer.address);
    this.#peerForwarding = forwardingLines(peer);
    this.client = peer;
    this.network = toNetworkKey(peer.address);
  }

  /** Parses a head, also into `requestHead`. Returns the code of the refusal, or '' if the request may be forwarded. */
  read(text: string): ResponseCode | '' {
    const head = requestHead;
    const problem = readRequestHead(text, this.#limits, head);
    if (problem !== '') {
      this.clear();
      return problem;
    }
    const { connection } = head;
    this.text = text;
    this.method = head.method;
    this.target = head.target;
    this.host = head.host;
    this.minor = head.minor;
    this.isChunked = head.isChunked;
    this.length = head.length;
    // Without `upgrade` in Connection the header belongs to another hop.
    this.isWebSocket = head.upgrade === 'websocket' && connection.has('upgrade');
    this.webSocketKey = this.isWebSocket ? webSocketKey(head, text) : undefined;
    // A connection that may have become a WebSocket serves no other request.
    this.keepsAlive = !this.isWebSocket && (head.minor === 1 ? !connection.hasClose : connection.hasKeepAlive);
    this.awaitsContinue = head.expects !== '' && head.minor === 1;
    this.isRepeatable = !this.hasBody && safeMethods.has(head.method);
    this.#givenTrace = head.traceparent;
    this.traceId = '';
    if (this.#isProxy) this.#believeProxy(text);
    else this.requestId = newRequestId();
    return '';
  }

  get hasBody(): boolean {
    return this.isChunked || this.length > 0;
  }

  /** Resets the state: the received bytes were not a request. */
  clear(): void {
    requestHead.clear();
    this.text = '';
    this.method = '';
    this.host = '';
    this.minor = 1;
    this.isChunked = false;
    this.length = -1;
    this.isWebSocket = false;
    this.keepsAlive = false;
    this.awaitsContinue = false;
    this.requestId = newRequestId();
    this.traceId = '';
  }

  /** Continues the visitor's trace, or begins one. */
  beginTrace(): void {
    const given = this.#givenTrace;
    this.traceId = given === '' ? randomHex(32) : given.slice(3, 35);
    this.parentSpanId = given.slice(36, 52);
  }

  /** Creates the gateway's span. The gateway alone decides on sampling: a visitor can neither force nor prevent it. */
  beginSpan(isSampled: boolean): void {
    this.isSampled = isSampled;
    this.traceparent = `00-${this.traceId}-${randomHex(16)}-${isSampled ? '01' : '00'}`;
  }

  /** Parses the head into `requestHead` again, because other connections' heads may have been read since. */
  readAgain(): void {
    readRequestHead(this.text, this.#limits, requestHead);
  }

  /** The head for the agent, from `requestHead`. */
  upstreamText(): string {
    return upstreamHead(requestHead, this.client, {
      forwarding: this.client === this.#peer ? this.#peerForwarding : forwardingLines(this.client),
      requestId: this.requestId,
      host_header: this.host_header,
      traceparent: this.traceparent,
      isWebSocket: this.isWebSocket,
    });
  }

  /** The head for the agent when bodies are held: like `upstreamText`, with another framing and without some headers. */
  heldText(framing: { isChunked: boolean; length: number }, dropped: Set<string>): string {
    this.readAgain();
    requestHead.isChunked = framing.isChunked;
    requestHead.length = framing.length;
    requestHead.kept = withoutNamed(requestHead.kept, dropped);
    return this.upstreamText();
  }

  /** A header of the request; undefined without one, or without a valid head. */
  header(name: string): string | undefined {
    return this.text === '' ? undefined : headerValue(this.text, name);
  }

  #believeProxy(text: string): void {
    const proto = headerValue(text, 'x-forwarded-proto')?.toLowerCase();
    this.client = this.#clients.read(this.#peer.address, headerValue(text, 'x-forwarded-for'), proto);
    this.network = toNetworkKey(this.client.address);
    // The proxy's request id is kept, so that both logs have the same one.
    const id = headerValue(text, 'x-request-id');
    this.requestId = id !== undefined && /^[\w.:-]{8,128}$/.test(id) ? id : newRequestId();
  }
}
