import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttributeValue } from './raw-span.ts';
import { readSemantics } from './span-semantics.ts';

const of = (attributes: Record<string, AttributeValue>) =>
  readSemantics({ attributes: new Map(Object.entries(attributes)), events: [], start_ns: 0n });

test('each convention names the same kinds', () => {
  const table: [string, Record<string, AttributeValue>][] = [
    ['model', { 'gen_ai.operation.name': 'chat' }],
    ['model', { 'gen_ai.system': 'openai', 'gen_ai.request.model': 'gpt-4o' }],
    ['model', { 'gen_ai.operation.name': 'acompletion' }],
    ['embedding', { 'gen_ai.operation.name': 'aembedding' }],
    ['model', { 'openinference.span.kind': 'LLM' }],
    ['model', { 'llm.request.type': 'chat' }],
    ['model', { 'ai.operationId': 'ai.generateText.doGenerate' }],
    ['agent', { 'ai.operationId': 'ai.generateText', 'ai.usage.promptTokens': 5 }],
    ['agent', { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.request.model': 'gpt-4o' }],
    ['agent', { 'traceloop.span.kind': 'workflow' }],
    ['tool', { 'gen_ai.operation.name': 'execute_tool' }],
    ['tool', { 'openinference.span.kind': 'TOOL' }],
    ['tool', { 'mcp.method.name': 'tools/call' }],
    ['embedding', { 'gen_ai.operation.name': 'embeddings' }],
    ['retrieval', { 'openinference.span.kind': 'RETRIEVER' }],
    ['other', { 'openinference.span.kind': 'CHAIN' }],
    ['other', { 'http.request.method': 'GET' }],
  ];
  for (const [type, attributes] of table) assert.equal(of(attributes).type, type, JSON.stringify(attributes));
});

test('the model that answered counts before the one that was asked for, and providers have one name', () => {
  const { model, provider } = of({
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.response.model': 'gpt-4o-2024-08-06',
    'gen_ai.system': 'az.ai.openai',
  });
  assert.deepEqual([model, provider], ['gpt-4o-2024-08-06', 'azure.ai.openai']);
});

test('tokens of a cache and of reasoning are part of the whole, also where they were told beside it', () => {
  const within = of({ 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.cache_read.input_tokens': 80 });
  assert.deepEqual([within.input_tokens, within.cached_tokens], [100, 80]);
  const beside = of({
    'gen_ai.operation.name': 'chat',
    'gen_ai.usage.input_tokens': 20,
    'gen_ai.usage.cache_read_input_tokens': 80,
    'gen_ai.usage.output_tokens': 10,
    'gen_ai.usage.reasoning_tokens': 40,
  });
  assert.deepEqual([beside.input_tokens, beside.output_tokens], [100, 50]);
});

test('numbers that are told as texts count, and so do the details of the AI SDK’s version 6', () => {
  const texts = of({ 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': '1000', 'gen_ai.usage.output_tokens': '100' });
  assert.deepEqual([texts.input_tokens, texts.output_tokens], [1000, 100]);
  assert.equal(of({ 'gen_ai.usage.input_tokens': '12 tokens' }).input_tokens, null);
  const details = of({
    'ai.operationId': 'ai.streamText.doStream',
    'ai.usage.inputTokens': 1000,
    'ai.usage.outputTokens': 90,
    'ai.usage.inputTokenDetails.cacheReadTokens': 600,
    'ai.usage.inputTokenDetails.cacheWriteTokens': 300,
    'ai.usage.outputTokenDetails.reasoningTokens': 40,
  });
  const { input_tokens, cached_tokens, cache_write_tokens, reasoning_tokens } = details;
  assert.deepEqual([input_tokens, cached_tokens, cache_write_tokens, reasoning_tokens], [1000, 600, 300, 40]);
});

test('a number of tokens that cannot be is no number', () => {
  const { input_tokens, output_tokens } = of({ 'gen_ai.usage.input_tokens': -5, 'gen_ai.usage.output_tokens': 1e30 });
  assert.deepEqual([input_tokens, output_tokens], [null, null]);
});

test('the first part of a streamed answer is found as seconds, as milliseconds and as an event', () => {
  assert.equal(of({ 'gen_ai.response.time_to_first_chunk': 0.25 }).first_chunk_us, 250_000);
  assert.equal(of({ 'ai.response.msToFirstChunk': 250 }).first_chunk_us, 250_000);
  const events = [{ name: 'First Token Stream Event', at_ns: 350_000_000n, attributes: new Map() }];
  assert.equal(readSemantics({ attributes: new Map(), events, start_ns: 100_000_000n }).first_chunk_us, 250_000);
});
