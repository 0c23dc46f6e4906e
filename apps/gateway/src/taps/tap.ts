import type { ResponseCode } from '../pages/own-responses.ts';
import type { Client } from '../relay/client-address.ts';

/** The facts of a request and its response. One object serves all exchanges of a connection, one after the other: copy what you keep. */
export interface Exchange {
  readonly deploymentId: string;
  readonly requestId: string;
  /** W3C Trace Context as sent to the agent: trace, the gateway's own span, and whether it is recorded. */
  readonly traceparent: string;
  /** The visitor's own span; empty without one. */
  readonly parentSpanId: string;
  /** The decision of the sampling tap, which was sent to the agent. */
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
  /** The code of the gateway's own response in place of the agent's; empty without one. */
  readonly failure: ResponseCode | '';
  /** Milliseconds since 1970. */
  readonly beganAtMs: number;
  /** By performance.now(): the beginning, and the head of the agent's response (0 until then). */
  readonly startedAt: number;
  readonly answeredAt: number;
  /** Microseconds to the end of the agent's response; for event streams and WebSockets, whose length is arbitrary, to its beginning. */
  readonly latencyUs: number;
  /** Bytes of bodies, without their framing, and of WebSockets. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** The request has a body. */
  readonly hasBody: boolean;
  /** A header of the visitor's request or of the agent's response; several are joined by commas. */
  requestHeader(name: string): string | undefined;
  answerHeader(name: string): string | undefined;
}

/** Observes one exchange without changing it. Bytes lie in a buffer that is reused: they are valid only during the call. */
export interface Watch {
  requestBody?(bytes: Buffer, from: number, to: number): void;
  /** Before the first byte is sent to an agent; for each attempt. */
  forwards?(exchange: Exchange): void;
  /** The body of the request is complete. */
  requestEnds?(exchange: Exchange): void;
  /** For each attempt that received a response. */
  answerHead?(exchange: Exchange): void;
  answerBody?(bytes: Buffer, from: number, to: number): void;
  /** Before the visitor receives the last bytes of the response, or the gateway's own response. Not called if the end is not known in advance. */
  answerEnds?(exchange: Exchange): void;
  /** Called once, whatever the outcome. */
  ended(exchange: Exchange): void;
}

/**
 * The decision about a held body: these bytes instead (undefined: unchanged), or a refusal, with a sentence for the visitor. `isDecoded`: the bytes
 * are no longer in the encoding that the head names.
 */
export type Verdict = { body?: Buffer; isDecoded?: boolean; refuse?: false } | { refuse: true; detail?: string };

/** Rejection of a change that refuses a passing body: a sentence for the visitor. If part of the body was sent, the exchange is cut. */
export class Refusal extends Error {}

/** Collects a whole body before any of it is forwarded. */
export interface WholeHold {
  kind: 'whole';
  maxBytes: number;
  /** Decides about a larger body, by its beginning, which is valid only during the call. */
  tooLarge(beginning: Buffer): 'pass' | 'refuse';
  /** A rejection refuses the body, and so does a timeout. */
  decide(body: Buffer, exchange: Exchange): Promise<Verdict>;
}

/** Changes a body while it passes. */
export interface TailHold {
  kind: 'tail';
  /** Maximum number of bytes held back; more ends the exchange. */
  maxTail: number;
  /**
   * Returns the bytes to forward, and how many of the last bytes of `bytes` are held back: they are presented again at the beginning of the next
   * call. Calls do not overlap; nothing may be held back from the last.
   */
  change(bytes: Buffer, isLast: boolean): Promise<{ out: Buffer; keep: number }>;
}

/** Bodies are passed without their framing, but encoded as their sender chose; the agent is asked for no encoding and no ranges. */
export interface Hold {
  request?: WholeHold | TailHold | undefined;
  /** Called once the response's head is known. */
  answer?(exchange: Exchange): WholeHold | TailHold | undefined;
}

/** An observer that is attached to a route for as long as the routing table holds it. */
export interface Tap {
  /** Whether the exchange is recorded, which its agent is told in `traceparent`. Called once, at its begin; only one tap of a route may have it. */
  samples?(exchange: Exchange): boolean;
  /** Why the exchange is refused; empty if it is admitted. Called once, at its begin; only one tap of a route may have it. */
  refuses?(exchange: Exchange): ResponseCode | '';
  /** Bytes since the last call: at the end, and periodically while a stream lasts. */
  passed?(exchange: Exchange, bytesIn: number, bytesOut: number): void;
  /** Called once for each exchange, whatever the outcome. */
  ended?(exchange: Exchange): void;
  /** Undefined: the exchange is not watched. */
  watch?(exchange: Exchange): Watch | undefined;
  hold?(exchange: Exchange): Hold | undefined;
}

/** The taps of a route by kind, sorted once so that an exchange needs one check for each kind. Undefined: no such tap. */
export interface RouteTaps {
  samples: Tap | undefined;
  refuses: Tap | undefined;
  passed: Tap[];
  ended: Tap[];
  watch: Tap[] | undefined;
  hold: Tap | undefined;
}

/** Throws if two taps want to hold, to sample, or to refuse: their precedence is not defined. */
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
