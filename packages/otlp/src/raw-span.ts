export type Scalar = string | number | boolean;
export type AttributeValue = Scalar | Scalar[];

export interface RawEvent {
  name: string;
  at_ns: bigint;
  attributes: Map<string, AttributeValue>;
}

/** A span as an agent sent it, bounded, and without the content of messages. */
export interface RawSpan {
  /** 32 and 16 hexadecimal digits; empty if what was sent is no id. */
  trace_id: string;
  span_id: string;
  parent_span_id: string;
  name: string;
  /** Of OTLP: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  /** Nanoseconds since 1970. */
  start_ns: bigint;
  end_ns: bigint;
  attributes: Map<string, AttributeValue>;
  events: RawEvent[];
  /** 0 unset, 1 ok, 2 error. */
  status: number;
  status_message: string;
  /** Attributes and events beyond the bounds. */
  dropped: number;
  /** Attributes that hold what people and models said. */
  content_dropped: number;
}

export interface SentSpans {
  spans: RawSpan[];
  /** Spans beyond `bounds.spans`, which were not read. */
  unread: number;
}

/** What is sent is not OTLP. The message says where. */
export class NotOtlp extends Error {}

/** How much of one sending is kept. Text is measured in characters. */
export const bounds = {
  spans: 4_000,
  attributes: 128,
  events: 32,
  eventAttributes: 16,
  arrayEntries: 32,
  name: 200,
  attributeName: 128,
  text: 1_024,
  stackTrace: 4_096,
  depth: 8,
} as const;
