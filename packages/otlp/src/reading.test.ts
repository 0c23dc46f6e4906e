import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { inJson, inProtobuf, type SentSpan, type SentValue } from '../test/encode.ts';
import { bounds, NotOtlp } from './raw-span.ts';
import { readJson } from './read-json.ts';
import { readProtobuf } from './read-protobuf.ts';

const hexOf = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: length, maxLength: length });
const scalar: fc.Arbitrary<SentValue> = fc.oneof(
  fc.string({ unit: 'binary' }).map((stringValue) => ({ stringValue })),
  fc.boolean().map((boolValue) => ({ boolValue })),
  fc.maxSafeInteger().map((value) => ({ intValue: String(value) })),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => ({ doubleValue: Object.is(value, -0) ? 0 : value })),
);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 40 }).map((values) => ({ arrayValue: { values } })),
);
const names = fc.oneof(fc.string({ maxLength: 140 }), fc.constantFrom('gen_ai.usage.input_tokens', 'input.value', 'url.full', '__proto__'));
const attributes = fc.array(fc.record({ key: names, value }), { maxLength: 20 });
const time = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String);
const span: fc.Arbitrary<SentSpan> = fc.record({
  traceId: hexOf(32),
  spanId: hexOf(16),
  parentSpanId: hexOf(16),
  name: fc.string({ unit: 'binary', maxLength: 300 }),
  kind: fc.integer({ min: 0, max: 9 }),
  startTimeUnixNano: time,
  endTimeUnixNano: time,
  attributes,
  events: fc.array(fc.record({ name: fc.constantFrom('exception', 'gen_ai.choice', 'x'), timeUnixNano: time, attributes }), {
    maxLength: 4,
  }),
  status: fc.record({ code: fc.integer({ min: 0, max: 5 }), message: fc.string() }),
});

test('both forms of OTLP read alike', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 4 }), (spans) => {
      // JSON can contain lone surrogates, protobuf cannot.
      const sent = JSON.parse(JSON.stringify(spans), (_, text) => (typeof text === 'string' ? text.toWellFormed() : text)) as SentSpan[];
      assert.deepEqual(readProtobuf(inProtobuf(sent)), readJson(inJson(sent)));
    }),
  );
});

test('whatever comes instead of OTLP is refused as such, and nothing else is thrown', () => {
  const refused = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      assert.ok(error instanceof NotOtlp, String(error));
    }
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => refused(() => readProtobuf(bytes))));
  fc.assert(fc.property(fc.json(), (body) => refused(() => readJson(body))));
  fc.assert(
    fc.property(fc.array(span, { minLength: 1, maxLength: 3 }), fc.nat(), fc.nat({ max: 255 }), (spans, at, byte) => {
      const bytes = inProtobuf(spans);
      const damaged = Uint8Array.from(bytes);
      damaged[at % bytes.length] = byte;
      refused(() => readProtobuf(damaged));
      refused(() => readProtobuf(bytes.subarray(0, at % bytes.length)));
    }),
  );
});

const one = (more: Partial<SentSpan> = {}): SentSpan => ({
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  name: 'one',
  startTimeUnixNano: '1',
  endTimeUnixNano: '2',
  ...more,
});
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

test('of a span that is too large only a part is kept, and the rest is counted', () => {
  const many = Array.from({ length: 1_000 }, (_, n) => text(`many.${n}`, 'x'.repeat(2_000)));
  const [span] = readProtobuf(inProtobuf([one({ name: 'n'.repeat(1e6), attributes: many })])).spans;
  assert.equal(span?.name.length, bounds.name + 1);
  assert.equal(span?.attributes.size, bounds.attributes);
  assert.equal(span?.attributes.get('many.0'), `${'x'.repeat(bounds.text)}…`);
  assert.equal(span?.dropped, 1_000 - bounds.attributes);
  const events = Array.from({ length: 100 }, () => ({ name: 'e', timeUnixNano: '1' }));
  const [busy] = readJson(inJson([one({ events })])).spans;
  assert.deepEqual([busy?.events.length, busy?.dropped], [bounds.events, 100 - bounds.events]);
});

test('spans beyond the bound of one sending are counted and not read', () => {
  const { spans, unread } = readProtobuf(inProtobuf(Array.from({ length: bounds.spans + 5 }, () => one())));
  assert.deepEqual([spans.length, unread], [bounds.spans, 5]);
});

test('a list within lists without end is refused', () => {
  let value: SentValue = { intValue: '1' };
  for (let depth = 0; depth < 100; depth++) value = { arrayValue: { values: [value] } };
  const nested = [one({ attributes: [{ key: 'deep', value }] })];
  assert.throws(() => readProtobuf(inProtobuf(nested)), NotOtlp);
  assert.throws(() => readJson(inJson(nested)), NotOtlp);
});

test('ids that are none, such as zeros alone, read as empty', () => {
  const [span] = readJson(inJson([one({ traceId: '0'.repeat(32), spanId: 'xyz', parentSpanId: 'B'.repeat(16) })])).spans;
  assert.deepEqual([span?.trace_id, span?.span_id, span?.parent_span_id], ['', '', 'b'.repeat(16)]);
});
