import type { DataTaker } from '../bodies/chunks.ts';
import { headerValue } from '../heads/header-value.ts';
import type { ResponseCode } from '../pages/own-responses.ts';
import type { Route } from '../routes/route.ts';
import type { Exchange, Tap, Watch } from '../taps/tap.ts';
import type { Client } from './client-address.ts';
import type { ParsedRequest } from './parsed-request.ts';

/** Status for a visitor that left before the response, as in nginx. */
const clientClosed = 499;

/** State of a visitor connection's current exchange; notifies the route's taps. One object serves one exchange after the other. */
export class CurrentExchange implements Exchange {
  route: Route;
  status = 0;
  isUpstreamError = false;
  failure: ResponseCode | '' = '';
  beganAtMs = 0;
  startedAt = 0;
  answeredAt = 0;
  latencyUs = 0;
  bytesIn = 0;
  bytesOut = 0;
  /** The unchanged head of the response. */
  answerText = '';
  readonly #asked: ParsedRequest;
  #isWatchStopped = false;
  #hasAnswerEnded = false;
  #toldIn = 0;
  #toldOut = 0;
  #watches: Watch[] | undefined;

  readonly #tapFailed: (err: unknown) => void;

  /** `tapFailed` receives errors of taps: an error of a watching tap never ends an exchange. */
  constructor(route: Route, asked: ParsedRequest, tapFailed: (err: unknown) => void) {
    this.route = route;
    this.#asked = asked;
    this.#tapFailed = tapFailed;
  }

  get deploymentId(): string {
    return this.route.deployment_id!;
  }

  get requestId(): string {
    return this.#asked.requestId;
  }

  get traceparent(): string {
    return this.#asked.traceparent;
  }

  get parentSpanId(): string {
    return this.#asked.parentSpanId;
  }

  get isSampled(): boolean {
    return this.#asked.isSampled;
  }

  get method(): string {
    return this.#asked.method;
  }

  get target(): string {
    return this.#asked.target;
  }

  get host(): string {
    return this.#asked.host;
  }

  get client(): Client {
    return this.#asked.client;
  }

  get isWebSocket(): boolean {
    return this.#asked.isWebSocket;
  }

  get hasBody(): boolean {
    return this.#asked.hasBody;
  }

  /** Why the exchange is refused; empty if it is allowed. A tap that fails refuses nothing. */
  get refusal(): ResponseCode | '' {
    const { refuses } = this.route.taps;
    if (refuses === undefined) return '';
    try {
      return refuses.refuses!(this);
    } catch (err) {
      this.#tapFailed(err);
      return '';
    }
  }

  /** Begins an exchange and resets the state of the previous one. */
  begin(route: Route): void {
    this.route = route;
    this.status = 0;
    this.isUpstreamError = false;
    this.failure = '';
    this.beganAtMs = Date.now();
    this.startedAt = performance.now();
    this.answeredAt = 0;
    this.latencyUs = 0;
    this.bytesIn = 0;
    this.bytesOut = 0;
    this.answerText = '';
    this.#isWatchStopped = false;
    this.#hasAnswerEnded = false;
    this.#toldIn = 0;
    this.#toldOut = 0;
    const { samples, watch } = this.route.taps;
    this.#asked.host_header = route.host_header;
    this.#asked.beginSpan(samples !== undefined && this.#isSampledBy(samples));
    this.#watches = watch && this.startWatches(watch);
  }

  /** Receiver of the request's body; undefined if no tap watches. */
  get requestWatcher(): DataTaker | undefined {
    return this.#watches && this.#seeRequest;
  }

  /** Receiver of the response's body; undefined if no tap watches. */
  get answerWatcher(): DataTaker | undefined {
    return this.#watches && this.#seeAnswer;
  }

  // Created once for all exchanges of the connection.
  readonly #seeRequest: DataTaker = (bytes, from, to) => this.#tellWatches((watch) => watch.requestBody?.(bytes, from, to));
  readonly #seeAnswer: DataTaker = (bytes, from, to) => this.#tellWatches((watch) => watch.answerBody?.(bytes, from, to));

  requestHeader(name: string): string | undefined {
    return this.#asked.header(name);
  }

  answerHeader(name: string): string | undefined {
    return headerValue(this.answerText, name);
  }

  /** Stops the latency clock; only the first call counts. */
  stopWatch(): void {
    if (this.#isWatchStopped) return;
    this.#isWatchStopped = true;
    this.latencyUs = (performance.now() - this.startedAt) * 1_000;
  }

  /** Called before the first byte is sent to an agent. */
  forwards(): void {
    this.#tellWatches((watch) => watch.forwards?.(this));
  }

  /** Called when the request's body is complete. */
  requestEnds(): void {
    this.#tellWatches((watch) => watch.requestEnds?.(this));
  }

  answerBegan(): void {
    this.answeredAt = performance.now();
    this.#tellWatches((watch) => watch.answerHead?.(this));
  }

  /** Called before the last bytes are sent to the visitor. Only the first call counts. */
  answerEnds(): void {
    if (this.#hasAnswerEnded) return;
    this.#hasAnswerEnded = true;
    this.stopWatch();
    this.#tellWatches((watch) => watch.answerEnds?.(this));
  }

  /** The gateway itself answers instead of the agent. */
  refused(code: ResponseCode, status: number): void {
    this.status = status;
    this.isUpstreamError = status >= 500;
    this.failure = code;
    this.answeredAt = 0;
    this.answerEnds();
  }

  /** Reports the bytes since the last call, so that a long stream is counted while it lasts. */
  tellBytes(): void {
    const bytesIn = this.bytesIn - this.#toldIn;
    const bytesOut = this.bytesOut - this.#toldOut;
    if (bytesIn === 0 && bytesOut === 0) return;
    this.#toldIn = this.bytesIn;
    this.#toldOut = this.bytesOut;
    for (const tap of this.route.taps.passed) {
      try {
        tap.passed!(this, bytesIn, bytesOut);
      } catch (err) {
        this.#tapFailed(err);
      }
    }
  }

  /** Ends the exchange. */
  end(): void {
    this.stopWatch();
    if (this.status === 0) this.status = clientClosed;
    this.tellBytes();
    for (const tap of this.route.taps.ended) {
      try {
        tap.ended!(this);
      } catch (err) {
        this.#tapFailed(err);
      }
    }
    this.#tellWatches((watch) => watch.ended(this));
    this.#watches = undefined;
    this.answerText = '';
  }

  #isSampledBy(tap: Tap): boolean {
    try {
      return tap.samples!(this);
    } catch (err) {
      this.#tapFailed(err);
      return false;
    }
  }

  #tellWatches(tell: (watch: Watch) => void): void {
    for (const watch of this.#watches ?? []) {
      try {
        tell(watch);
      } catch (err) {
        this.#tapFailed(err);
      }
    }
  }

  startWatches(taps: readonly Tap[]): Watch[] | undefined {
    const watches: Watch[] = [];
    for (const tap of taps) {
      try {
        const watch = tap.watch!(this);
        if (watch) watches.push(watch);
      } catch (err) {
        this.#tapFailed(err);
      }
    }
    return watches.length === 0 ? undefined : watches;
  }
}
