import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { type AnyValue, AttributeSink } from './attributes.ts';
import { cleanText } from './clean-text.ts';
import { isMessageEvent } from './content.ts';
import { bounds, NotOtlp, type RawEvent, type RawSpan, type ReadOptions, type SentSpans } from './raw-span.ts';

/*
 * ExportTraceServiceRequest of opentelemetry-proto 1.x, field by field. Only values that are kept become texts and objects, so that a
 * request costs little more than its bytes. Unknown fields are skipped, as protobuf requires.
 */

/** Throws NotOtlp. */
export function readProtobuf(bytes: Uint8Array, options: ReadOptions = {}): SentSpans {
  const sent: SentSpans = { spans: [], unread: 0 };
  try {
    // resource_spans = 1, in it scope_spans = 2, in it spans = 2
    eachMessage(bytes, 1, (resource) =>
      eachMessage(resource, 2, (scope) =>
        eachMessage(scope, 2, (span) => {
          if (sent.spans.length < bounds.spans) sent.spans.push(readSpan(span, options));
          else sent.unread += 1;
        }),
      ),
    );
  } catch (error) {
    throw new NotOtlp(`This is not an ExportTraceServiceRequest: ${(error as Error).message}`);
  }
  return sent;
}

type Field = (reader: BinaryReader) => void;

/** Reads the fields of a message; those without a reader are skipped, as are fields of another wire type than expected. */
function readFields(bytes: Uint8Array, fields: Record<number, [WireType, Field]>): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    const field = fields[number];
    if (field === undefined) reader.skip(wire, number, bounds.depth);
    else if (field[0] === wire) field[1](reader);
    else throw new Error(`field ${number} has the wrong type`);
  }
  // A truncated number is read past the end.
  if (reader.pos > reader.len) throw new Error('it is cut off');
}

function eachMessage(bytes: Uint8Array, number: number, take: (message: Uint8Array) => void): void {
  readFields(bytes, { [number]: [WireType.LengthDelimited, (reader) => take(reader.bytes())] });
}

function readSpan(bytes: Uint8Array, { keepsContent }: ReadOptions): RawSpan {
  const attributes = new AttributeSink({ most: bounds.attributes, keepsContent });
  const span: RawSpan = {
    trace_id: '',
    span_id: '',
    parent_span_id: '',
    name: '',
    kind: 0,
    start_ns: 0n,
    end_ns: 0n,
    attributes: attributes.values,
    content: attributes.content,
    events: [],
    status: 0,
    status_message: '',
    dropped: 0,
    content_dropped: 0,
  };
  const bytesField = (take: (value: Uint8Array) => void): [WireType, Field] => [WireType.LengthDelimited, (reader) => take(reader.bytes())];
  const timeField = (take: (value: bigint) => void): [WireType, Field] => [WireType.Bit64, (reader) => take(BigInt(reader.fixed64()))];
  const countField: [WireType, Field] = [WireType.Varint, (reader) => (span.dropped += reader.uint32())];
  readFields(bytes, {
    1: bytesField((value) => (span.trace_id = hex(value, 16))),
    2: bytesField((value) => (span.span_id = hex(value, 8))),
    4: bytesField((value) => (span.parent_span_id = hex(value, 8))),
    5: bytesField((value) => (span.name = text(value, bounds.name))),
    6: [WireType.Varint, (reader) => (span.kind = reader.uint32())],
    7: timeField((value) => (span.start_ns = value)),
    8: timeField((value) => (span.end_ns = value)),
    9: bytesField((value) => readAttribute(value, attributes)),
    10: countField,
    11: bytesField((value) => {
      if (span.events.length < bounds.events) span.events.push(readEvent(value, span, keepsContent));
      else span.dropped += 1;
    }),
    12: countField,
    15: bytesField((value) =>
      readFields(value, {
        2: bytesField((message) => (span.status_message = text(message, bounds.text))),
        3: [WireType.Varint, (reader) => (span.status = reader.uint32())],
      }),
    ),
  });
  span.dropped += attributes.dropped;
  span.content_dropped += attributes.contentDropped;
  return span;
}

function readEvent(bytes: Uint8Array, span: RawSpan, keepsContent: boolean | undefined): RawEvent {
  const given: Uint8Array[] = [];
  let name = '';
  let at_ns = 0n;
  readFields(bytes, {
    1: [WireType.Bit64, (reader) => (at_ns = BigInt(reader.fixed64()))],
    2: [WireType.LengthDelimited, (reader) => (name = text(reader.bytes(), bounds.name))],
    3: [WireType.LengthDelimited, (reader) => given.push(reader.bytes())],
  });
  const attributes = new AttributeSink({ most: bounds.eventAttributes, isMessage: isMessageEvent(name), keepsContent });
  for (const attribute of given) readAttribute(attribute, attributes);
  span.dropped += attributes.dropped;
  span.content_dropped += attributes.contentDropped;
  return { name, at_ns, attributes: attributes.values, content: attributes.content };
}

/** KeyValue: key = 1, value = 2, in any order. */
function readAttribute(bytes: Uint8Array, sink: AttributeSink): void {
  const { name, value } = readKeyValue(bytes);
  sink.add(name, (most) => readValue(value, { depth: 0, most }));
}

function readKeyValue(bytes: Uint8Array): { name: string; value: Uint8Array } {
  let name = '';
  let value = new Uint8Array();
  readFields(bytes, {
    1: [WireType.LengthDelimited, (reader) => (name = text(reader.bytes(), bounds.attributeName + 1))],
    2: [WireType.LengthDelimited, (reader) => (value = reader.bytes() as Uint8Array<ArrayBuffer>)],
  });
  return { name, value };
}

interface Within {
  depth: number;
  /** Maximum characters of a text. */
  most: number;
}

/** AnyValue. The last of several fields counts. */
function readValue(bytes: Uint8Array, within: Within): AnyValue {
  if (within.depth > bounds.depth) throw new Error('a value is nested too deeply');
  let value: AnyValue = null;
  readFields(bytes, {
    1: [WireType.LengthDelimited, (reader) => (value = text(reader.bytes(), within.most))],
    2: [WireType.Varint, (reader) => (value = reader.bool())],
    3: [WireType.Varint, (reader) => (value = Number(reader.int64()))],
    4: [WireType.Bit64, (reader) => (value = finite(reader.double()))],
    5: [WireType.LengthDelimited, (reader) => (value = readList(reader.bytes(), within))],
    6: [WireType.LengthDelimited, (reader) => (value = readMap(reader.bytes(), within))],
    7: [WireType.LengthDelimited, (reader) => (value = new Map([['', reader.bytes().length]]))],
  });
  return value;
}

function readList(bytes: Uint8Array, { depth, most }: Within): AnyValue[] {
  const list: AnyValue[] = [];
  eachMessage(bytes, 1, (entry) => {
    if (list.length < bounds.arrayEntries) list.push(readValue(entry, { depth: depth + 1, most }));
  });
  return list;
}

function readMap(bytes: Uint8Array, { depth, most }: Within): AnyValue {
  const map = new Map<string, AnyValue>();
  eachMessage(bytes, 1, (entry) => {
    if (map.size >= bounds.arrayEntries) return;
    const { name, value } = readKeyValue(entry);
    map.set(name, readValue(value, { depth: depth + 1, most }));
  });
  return map;
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** An id of the given number of bytes; '' for anything else, and for zeros alone, which OTLP forbids. */
function hex(bytes: Uint8Array, length: number): string {
  return bytes.length === length && bytes.some((byte) => byte !== 0) ? Buffer.from(bytes).toString('hex') : '';
}

/** Reads at most the given number of characters, and no more bytes than these can take. Invalid UTF-8 becomes �. */
function text(bytes: Uint8Array, most: number): string {
  const cut = bytes.length > most * 4 ? bytes.subarray(0, most * 4) : bytes;
  return cleanText(Buffer.from(cut.buffer, cut.byteOffset, cut.byteLength).toString('utf8'), most);
}
