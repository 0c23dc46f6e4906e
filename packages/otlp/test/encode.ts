import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** A span as tests and load programs send it. */
export interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind?: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: { key: string; value: SentValue }[];
  events?: { name: string; timeUnixNano: string; attributes?: { key: string; value: SentValue }[] }[];
  status?: { code?: number; message?: string };
}
export type SentValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: SentValue[] } };

export const inJson = (spans: readonly SentSpan[]): string =>
  JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans: [{ spans }] }] });

/** The protobuf form of the same. */
export function inProtobuf(spans: readonly SentSpan[]): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.LengthDelimited).fork().join();
  writer.tag(2, WireType.LengthDelimited).fork();
  for (const span of spans) writeSpan(writer.tag(2, WireType.LengthDelimited).fork(), span).join();
  return writer.join().join().finish();
}

function writeSpan(writer: BinaryWriter, span: SentSpan): BinaryWriter {
  writer.tag(1, WireType.LengthDelimited).bytes(Buffer.from(span.traceId, 'hex'));
  writer.tag(2, WireType.LengthDelimited).bytes(Buffer.from(span.spanId, 'hex'));
  if (span.parentSpanId) writer.tag(4, WireType.LengthDelimited).bytes(Buffer.from(span.parentSpanId, 'hex'));
  writer.tag(5, WireType.LengthDelimited).string(span.name);
  if (span.kind !== undefined) writer.tag(6, WireType.Varint).int32(span.kind);
  writer.tag(7, WireType.Bit64).fixed64(span.startTimeUnixNano);
  writer.tag(8, WireType.Bit64).fixed64(span.endTimeUnixNano);
  for (const attribute of span.attributes ?? []) writeAttribute(writer, 9, attribute);
  for (const event of span.events ?? []) {
    writer.tag(11, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.Bit64).fixed64(event.timeUnixNano).tag(2, WireType.LengthDelimited).string(event.name);
    for (const attribute of event.attributes ?? []) writeAttribute(writer, 3, attribute);
    writer.join();
  }
  if (span.status) {
    writer.tag(15, WireType.LengthDelimited).fork();
    if (span.status.message !== undefined) writer.tag(2, WireType.LengthDelimited).string(span.status.message);
    if (span.status.code !== undefined) writer.tag(3, WireType.Varint).int32(span.status.code);
    writer.join();
  }
  return writer;
}

function writeAttribute(writer: BinaryWriter, field: number, { key, value }: { key: string; value: SentValue }): void {
  writer.tag(field, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).string(key);
  writeValue(writer.tag(2, WireType.LengthDelimited).fork(), value).join();
  writer.join();
}

function writeValue(writer: BinaryWriter, value: SentValue): BinaryWriter {
  if ('stringValue' in value) return writer.tag(1, WireType.LengthDelimited).string(value.stringValue);
  if ('boolValue' in value) return writer.tag(2, WireType.Varint).bool(value.boolValue);
  if ('intValue' in value) return writer.tag(3, WireType.Varint).int64(value.intValue);
  if ('doubleValue' in value) return writer.tag(4, WireType.Bit64).double(value.doubleValue);
  writer.tag(5, WireType.LengthDelimited).fork();
  for (const entry of value.arrayValue.values) writeValue(writer.tag(1, WireType.LengthDelimited).fork(), entry).join();
  return writer.join();
}
