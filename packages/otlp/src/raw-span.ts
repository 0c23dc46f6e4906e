export type Scalar = string | number | boolean;
export type AttributeValue = Scalar | Scalar[];

export interface RawEvent {
  name: string;
  at_ns: bigint;
  attributes: Map<string, AttributeValue>;
  content: Map<string, AttributeValue>;
}

/** A span as an agent sent it, bounded. What people and models said stands apart, and is there only for a reader who wants it. */
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
  /** What people and models said, by the names of its attributes: as it was sent, cut to `bounds.content`. */
  content: Map<string, AttributeValue>;
  events: RawEvent[];
  /** 0 unset, 1 ok, 2 error. */
  status: number;
  status_message: string;
  /** Attributes and events beyond the bounds. */
  dropped: number;
  /** Attributes that hold what people and models said, and were left out. */
  content_dropped: number;
}

export interface SentSpans {
  spans: RawSpan[];
  /** Spans beyond `bounds.spans`, which were not read. */
  unread: number;
}

/** What a reader wants of what is sent. */
export interface ReadOptions {
  /** What people and models said is left out without it. */
  keepsContent?: boolean;
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
  content: 20_480,
  depth: 8,
} as const;
