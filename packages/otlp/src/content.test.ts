import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inJson, inProtobuf } from '../test/encode.ts';
import { AttributeSink } from './attributes.ts';
import { bounds } from './raw-span.ts';
import { readJson } from './read-json.ts';
import { readProtobuf } from './read-protobuf.ts';

const taken = (name: string, value: string | number) => {
  const sink = new AttributeSink({ most: 10 });
  sink.add(name, () => value);
  return sink.values.get(name);
};

test('what people and models said is not kept, by whichever convention it is named', () => {
  const names = `gen_ai.input.messages gen_ai.output.messages gen_ai.system_instructions gen_ai.prompt.0.content gen_ai.completion.0.content
    gen_ai.tool.call.arguments gen_ai.tool.call.result gen_ai.tool.definitions gen_ai.retrieval.documents gen_ai.retrieval.query.text
    input.value output.value llm.input_messages.0.message.content llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments
    llm.prompts llm.invocation_parameters llm.tools.0.tool.json_schema retrieval.documents.0.document.content reranker.query
    embedding.embeddings.0.embedding.text traceloop.entity.input traceloop.entity.output ai.prompt ai.prompt.messages ai.response.text
    ai.response.toolCalls ai.toolCall.args ai.toolCall.result all_messages_events pydantic_ai.all_messages tool_arguments tool_response
    langfuse.observation.input mlflow.spanInputs http.request.header.authorization url.query db.query.text http.request.body`;
  for (const name of names.split(/\s+/)) assert.equal(taken(name, 'my secret'), undefined, name);
});

test('what tells of a call without its words is kept', () => {
  const names = `gen_ai.operation.name gen_ai.request.model gen_ai.response.id gen_ai.tool.name gen_ai.agent.name gen_ai.conversation.id
    gen_ai.output.type llm.model_name openinference.span.kind http.request.method exception.message exception.type server.address
    session.id user.id ai.response.finishReason gen_ai.prompt.name`;
  for (const name of names.split(/\s+/)) assert.equal(taken(name, 'kept'), 'kept', name);
  assert.equal(taken('llm.token_count.prompt', 12), 12);
  assert.equal(taken('gen_ai.evaluation.score.value', 0.5), 0.5);
});

test('a long text that begins like JSON is a payload under any name, and an address is kept without its query and password', () => {
  assert.equal(taken('custom.dump', `{"a": "${'x'.repeat(300)}"}`), undefined);
  assert.equal(taken('custom.note', 'x'.repeat(300)), 'x'.repeat(300));
  assert.equal(taken('url.full', 'https://user:password@example.com/a?token=1#b'), 'https://example.com/a');
  assert.equal(taken('http.url', 'https://example.com/a?token=1'), 'https://example.com/a');
});

test('texts hold nothing that a screen or the database acts upon', () => {
  assert.equal(taken('note', 'a\u0000b\u001b[31mc\ud800'), 'a\ufffdb\ufffd[31mc\ufffd');
});

test('who wants content has it apart: texts, lists of texts and nested values as JSON, but no vectors, headers or queries', () => {
  const sink = new AttributeSink({ most: 10, keepsContent: true });
  sink.add('gen_ai.input.messages', (most) => 'x'.repeat(most));
  sink.add('llm.prompts', () => ['one', 'two']);
  sink.add('gen_ai.tool.call.arguments', () => new Map([['city', new Map([['name', 'Ulm']])]]));
  sink.add('custom.dump', () => `{"a": "${'x'.repeat(300)}"}`);
  sink.add('embedding.vector', () => [0.1, 0.2]);
  sink.add('http.request.header.authorization', () => ['Bearer abc']);
  sink.add('url.query', () => 'token=1');
  sink.add('gen_ai.request.model', () => 'gpt-4o');
  assert.deepEqual([...sink.values], [['gen_ai.request.model', 'gpt-4o']]);
  assert.deepEqual([...sink.content.keys()], ['gen_ai.input.messages', 'llm.prompts', 'gen_ai.tool.call.arguments', 'custom.dump']);
  assert.equal(String(sink.content.get('gen_ai.input.messages')).length, bounds.content);
  assert.deepEqual(sink.content.get('llm.prompts'), ['one', 'two']);
  assert.equal(sink.content.get('gen_ai.tool.call.arguments'), '{"city":{"name":"Ulm"}}');
  assert.equal(sink.contentDropped, 3);
});

test('content is the same in both forms of OTLP', () => {
  const attributes = [
    { key: 'input.value', value: { stringValue: 'x'.repeat(9_000) } },
    { key: 'llm.prompts', value: { arrayValue: { values: [{ stringValue: 'a' }] } } },
  ];
  const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'n', startTimeUnixNano: '1', endTimeUnixNano: '2', attributes };
  const [json] = readJson(inJson([span]), { keepsContent: true }).spans;
  const [protobuf] = readProtobuf(inProtobuf([span]), { keepsContent: true }).spans;
  assert.deepEqual(json, protobuf);
  assert.equal(String(json!.content.get('input.value')).length, 9_000);
});
