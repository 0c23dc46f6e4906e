import type { ResponseCode } from '../pages/own-responses.ts';
import type { Client } from '../relay/client-address.ts';

/** Facts about a request and its response. One object is reused for all exchanges of a connection: copy the values that you keep. */
export interface Exchange {
  readonly deploymentId: string;
  readonly requestId: string;
  /** W3C Trace Context as the agent receives it: trace, the gateway's span, and whether it is recorded. */
  readonly traceparent: string;
  /** The visitor's span; empty without one. */
  readonly parentSpanId: string;
  /** Result of the sampling tap, as in the agent's traceparent. */
  readonly isSampled: boolean;
  readonly method: string;
  /** In origin form. */
  readonly target: string;
  readonly host: string;
  readonly client: Client;
  readonly isWebSocket: boolean;
  /** 0 until the response's head; 499 for a visitor who left before. */
  readonly status: number;
  readonly isUpstreamError: boolean;
  /** Code of the gateway's own response instead of the agent's; empty without one. */
  readonly failure: ResponseCode | '';
  /** Milliseconds since 1970. */
  readonly beganAtMs: number;
  /** By performance.now(): the beginning, and the head of the agent's response (0 until then). */
  readonly startedAt: number;
  readonly answeredAt: number;
  /** Microseconds until the end of the agent's response; for event streams and WebSockets, which have no set end, until its beginning. */
  readonly latencyUs: number;
  /** Bytes of bodies without their framing, and of WebSockets. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Whether the request has a body. */
  readonly hasBody: boolean;
  /** A header as the visitor or the agent sent it; several are joined by commas. */
  requestHeader(name: string): string | undefined;
  answerHeader(name: string): string | undefined;
}

/** Observes one exchange and changes nothing. Bytes are in a reused buffer: they are valid only during the call. */
export interface Watch {
  requestBody?(bytes: Buffer, from: number, to: number): void;
  /** Called for each attempt, before the first byte is sent to an agent. */
  forwards?(exchange: Exchange): void;
  /** The body of the request is complete. */
  requestEnds?(exchange: Exchange): void;
  /** Called for each attempt with a response. */
  answerHead?(exchange: Exchange): void;
  answerBody?(bytes: Buffer, from: number, to: number): void;
  /** Called before the last bytes of the response, or the gateway's own response, are sent. Not called if the end is not known in advance. */
  answerEnds?(exchange: Exchange): void;
  /** Called once, whatever the result of the exchange. */
  ended(exchange: Exchange): void;
}

/**
 * Decision about a held body: these bytes instead (undefined: unchanged), or a refusal, with a sentence for the visitor. `isDecoded`: the bytes
 * are no longer in the encoding that the head declares.
 */
export type Verdict = { body?: Buffer; isDecoded?: boolean; refuse?: false } | { refuse: true; detail?: string };

/** A change rejects with this to refuse a body; the message is for the visitor. If part of the body has been sent, the exchange is aborted. */
export class Refusal extends Error {}

/** Collects a whole body before any of it is forwarded. */
export interface WholeHold {
  kind: 'whole';
  maxBytes: number;
  /** Decides about a larger body by its beginning, which is valid only during the call. */
  tooLarge(beginning: Buffer): 'pass' | 'refuse';
  /** A rejection or a timeout of the promise refuses the body. */
  decide(body: Buffer, exchange: Exchange): Promise<Verdict>;
}

/** Changes a body while it passes. */
export interface TailHold {
  kind: 'tail';
  /** Maximum bytes that may be held back; more ends the exchange. */
  maxTail: number;
  /**
   * Returns the bytes to forward, and how many of the last bytes of `bytes` are held back: they are repeated at the beginning of the next
   * call. One call at a time; the last call may hold nothing back.
   */
  change(bytes: Buffer, isLast: boolean): Promise<{ out: Buffer; keep: number }>;
}

/** Bodies are without their framing, but in the sender's encoding; the agent gets no request for an encoding or a range. */
export interface Hold {
  request?: WholeHold | TailHold | undefined;
  /** Called once the response's head is known. */
  answer?(exchange: Exchange): WholeHold | TailHold | undefined;
}

/** An extension that is attached to a route while the route is in the routing table. */
export interface Tap {
  /** Whether the exchange's span is recorded, which the agent is told. Called once at the beginning; at most one tap of a route has it. */
  samples?(exchange: Exchange): boolean;
  /** Why the exchange is refused; empty if it is allowed. Called once at the beginning; at most one tap of a route has it. */
  refuses?(exchange: Exchange): ResponseCode | '';
  /** Bytes since the last call: called at the end, and repeatedly while a stream lasts. */
  passed?(exchange: Exchange, bytesIn: number, bytesOut: number): void;
  /** Called once for each exchange, whatever its result. */
  ended?(exchange: Exchange): void;
  /** Undefined: this exchange is not watched. */
  watch?(exchange: Exchange): Watch | undefined;
  hold?(exchange: Exchange): Hold | undefined;
}

/** The taps of a route, sorted once by kind, so that an exchange makes one check for each. Undefined: no tap of that kind. */
export interface RouteTaps {
  samples: Tap | undefined;
  refuses: Tap | undefined;
  passed: Tap[];
  ended: Tap[];
  watch: Tap[] | undefined;
  hold: Tap | undefined;
}

/** Throws if two taps hold, sample, or refuse: no precedence is defined. */
export function routeTaps(taps: readonly Tap[]): RouteTaps {
  const samples = taps.filter((tap) => tap.samples);
  const refuses = taps.filter((tap) => tap.refuses);
  const watch = taps.filter((tap) => tap.watch);
  const hold = taps.filter((tap) => tap.hold);
  if (hold.length > 1) throw new Error('one tap of a route may hold bodies');
  if (samples.length > 1) throw new Error('one tap of a route may say what is recorded');
  if (refuses.length > 1) throw new Error('one tap of a route may refuse exchanges');
  return {
    samples: samples[0],
    refuses: refuses[0],
    passed: taps.filter((tap) => tap.passed),
    ended: taps.filter((tap) => tap.ended),
    watch: watch.length === 0 ? undefined : watch,
    hold: hold[0],
  };
}
