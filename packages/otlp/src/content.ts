/**
 * Recognizes attributes with content: prompts, answers, arguments and results of tools, documents. The names are those of OpenTelemetry's
 * GenAI conventions, current and older, of OpenInference, and of libraries with their own names.
 */

/** Last parts of names that indicate content, whatever the part before them. */
const lastParts = new Set(
  `answer args arguments body completion completions content document documents events final_result input input_data inputs instructions
  json_schema message messages metadata output output_data outputs parameters prompt prompts query question records request_data response
  response_data result results spaninputs spanoutputs system_instructions system_prompt template text tool_arguments tool_response toolcalls
  transcript value values variables vector`.split(/\s+/),
);
const beginnings = [
  'gen_ai.prompt',
  'gen_ai.completion',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.tool.definitions',
  'gen_ai.evaluation.explanation',
  'llm.input_messages',
  'llm.output_messages',
  'llm.prompts',
  'llm.prompt_template',
  'llm.choices',
  'llm.tools',
  'llm.function_call',
  'llm.request.functions',
  'llm.invocation_parameters',
  'retrieval.documents',
  'reranker.input_documents',
  'reranker.output_documents',
  'embedding.embeddings',
  'message.contents',
  'tool_call.function',
  'ai.prompt',
  'ai.response.object',
  'ai.response.reasoning',
  'ai.response.files',
  'ai.result.object',
  'ai.schema',
  'mcp.request.argument',
  'all_messages_events',
  'pydantic_ai.all_messages',
  'model_request_parameters',
];
/** Headers and queries carry credentials. */
const withCredentials = ['http.request.header', 'http.response.header', 'url.query', 'http.query'];
/** The messages of errors are kept: without them nobody finds the cause. */
const kept = new Set(['exception.message', 'error.message', 'gen_ai.prompt.name', 'gen_ai.prompt.version']);
const messageEvent =
  /^gen_ai\.(content\.(prompt|completion)|choice|(system|user|assistant|tool)\.message|client\.inference\.operation\.details)$/;
/** A text of this length that begins like JSON is a payload, whatever its name. */
const payloadLength = 256;

/** Decides by the name alone. */
export function isContent(name: string): boolean {
  const lower = name.toLowerCase();
  if (kept.has(lower)) return false;
  if (beginsWith(lower, beginnings) || beginsWith(lower, withCredentials)) return true;
  return lastParts.has(lower.slice(lower.lastIndexOf('.') + 1));
}

/** Attributes with credentials are never stored, whatever the project's settings. */
export const mayCarryCredentials = (name: string): boolean => beginsWith(name.toLowerCase(), withCredentials);

const beginsWith = (name: string, list: readonly string[]) => list.some((one) => name === one || name.startsWith(`${one}.`));

export const looksLikePayload = (text: string): boolean => text.length > payloadLength && /^\s*[[{]/.test(text);

/** Every text of such an event is content. */
export const isMessageEvent = (name: string): boolean => messageEvent.test(name);
