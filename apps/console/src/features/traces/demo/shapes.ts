import type { Span } from '@paddock/contract';

/** A step of a sample trace. It begins when the previous step has ended, unless `at` is given (after its parent's start). */
export interface Step {
  name: string;
  type: Span['type'];
  ms: number;
  at?: number;
  kind?: Span['kind'];
  model?: string;
  provider?: string;
  /** `cached` tokens are part of the input, `reasoning` tokens part of the output. */
  tokens?: { input: number; output: number; cached?: number; reasoning?: number };
  firstChunkMs?: number;
  error?: string;
  attributes?: Span['attributes'];
  /** Number of attributes with prompts and answers, which are not stored. */
  content?: number;
  inner?: readonly Step[];
}

/** A sample trace, and the log line that the agent wrote about it. */
export interface Shape {
  root: Step;
  line?: { level: 'info' | 'error'; message: string };
}

const http = (method: string, path: string, status = 200): Span['attributes'] => ({
  'http.request.method': method,
  'url.path': path,
  'http.response.status_code': status,
});

/** The visitor's request as the gateway saw it, and what the agent did in it. */
function request(path: string, given: { ms: number; status?: number; error?: string; inner?: readonly Step[] }): Step {
  const { ms, status = 200, error, inner } = given;
  const name = `POST ${path}`;
  const failed = error === undefined ? {} : { error };
  const attributes = http('POST', path, status);
  const served: Step = { name, type: 'other', kind: 'server', at: 2, ms: ms - 4, attributes, ...failed, inner: inner ?? [] };
  return { name, type: 'request', kind: 'server', ms, attributes, ...failed, inner: inner ? [served] : [] };
}

type ModelStep = Pick<Step, 'ms' | 'tokens' | 'firstChunkMs' | 'error' | 'at'>;

const chat = (provider: string, model: string, step: ModelStep): Step => ({
  name: `chat ${model}`,
  type: 'model',
  kind: 'client',
  provider,
  model,
  content: 2,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': model,
    ...(step.error ? {} : { 'gen_ai.response.finish_reasons': ['stop'] }),
  },
  ...step,
});

const tool = (name: string, step: Pick<Step, 'ms' | 'at' | 'error'>): Step => ({
  name: `execute_tool ${name}`,
  type: 'tool',
  content: 2,
  attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name },
  ...step,
});

const agent = (name: string, ms: number, inner: readonly Step[]): Step => ({
  name: `invoke_agent ${name}`,
  type: 'agent',
  ms,
  inner,
});

const retrieval = (ms: number): Step => ({
  name: 'retrieve handbook',
  type: 'retrieval',
  ms,
  inner: [
    {
      name: 'embeddings text-embedding-3-small',
      type: 'embedding',
      kind: 'client',
      provider: 'openai',
      model: 'text-embedding-3-small',
      ms: ms * 0.6,
      tokens: { input: 41, output: 0 },
    },
    { name: 'SELECT handbook', type: 'other', kind: 'client', ms: ms * 0.3 },
  ],
});

const overloaded = '529 overloaded_error: the model is overloaded';

const routed: Shape = {
  root: request('/v1/chat/completions', {
    ms: 1840,
    inner: [
      agent('support-router', 1828, [
        retrieval(96),
        chat('openai', 'gpt-5-mini', { ms: 610, firstChunkMs: 240, tokens: { input: 1480, output: 64, cached: 1024 } }),
        tool('look_up_order', { ms: 120 }),
        chat('openai', 'gpt-5-mini', { ms: 980, firstChunkMs: 310, tokens: { input: 1730, output: 212, cached: 1408, reasoning: 64 } }),
      ]),
    ],
  }),
  line: { level: 'info', message: 'routed a ticket to billing' },
};

const quick: Shape = { root: request('/ping', { ms: 11 }) };

const tuned: Shape = {
  root: request('/v1/chat/completions', {
    ms: 720,
    inner: [
      agent('support-router', 708, [
        chat('openai', 'gpt-5-mini', { ms: 300, firstChunkMs: 190, tokens: { input: 640, output: 18 } }),
        chat('acme', 'acme-router-7b', { ms: 380, tokens: { input: 512, output: 9 } }),
      ]),
    ],
  }),
  line: { level: 'info', message: 'routed a ticket to shipping' },
};

const local: Shape = {
  root: request('/v1/chat/completions', {
    ms: 410,
    inner: [chat('acme', 'acme-router-7b', { ms: 380, tokens: { input: 498, output: 7 } })],
  }),
};

const refused: Shape = {
  root: request('/v1/chat/completions', {
    ms: 2410,
    status: 502,
    error: '502 Bad Gateway',
    inner: [
      {
        ...agent('support-router', 2398, [
          retrieval(88),
          chat('anthropic', 'claude-sonnet-4-5', { ms: 2290, error: overloaded, tokens: { input: 2210, output: 0 } }),
        ]),
        error: overloaded,
      },
    ],
  }),
  line: { level: 'error', message: 'the model answered 529' },
};

/** Pages fetched in parallel in one turn of a scout. */
const fetched = (count: number): Step[] =>
  Array.from({ length: count }, (_, n) => tool('fetch_page', { at: 900 + 40 * n, ms: 380 + ((n * 137) % 700) }));

/** The project of this agent keeps prompts and answers, redacted. */
const withContent = (step: Step): Step => ({
  ...step,
  content: 0,
  attributes: {
    ...step.attributes,
    'gen_ai.input.messages': JSON.stringify([
      { role: 'system', parts: [{ type: 'text', content: 'Answer from the pages alone, and name them.' }] },
      { role: 'user', parts: [{ type: 'text', content: 'Which of our suppliers had an outage this week? Send it to [EMAIL].' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', name: 'fetch_page', arguments: { url: 'https://status.example.org/history' } }] },
    ]),
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: 'One: the payment provider, on Tuesday from 09:10 to 09:52 UTC.' }] },
    ]),
  },
});

const scouted = (pages: number): Shape => ({
  root: request('/invocations', {
    ms: 6400,
    inner: [
      agent('web-scout', 6390, [
        chat('anthropic', 'claude-sonnet-4-5', { ms: 860, firstChunkMs: 420, tokens: { input: 2890, output: 96 } }),
        ...fetched(pages),
        agent('reader', 2200, [
          chat('anthropic', 'claude-haiku-4-5', { ms: 2100, firstChunkMs: 350, tokens: { input: 18_400, output: 640, cached: 2048 } }),
        ]),
        withContent(
          chat('anthropic', 'claude-sonnet-4-5', {
            at: 4700,
            ms: 1650,
            firstChunkMs: 520,
            tokens: { input: 6120, output: 540, cached: 2816, reasoning: 180 },
          }),
        ),
      ]),
    ],
  }),
  line: { level: 'info', message: `answered from ${pages} pages` },
});

const lost: Shape = {
  root: request('/invocations', {
    ms: 5200,
    inner: [
      agent('web-scout', 5188, [
        chat('anthropic', 'claude-sonnet-4-5', { ms: 890, firstChunkMs: 400, tokens: { input: 2740, output: 88 } }),
        tool('fetch_page', { ms: 3000, error: 'TimeoutError: no answer within 3 s' }),
        chat('anthropic', 'claude-sonnet-4-5', { ms: 1200, firstChunkMs: 460, tokens: { input: 3010, output: 190, cached: 2560 } }),
      ]),
    ],
  }),
  line: { level: 'error', message: 'a page did not answer within 3 s' },
};

/** The sequence of traces of each agent of the demo, by project and environment. */
export const shapesOf: Readonly<Record<string, readonly Shape[]>> = {
  'support-router production': [routed, routed, quick, tuned, routed, quick, routed, local, refused, routed, tuned],
  'support-router preview': [routed, refused, quick, local, refused],
  'web-scout production': [scouted(3), quick, scouted(6), lost, scouted(40)],
};
