import { crc32 } from 'node:zlib';
import { hasBinary } from '../../bodies/body-text.ts';
import { parseMediaType } from '../../bodies/media-type.ts';
import type { KnownValues, TraceKey } from '../../protection/known-values.ts';
import { addCounts, type Counts, maxCounts, type Redactor } from '../../protection/redactor.ts';
import type { KnownValueSet } from '../../protection/scan.ts';
import type { Budget } from '../../taps/body-copy.ts';
import type { Exchange, Watch } from '../../taps/tap.ts';
import type { SpoolCapacity } from '../spool/spool.ts';
import { Excerpt, type ExcerptLimits } from './excerpt.ts';
import { cutUserAgent, type Owner, type PassedBody, recordLines } from './record-lines.ts';
import { leftOut, type Recorded, recordedBody, recordedText } from './recorded-body.ts';
import { type RequestLines, redactRequest } from './redact-request.ts';

/** The parts that all exchanges of a route share. */
export interface RouteRecording {
  owner: Owner;
  lines: ReturnType<typeof recordLines>;
  redactor: Redactor;
  knownValues: KnownValues;
  excerpts: ExcerptLimits;
  memory: Budget;
  /** Writes a request's record before the visitor can read the response. */
  writeRequest: (line: string) => void;
  /** Writes a response's record at once. */
  writeAnswer: (line: string) => void;
}

/** Result of the scan of a body that a policy held back; the body is recorded as it was scanned. */
interface HeldBody {
  /** Undefined for a stream: its first and last part are scanned again for the record. */
  body?: Recorded;
  found?: Counts | undefined;
  wasChanged: boolean;
  scannedAt: number;
}

type BodyDirection = 'request' | 'answer';

/** An exchange until both of its records are written. */
export class ExchangeRecord implements Watch {
  /** How the request's body is held back; undefined if it is not. */
  #holds: 'whole' | 'stream' | undefined;
  readonly #held: Partial<Record<BodyDirection, HeldBody>> = {};
  readonly #route: RouteRecording;
  readonly #why: 'setting' | 'spool' | undefined;
  #known: KnownValueSet | undefined;
  #request: Excerpt | undefined;
  #answer: Excerpt | undefined;
  #forwardedAt = 0;
  #lines: RequestLines | undefined;
  #userAgent: string | null = null;
  #isRequestWritten = false;
  #isAnswerWritten = false;

  constructor(route: RouteRecording, exchange: Exchange, room: SpoolCapacity) {
    this.#route = route;
    this.#why = bodyOmission(route, exchange, room);
  }

  /** The redacted path; undefined until the request is written. */
  get path(): string | undefined {
    return this.#lines?.path;
  }

  /** Known values of the exchange's trace. */
  known(exchange: Exchange): KnownValueSet {
    return (this.#known ??= this.#route.knownValues.of(this.#traceKey(exchange)));
  }

  #traceKey({ traceparent }: Exchange): TraceKey {
    const { team_id, project_id } = this.#route.owner;
    return { team_id, project_id, traceId: traceparent.slice(3, 35) };
  }

  /** Holds the request's record back until a decision about the body ('whole'), or until the response ('stream'). */
  holds(how: 'whole' | 'stream' | undefined): void {
    this.#holds = how;
  }

  /** Notes that a held body was not scanned: the budget had no room for it, or it is binary. */
  notScanned(way: BodyDirection, why: 'budget' | 'binary'): void {
    this.#held[way] = { body: leftOut(why), wasChanged: false, scannedAt: 0 };
  }

  /** Notes the scan of a whole body. `isCovered`: everything that may not be stored has been removed. */
  scanned(
    way: BodyDirection,
    text: string,
    { found, isCovered, wasChanged, essence }: { found: Counts | undefined; isCovered: boolean; wasChanged: boolean; essence: string },
  ): void {
    // Records contain only text.
    if (hasBinary(text)) return this.scannedBytes(way, { found, wasChanged });
    const redactor = isCovered ? undefined : this.#route.redactor;
    const body = this.#why === undefined ? recordedText(text, { essence, redactor, known: this.#known! }) : leftOut(this.#why);
    this.#held[way] = { body: { ...body, isScanned: true, found: addCounts(found, body.found) }, wasChanged, scannedAt: Date.now() };
  }

  /** Notes the scan of a body that is binary or contains binary bytes. */
  scannedBytes(way: BodyDirection, { found, wasChanged }: { found: Counts | undefined; wasChanged: boolean }): void {
    this.#held[way] = { body: { ...leftOut('binary'), isScanned: true, found }, wasChanged, scannedAt: Date.now() };
  }

  /** Notes the findings so far in a body that is scanned while it streams. */
  streamed(way: BodyDirection, { found, wasChanged }: { found: Counts | undefined; wasChanged: boolean }): void {
    this.#held[way] = { found, wasChanged, scannedAt: Date.now() };
  }

  requestBody(bytes: Buffer, from: number, to: number): void {
    if (this.#why !== undefined || this.#isRequestWritten) return;
    this.#request ??= new Excerpt(this.#route.excerpts, this.#route.memory);
    this.#request.add(bytes, from, to);
  }

  forwards(exchange: Exchange): void {
    if (this.#forwardedAt === 0) this.#forwardedAt = Date.now();
    // The request is complete for the record: it has no body, or its body has been decided about.
    if (!exchange.hasBody || this.#holds === 'whole') this.#writeRequest(exchange);
  }

  requestEnds(exchange: Exchange): void {
    if (this.#forwardedAt > 0 && this.#holds === undefined) this.#writeRequest(exchange);
  }

  answerHead(exchange: Exchange): void {
    this.#writeRequest(exchange);
    // Discards the response of an earlier attempt, which broke off.
    this.#answer?.finish();
    this.#answer = undefined;
  }

  answerBody(bytes: Buffer, from: number, to: number): void {
    if (this.#why !== undefined) return;
    this.#answer ??= new Excerpt(this.#route.excerpts, this.#route.memory);
    this.#answer.add(bytes, from, to);
  }

  answerEnds(exchange: Exchange): void {
    this.#writeAnswer(exchange, false);
  }

  /** The exchange ended other than by the last bytes of a response. */
  ended(exchange: Exchange): void {
    this.#writeAnswer(exchange, !exchange.isWebSocket);
  }

  #writeRequest(exchange: Exchange): void {
    if (this.#isRequestWritten) return;
    this.#isRequestWritten = true;
    const { redactor, lines } = this.#route;
    const body = this.#passed(exchange, this.#request, {
      held: this.#held.request,
      sizeBytes: exchange.bytesIn,
      header: (name) => exchange.requestHeader(name),
    });
    this.#request = undefined;
    this.#lines = redactRequest(exchange, redactor, this.#known);
    const userAgent = exchange.requestHeader('user-agent');
    this.#userAgent = userAgent === undefined ? null : redactor.line(cutUserAgent(userAgent), this.#known);
    const line = lines.request(exchange, { lines: this.#lines, userAgent: this.#userAgent, body, forwardedAt: this.#forwardedAt });
    this.#route.writeRequest(line);
  }

  #writeAnswer(exchange: Exchange, isBroken: boolean): void {
    if (this.#isAnswerWritten) return;
    this.#writeRequest(exchange);
    this.#isAnswerWritten = true;
    // The agent's response did not reach the visitor if the gateway answered instead.
    const isOwn = exchange.failure !== '';
    if (isOwn) this.#answer?.finish();
    const body = this.#passed(exchange, isOwn ? undefined : this.#answer, {
      held: isOwn ? undefined : this.#held.answer,
      sizeBytes: isOwn || exchange.isWebSocket ? 0 : exchange.bytesOut,
      header: (name) => (isOwn ? undefined : exchange.answerHeader(name)),
    });
    this.#answer = undefined;
    const { action } = this.#lines!;
    this.#route.writeAnswer(this.#route.lines.answer(exchange, { action, userAgent: this.#userAgent, body, isBroken }));
    if (this.#known !== undefined) this.#route.knownValues.keep(this.#traceKey(exchange), this.#known);
  }

  #passed(
    exchange: Exchange,
    excerpt: Excerpt | undefined,
    { held, sizeBytes, header }: { held: HeldBody | undefined; sizeBytes: number; header: (name: string) => string | undefined },
  ): PassedBody {
    excerpt?.finish();
    if (sizeBytes === 0) return { ...leftOut('empty'), sizeBytes, contentType: '', wasChanged: false, scannedAt: 0 };
    const type = parseMediaType(header('content-type'));
    const passed = { sizeBytes, contentType: type.essence };
    if (held?.body !== undefined) return { ...passed, ...held.body, wasChanged: held.wasChanged, scannedAt: held.scannedAt };
    const scannedAt = Date.now();
    const body = this.#recorded(exchange, excerpt, { type, encoding: header('content-encoding')?.trim().toLowerCase() ?? '' });
    if (held === undefined) return { ...passed, ...body, wasChanged: false, scannedAt: body.isScanned ? scannedAt : 0 };
    return {
      ...passed,
      ...body,
      isScanned: true,
      found: maxCounts(held.found, body.found),
      wasChanged: held.wasChanged,
      scannedAt: held.scannedAt,
    };
  }

  #recorded(
    exchange: Exchange,
    excerpt: Excerpt | undefined,
    { type, encoding }: { type: ReturnType<typeof parseMediaType>; encoding: string },
  ): Recorded {
    if (this.#why !== undefined) return leftOut(this.#why);
    if (excerpt === undefined) return leftOut('empty');
    return recordedBody(excerpt, { type, encoding, redactor: this.#route.redactor, known: this.known(exchange) });
  }
}

/** Why the exchange's bodies are not recorded; undefined if they are. */
function bodyOmission(
  { owner: { protection } }: RouteRecording,
  { requestId }: Exchange,
  room: SpoolCapacity,
): 'setting' | 'spool' | undefined {
  if (protection.bodies === 'none') return 'setting';
  if (protection.bodies === 'sampled' && crc32(requestId) % 10_000 >= protection.sample_percent * 100) return 'setting';
  return room === 'tight' ? 'spool' : undefined;
}
