import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AttributeSink } from './attributes.ts';

const taken = (name: string, value: string | number) => {
  const sink = new AttributeSink(10);
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
