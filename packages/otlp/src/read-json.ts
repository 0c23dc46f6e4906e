import { type AnyValue, AttributeSink } from './attributes.ts';
import { cleanText } from './clean-text.ts';
import { isMessageEvent } from './content.ts';
import { bounds, NotOtlp, type RawEvent, type RawSpan, type ReadOptions, type SentSpans } from './raw-span.ts';

type Json = Record<string, unknown>;

/** Like `readProtobuf`, for OTLP's JSON form: ids in hexadecimal digits, 64-bit numbers as texts or numbers. Throws NotOtlp. */
export function readJson(body: string, options: ReadOptions = {}): SentSpans {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new NotOtlp('The body is not valid JSON.');
  }
  const sent: SentSpans = { spans: [], unread: 0 };
  for (const resource of readList(readObject(parsed, 'the body'), 'resourceSpans'))
    for (const scope of readList(resource, 'scopeSpans'))
      for (const span of readList(scope, 'spans')) {
        if (sent.spans.length < bounds.spans) sent.spans.push(readSpan(span, options));
        else sent.unread += 1;
      }
  return sent;
}

function readSpan(span: Json, { keepsContent }: ReadOptions): RawSpan {
  const attributes = readAttributes(span, new AttributeSink({ most: bounds.attributes, keepsContent }));
  const sentEvents = readList(span, 'events');
  const read: RawSpan = {
    trace_id: hex(span.traceId, 32),
    span_id: hex(span.spanId, 16),
    parent_span_id: hex(span.parentSpanId, 16),
    name: text(span.name, bounds.name),
    kind: count(span.kind),
    start_ns: time(span.startTimeUnixNano),
    end_ns: time(span.endTimeUnixNano),
    attributes: attributes.values,
    content: attributes.content,
    events: [],
    status: 0,
    status_message: '',
    dropped: count(span.droppedAttributesCount) + count(span.droppedEventsCount) + Math.max(0, sentEvents.length - bounds.events),
    content_dropped: attributes.contentDropped,
  };
  read.dropped += attributes.dropped;
  read.events = sentEvents.slice(0, bounds.events).map((event) => readEvent(event, read, keepsContent));
  if (span.status !== undefined && span.status !== null) {
    const status = readObject(span.status, 'status');
    read.status = count(status.code);
    read.status_message = text(status.message, bounds.text);
  }
  return read;
}

function readEvent(event: Json, span: RawSpan, keepsContent: boolean | undefined): RawEvent {
  const name = text(event.name, bounds.name);
  const attributes = readAttributes(
    event,
    new AttributeSink({ most: bounds.eventAttributes, isMessage: isMessageEvent(name), keepsContent }),
  );
  span.dropped += attributes.dropped;
  span.content_dropped += attributes.contentDropped;
  return { name, at_ns: time(event.timeUnixNano), attributes: attributes.values, content: attributes.content };
}

function readAttributes(holder: Json, sink: AttributeSink): AttributeSink {
  for (const { key, value } of readList(holder, 'attributes')) sink.add(text(key, bounds.attributeName + 1), () => readValue(value, 0));
  return sink;
}

function readValue(value: unknown, depth: number): AnyValue {
  if (depth > bounds.depth) throw new NotOtlp('A value is nested too deeply.');
  if (value === undefined || value === null) return null;
  const given = readObject(value, 'value');
  if (typeof given.stringValue === 'string') return given.stringValue;
  if (typeof given.boolValue === 'boolean') return given.boolValue;
  if (given.intValue !== undefined) return finite(given.intValue);
  if (given.doubleValue !== undefined) return finite(given.doubleValue);
  if (given.kvlistValue !== undefined && given.kvlistValue !== null) return readMap(readObject(given.kvlistValue, 'kvlistValue'), depth);
  if (given.arrayValue === undefined || given.arrayValue === null) return new Map();
  const entries = readList(readObject(given.arrayValue, 'arrayValue'), 'values');
  return entries.slice(0, bounds.arrayEntries).map((entry) => readValue(entry, depth + 1));
}

function readMap(given: Json, depth: number): AnyValue {
  const entries = readList(given, 'values').slice(0, bounds.arrayEntries);
  return new Map(entries.map(({ key, value }) => [text(key, bounds.attributeName), readValue(value, depth + 1)]));
}

function readObject(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NotOtlp(`Not OTLP: ${what} is not an object.`);
  return value as Json;
}

function readList(holder: Json, name: string): Json[] {
  const list = holder[name];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new NotOtlp(`Not OTLP: ${name} is not a list.`);
  for (const entry of list) readObject(entry, `an entry of ${name}`);
  return list;
}

function finite(value: unknown): number | null {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

const count = (value: unknown): number => Math.min(Math.max(0, Math.trunc(finite(value) ?? 0)), 2 ** 31);
const text = (value: unknown, most: number): string => (typeof value === 'string' ? cleanText(value, most) : '');

/** '' for anything except an id; zeros alone are not an id. */
function hex(value: unknown, length: number): string {
  if (typeof value !== 'string' || value.length !== length || !/^[0-9a-f]+$/i.test(value) || /^0+$/.test(value)) return '';
  return value.toLowerCase();
}

function time(value: unknown): bigint {
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt(value);
  return typeof value === 'number' && Number.isSafeInteger(Math.trunc(value / 1_000)) && value >= 0 ? BigInt(Math.trunc(value)) : 0n;
}
