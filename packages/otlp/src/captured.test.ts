import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readProtobuf } from './read-protobuf.ts';
import { readSemantics } from './span-semantics.ts';

const captured = ['openinference-node', 'openinference-python', 'openllmetry-python'];
const bytesOf = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', `${name}.bin`));

for (const name of captured) {
  test(`what ${name} sends shows as two model calls with tokens, a tool call and a turn, in the visitor's trace`, () => {
    const { spans, unread } = readProtobuf(bytesOf(name));
    assert.equal(unread, 0);
    assert.deepEqual(spans.map((span) => readSemantics(span).type).sort(), ['agent', 'model', 'model', 'other', 'tool']);
    for (const span of spans) {
      assert.equal(span.trace_id, '4bf92f3577b34da6a3ce929d0e0e4736');
      assert.ok(span.end_ns >= span.start_ns && span.start_ns > 1_700_000_000n * 1_000_000_000n);
    }
    const outermost = spans.filter(({ parent_span_id }) => !spans.some(({ span_id }) => span_id === parent_span_id));
    assert.deepEqual(
      outermost.map(({ name, kind, parent_span_id }) => ({ name, kind, parent_span_id })),
      [{ name: 'POST /invocations', kind: 2, parent_span_id: '00f067aa0ba902b7' }],
    );
    for (const call of spans.map(readSemantics).filter(({ type }) => type === 'model')) {
      const { provider, model, input_tokens, cached_tokens, output_tokens } = call;
      assert.deepEqual(
        { provider, model, input_tokens, cached_tokens, output_tokens },
        { provider: 'openai', model: 'gpt-4o-mini', input_tokens: 120, cached_tokens: 20, output_tokens: 30 },
      );
    }
  });

  test(`of what ${name} sends nothing is kept that the person or the model said, and what is left out is counted`, () => {
    const { spans } = readProtobuf(bytesOf(name));
    const sent = bytesOf(name).toString('latin1');
    const kept = spans
      .map(({ attributes, events }) => JSON.stringify([[...attributes], events.map((event) => [...event.attributes])]))
      .join();
    for (const said of ['How many words', 'Your question has', 'Counts the words']) {
      assert.ok(!kept.includes(said), said);
    }
    assert.ok(sent.includes('How many words'), 'it was sent');
    assert.ok(spans.reduce((sum, span) => sum + span.content_dropped, 0) >= 4);
  });
}
