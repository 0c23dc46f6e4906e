export type Scalar = string | number | boolean;
export type AttributeValue = Scalar | Scalar[];

export interface RawEvent {
  name: string;
  at_ns: bigint;
  attributes: Map<string, AttributeValue>;
  content: Map<string, AttributeValue>;
}

/** A span as an agent sent it, bounded. Content of prompts and responses is separate, and only present if the reader wants it. */
export interface RawSpan {
  /** 32 and 16 hexadecimal digits; empty if the sent value is not an id. */
  trace_id: string;
  span_id: string;
  parent_span_id: string;
  name: string;
  /** OTLP's kinds: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  /** Nanoseconds since 1970. */
  start_ns: bigint;
  end_ns: bigint;
  attributes: Map<string, AttributeValue>;
  /** Content of prompts and responses by attribute name: unredacted, cut to `bounds.content`. */
  content: Map<string, AttributeValue>;
  events: RawEvent[];
  /** 0 unset, 1 ok, 2 error. */
  status: number;
  status_message: string;
  /** Attributes and events beyond the bounds. */
  dropped: number;
  /** Content attributes that were dropped. */
  content_dropped: number;
}

export interface SentSpans {
  spans: RawSpan[];
  /** Spans beyond `bounds.spans`, which were not read. */
  unread: number;
}

/** Options of a reader. */
export interface ReadOptions {
  /** Content of prompts and responses is dropped if absent. */
  keepsContent?: boolean;
}

/** The request is not OTLP. The message names the position. */
export class NotOtlp extends Error {}

/** Bounds of the spans kept from one request. Text is measured in characters. */
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
