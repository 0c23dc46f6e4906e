import type { AttributeValue, RawEvent, RawSpan } from './raw-span.ts';

export type SpanType = 'model' | 'embedding' | 'tool' | 'agent' | 'retrieval' | 'other';

/** A span's facts about a model call, under the names of any convention. Null if the span does not contain them. */
export interface SpanSemantics {
  type: SpanType;
  provider: string | null;
  model: string | null;
  /** Includes tokens read from and written to a cache. */
  input_tokens: number | null;
  cached_tokens: number | null;
  cache_write_tokens: number | null;
  /** Includes reasoning tokens. */
  output_tokens: number | null;
  reasoning_tokens: number | null;
  /** Microseconds from its beginning. */
  first_chunk_us: number | null;
}

/*
 * Names: OpenTelemetry's GenAI conventions, current and up to 1.36 (gen_ai.system, prompt_tokens); OpenInference (openinference.span.kind, llm.*);
 * OpenLLMetry (traceloop.*, llm.request.type); the AI SDK (ai.*), up to its version 6; LiteLLM; MCP.
 */
const operations: Record<string, SpanType> = {
  chat: 'model',
  generate_content: 'model',
  text_completion: 'model',
  embeddings: 'embedding',
  // LiteLLM's own callback names its functions.
  completion: 'model',
  acompletion: 'model',
  atext_completion: 'model',
  responses: 'model',
  aresponses: 'model',
  anthropic_messages: 'model',
  agenerate_content: 'model',
  embedding: 'embedding',
  aembedding: 'embedding',
  rerank: 'retrieval',
  arerank: 'retrieval',
  execute_tool: 'tool',
  create_agent: 'agent',
  invoke_agent: 'agent',
  invoke_workflow: 'agent',
  retrieval: 'retrieval',
};
/** Operations of the GenAI conventions, with which the names of their spans begin: 'invoke_agent Strands Agents'. */
export const isOperation = (word: string): boolean => Object.hasOwn(operations, word);

const openInference: Record<string, SpanType> = {
  LLM: 'model',
  EMBEDDING: 'embedding',
  TOOL: 'tool',
  AGENT: 'agent',
  RETRIEVER: 'retrieval',
  RERANKER: 'retrieval',
};
const openLlmetry: Record<string, SpanType> = {
  chat: 'model',
  completion: 'model',
  embedding: 'embedding',
  rerank: 'retrieval',
  agent: 'agent',
  workflow: 'agent',
  tool: 'tool',
};
const providers: Record<string, string> = {
  xai: 'x_ai',
  'az.ai.openai': 'azure.ai.openai',
  'az.ai.inference': 'azure.ai.inference',
  azure: 'azure.ai.openai',
  vertex_ai: 'gcp.vertex_ai',
  vertexai: 'gcp.vertex_ai',
  gemini: 'gcp.gemini',
  google: 'gcp.gen_ai',
  mistralai: 'mistral_ai',
  bedrock: 'aws.bedrock',
};
const names = {
  provider: ['gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system', 'ai.model.provider'],
  model: [
    'gen_ai.response.model',
    'llm.response.model_name',
    'llm.response.model',
    'ai.response.model',
    'gen_ai.request.model',
    'llm.request.model_name',
    'llm.request.model',
    'llm.model_name',
    'embedding.model_name',
    'ai.model.id',
  ],
  input: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'llm.usage.prompt_tokens',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
  ],
  output: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'llm.usage.completion_tokens',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  ],
  cached: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.cached_input_tokens',
    'gen_ai.usage.input_tokens.cached',
    'llm.token_count.prompt_details.cache_read',
    'llm.usage.cache_read_input_tokens',
    'ai.usage.cachedInputTokens',
    'ai.usage.inputTokenDetails.cacheReadTokens',
  ],
  cacheWrite: [
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'llm.token_count.prompt_details.cache_write',
    'llm.usage.cache_creation_input_tokens',
    'ai.usage.inputTokenDetails.cacheWriteTokens',
  ],
  reasoning: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.output_tokens.reasoning',
    'llm.token_count.completion_details.reasoning',
    'llm.usage.reasoning_tokens',
    'ai.usage.reasoningTokens',
    'ai.usage.outputTokenDetails.reasoningTokens',
  ],
  total: ['gen_ai.usage.total_tokens', 'llm.usage.total_tokens', 'llm.token_count.total', 'ai.usage.tokens'],
  firstChunkSeconds: ['gen_ai.response.time_to_first_chunk', 'gen_ai.server.time_to_first_token'],
  firstChunkMs: ['ai.response.msToFirstChunk'],
};
const firstChunkEvents = new Set([
  'First Token Stream Event',
  'llm.content.completion.chunk',
  'gen_ai.content.chunk',
  'ai.stream.firstChunk',
]);
/** Maximum plausible tokens. No model accepts more in one call, so a larger number is a counting error. */
const maxTokens = 1_000_000_000;

/** The fields of a span that are read here. */
type Told = Pick<RawSpan, 'attributes' | 'start_ns'> & { events: Pick<RawEvent, 'name' | 'at_ns'>[] };

export function readSemantics(span: Told): SpanSemantics {
  const { attributes } = span;
  const type = detectSpanType(attributes);
  const cached_tokens = tokens(attributes, names.cached);
  const cache_write_tokens = tokens(attributes, names.cacheWrite);
  const reasoning_tokens = tokens(attributes, names.reasoning);
  const input = tokens(attributes, names.input) ?? (type === 'embedding' ? tokens(attributes, names.total) : null);
  const output = tokens(attributes, names.output);
  const ofCache = (cached_tokens ?? 0) + (cache_write_tokens ?? 0);
  const provider = firstText(attributes, names.provider)?.toLowerCase() ?? null;
  return {
    type,
    provider: provider === null ? null : (providers[provider] ?? provider),
    model: firstText(attributes, names.model)?.slice(0, 128) ?? null,
    // By the conventions cached tokens are part of the input, and reasoning tokens part of the output. A part that is larger than its whole
    // shows that it was reported separately, as some providers and older libraries do.
    input_tokens: input !== null && ofCache > input ? input + ofCache : input,
    cached_tokens,
    cache_write_tokens,
    output_tokens: output !== null && reasoning_tokens !== null && reasoning_tokens > output ? output + reasoning_tokens : output,
    reasoning_tokens,
    first_chunk_us: firstChunk(span),
  };
}

function detectSpanType(attributes: Map<string, AttributeValue>): SpanType {
  const operation = readText(attributes, 'gen_ai.operation.name');
  if (operation !== undefined) return operations[operation] ?? 'other';
  const kind = readText(attributes, 'openinference.span.kind');
  if (kind !== undefined) return openInference[kind.toUpperCase()] ?? 'other';
  const traceloop = readText(attributes, 'llm.request.type') ?? readText(attributes, 'traceloop.span.kind');
  if (traceloop !== undefined) return openLlmetry[traceloop] ?? 'other';
  const sdk = readText(attributes, 'ai.operationId');
  if (sdk !== undefined) return ofAiSdk(sdk);
  if (readText(attributes, 'mcp.method.name') === 'tools/call') return 'tool';
  return attributes.has('gen_ai.request.model') || attributes.has('gen_ai.response.model') ? 'model' : 'other';
}

/** `ai.generateText` is a turn that may call a model several times. The calls are the `do…` spans within it. */
function ofAiSdk(operation: string): SpanType {
  if (/\.do(Generate|Stream)$/.test(operation)) return 'model';
  if (operation.endsWith('.doEmbed')) return 'embedding';
  if (operation === 'ai.toolCall') return 'tool';
  return /^ai\.(generate|stream)/.test(operation) ? 'agent' : 'other';
}

function firstChunk({ attributes, events, start_ns }: Told): number | null {
  const seconds = number(attributes, names.firstChunkSeconds);
  if (seconds !== null) return Math.round(seconds * 1e6);
  const ms = number(attributes, names.firstChunkMs);
  if (ms !== null) return Math.round(ms * 1e3);
  const event = events.find(({ name }) => firstChunkEvents.has(name));
  return event && event.at_ns >= start_ns ? Number((event.at_ns - start_ns) / 1000n) : null;
}

function readText(attributes: Map<string, AttributeValue>, name: string): string | undefined {
  const value = attributes.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function firstText(attributes: Map<string, AttributeValue>, candidates: readonly string[]): string | undefined {
  for (const name of candidates) {
    const value = readText(attributes, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

function number(attributes: Map<string, AttributeValue>, candidates: readonly string[]): number | null {
  for (const name of candidates) {
    const told = attributes.get(name);
    // Some exporters send every value as a text.
    const value = typeof told === 'string' && /^\d{1,10}(?:\.\d{1,9})?$/.test(told) ? Number(told) : told;
    if (typeof value === 'number' && value >= 0 && value <= maxTokens) return value;
  }
  return null;
}

function tokens(attributes: Map<string, AttributeValue>, candidates: readonly string[]): number | null {
  const value = number(attributes, candidates);
  return value === null ? null : Math.round(value);
}
