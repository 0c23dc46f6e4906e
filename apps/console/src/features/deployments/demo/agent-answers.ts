/** A request to an agent of the demo. */
interface Asked {
  method: string;
  path: string;
  body: string;
}
interface Answer {
  status: number;
  type: string;
  /** Each piece is sent after this many milliseconds. */
  pieces: string[];
  pieceMs: number;
}

/** The response of an agent of the demo, which supports every preset. */
export function demoAnswer({ method, path, body }: Asked): Answer {
  const [at = ''] = path.split('?', 1);
  if (at === '/') return method === 'GET' || method === 'HEAD' ? json({ status: 'ok', agent: 'demo' }) : refused;
  const answer = answers[at];
  if (!answer) return json({ detail: 'Not Found' }, 404);
  if (method !== 'POST') return refused;
  const asked = parsed(body);
  return asked ? answer(asked) : json({ detail: 'The body is not a JSON object.' }, 422);
}

type Fields = Record<string, unknown>;

const answers: Record<string, (asked: Fields) => Answer> = {
  '/chat': ({ message }) => json({ reply: replyTo(message) }),
  '/invocations': ({ prompt, input }) => json({ result: replyTo(prompt ?? input) }),
  '/v1/chat/completions': ({ messages, model = 'demo', stream }) => {
    const content = replyTo((Array.isArray(messages) ? messages.at(-1) : undefined)?.content);
    if (stream !== true)
      return json({
        object: 'chat.completion',
        model,
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      });
    const deltas = content.match(/\S+\s*/g) ?? [];
    const chunk = (delta: object) => `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta }] })}\n\n`;
    return events([...deltas.map((word) => chunk({ content: word })), 'data: [DONE]\n\n']);
  },
  '/mcp': ({ id, method, params }) => {
    if (method === 'initialize')
      return rpc(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'demo', version: '1.0.0' } });
    if (method === 'notifications/initialized') return { ...json({}), status: 202, pieces: [] };
    if (method !== 'tools/call') return json({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } });
    return rpc(id, { content: [{ type: 'text', text: replyTo(JSON.stringify((params as Fields).arguments)) }] });
  },
  '/a2a': ({ id, params }) => {
    const { message } = params as { message: { parts: { text: string }[] } };
    const parts = [{ kind: 'text', text: replyTo(message.parts[0]?.text) }];
    return json({ jsonrpc: '2.0', id, result: { kind: 'message', role: 'agent', messageId: 'm1', parts } });
  },
};

const replyTo = (asked: unknown) => {
  const quoted = typeof asked === 'string' && asked !== '' ? `You said: ${asked}. ` : '';
  return `${quoted}This agent is part of the demo. It answers from the memory of your browser and asks no model.`;
};

const json = (value: unknown, status = 200): Answer => ({ status, type: 'application/json', pieces: [JSON.stringify(value)], pieceMs: 60 });
const events = (pieces: string[]): Answer => ({ status: 200, type: 'text/event-stream', pieces, pieceMs: 70 });
const rpc = (id: unknown, result: object) => events([`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`]);
const refused = json({ detail: 'Method Not Allowed' }, 405);

function parsed(body: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}
