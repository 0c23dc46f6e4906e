import type { ResponseCode } from '../pages/own-responses.ts';
import type { Client } from '../relay/client-address.ts';

/** What is known of a request and its answer. One object serves all exchanges of a connection, one after the other: copy what you keep. */
export interface Exchange {
  readonly deploymentId: string;
  readonly requestId: string;
  /** W3C Trace Context, as the agent receives it: trace, the gateway's own span, and whether it is recorded. */
  readonly traceparent: string;
  /** The visitor's own span; empty without one. */
  readonly parentSpanId: string;
  /** What the tap that samples has said, and the agent was told. */
  readonly isSampled: boolean;
  readonly method: string;
  /** In origin form. */
  readonly target: string;
  readonly host: string;
  readonly client: Client;
  readonly isWebSocket: boolean;
  /** 0 until the answer's head; 499 for a visitor who left before. */
  readonly status: number;
  readonly isUpstreamError: boolean;
  /** The gateway's own answer in place of the agent's; empty without one. */
  readonly failure: ResponseCode | '';
  /** Milliseconds since 1970. */
  readonly beganAtMs: number;
  /** By performance.now(): the beginning, and the head of the agent's answer (0 until then). */
  readonly startedAt: number;
  readonly answeredAt: number;
  /** Microseconds to the end of the agent's answer; for event streams and WebSockets, which end when they like, to its beginning. */
  readonly latencyUs: number;
  /** Bytes of bodies, without their framing, and of WebSockets. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** The request comes with a body. */
  readonly hasBody: boolean;
  /** A header as the visitor sent it, or as the agent answered it; several are joined by commas. */
  requestHeader(name: string): string | undefined;
  answerHeader(name: string): string | undefined;
}

/** Sees one exchange and changes nothing. Bytes lie in a buffer that is used again: they are valid only during the call. */
export interface Watch {
  requestBody?(bytes: Buffer, from: number, to: number): void;
  /** Before the first byte goes to an agent; for each try. */
  forwards?(exchange: Exchange): void;
  /** The body of the request has come whole. */
  requestEnds?(exchange: Exchange): void;
  /** For each try that brought an answer. */
  answerHead?(exchange: Exchange): void;
  answerBody?(bytes: Buffer, from: number, to: number): void;
  /** Before the visitor gets the last bytes of the answer, or the gateway's own answer. Not called where nobody knows that the answer ends. */
  answerEnds?(exchange: Exchange): void;
  /** Called once, whatever became of the exchange. */
  ended(exchange: Exchange): void;
}

/**
 * What becomes of a body that was held: these bytes instead (undefined: as it is), or a refusal, with a sentence for the visitor. `isDecoded`: the bytes
 * are no longer in the encoding that the head names.
 */
export type Verdict = { body?: Buffer; isDecoded?: boolean; refuse?: false } | { refuse: true; detail?: string };

/** What a change of a passing body rejects with to refuse it: a sentence for the visitor. Once part of the body is out, the exchange is cut. */
export class Refusal extends Error {}

/** Collects a whole body before any of it goes on. */
export interface WholeHold {
  kind: 'whole';
  maxBytes: number;
  /** Decides about a body that is larger, by what has come of it. Valid only during the call. */
  tooLarge(beginning: Buffer): 'pass' | 'refuse';
  /** A rejection refuses the body, and so does a promise that takes too long. */
  decide(body: Buffer, exchange: Exchange): Promise<Verdict>;
}

/** Changes a body while it passes. */
export interface TailHold {
  kind: 'tail';
  /** Most bytes that may be kept back; more ends the exchange. */
  maxTail: number;
  /**
   * Gives the bytes that may go on, and how many of the last bytes of `bytes` are kept back: they come again at the beginning of the next
   * call. One call at a time; nothing may be kept back from the last.
   */
  change(bytes: Buffer, isLast: boolean): Promise<{ out: Buffer; keep: number }>;
}

/** Bodies come without their framing, but encoded as their sender chose; the agent is asked for no encoding and no ranges. */
export interface Hold {
  request?: WholeHold | TailHold | undefined;
  /** Asked once the answer's head is known. */
  answer?(exchange: Exchange): WholeHold | TailHold | undefined;
}

/** Something that is attached to a route for as long as the routing table holds it. */
export interface Tap {
  /** Whether the exchange is recorded, which its agent is told. Asked once, as it begins; one tap of a route may say so. */
  samples?(exchange: Exchange): boolean;
  /** Why the exchange may not take place; empty if it may. Asked once, as it begins; one tap of a route may say so. */
  refuses?(exchange: Exchange): ResponseCode | '';
  /** Bytes that have passed since the last call: at the end, and now and then while a stream lasts. */
  passed?(exchange: Exchange, bytesIn: number, bytesOut: number): void;
  /** Called once for each exchange, whatever became of it. */
  ended?(exchange: Exchange): void;
  /** Undefined: not this exchange. */
  watch?(exchange: Exchange): Watch | undefined;
  hold?(exchange: Exchange): Hold | undefined;
}

/** The taps of a route, sorted once so that an exchange asks one question for each kind. Undefined: nobody wants it. */
export interface RouteTaps {
  samples: Tap | undefined;
  refuses: Tap | undefined;
  passed: Tap[];
  ended: Tap[];
  watch: Tap[] | undefined;
  hold: Tap | undefined;
}

/** Throws if two taps want to hold, to sample, or to refuse: which of them would be heard is nobody's decision yet. */
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
