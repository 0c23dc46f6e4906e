export { partialSuccess } from './partial-success.ts';
export {
  type AttributeValue,
  bounds,
  NotOtlp,
  type RawEvent,
  type RawSpan,
  type ReadOptions,
  type Scalar,
  type SentSpans,
} from './raw-span.ts';
export { readJson } from './read-json.ts';
export { readProtobuf } from './read-protobuf.ts';
export { readSemantics, type SpanSemantics, type SpanType } from './span-semantics.ts';
export { isTechnical, isTechnicalName } from './technical.ts';
