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
export { isTechnical, isTechnicalName } from './technical.ts';
export { type SpanType, type Understood, understand } from './understand.ts';
