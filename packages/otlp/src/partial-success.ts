import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** ExportTraceServiceResponse; empty if everything was accepted. */
export function partialSuccess(form: 'json' | 'protobuf', { rejected, why }: { rejected: number; why: string }): Uint8Array {
  if (form === 'json') {
    const partial = rejected > 0 ? { partialSuccess: { rejectedSpans: String(rejected), errorMessage: why } } : {};
    return Buffer.from(JSON.stringify(partial));
  }
  const writer = new BinaryWriter();
  if (rejected > 0) {
    writer.tag(1, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.Varint).int64(rejected).tag(2, WireType.LengthDelimited).string(why);
    writer.join();
  }
  return writer.finish();
}
