import type { TryMethod } from '@paddock/contract';
import { askAgent } from '../try/ask-agent.ts';
import { headersFor } from '../try/headers.ts';

/** A running agent: where it listens, and its public address. */
export interface Agent {
  host: string;
  port: number;
  url: string;
  /** Host header to send instead; undefined: the host of `url`. */
  host_header?: string;
  /** Questions without an answer, or without one yet; grows and shrinks. */
  open: Question[];
}

/** When a question was sent, and when it was aborted; milliseconds since 1970. */
export interface Question {
  from: number;
  to: number;
}

export interface Answer {
  status: number;
  header: (name: string) => string;
  /** The body as JSON; undefined if it is invalid or incomplete. */
  value: unknown;
}

interface Wish {
  path: string;
  method?: TryMethod;
  headers?: Record<string, string>;
  body?: unknown;
  maxBytes?: number;
  /** The response may be an event stream; the event with this JSON-RPC id is the answer. */
  rpcId?: number;
}

/** Response timeout of a question; a slower agent is not asked it again. */
const answerMs = 5_000;
const usualBytes = 128 * 1024;

/** Asks an agent one question. Undefined without a valid response. Throws only when the signal aborts. */
export async function ask(agent: Agent, wish: Wish, signal: AbortSignal): Promise<Answer | undefined> {
  const question = { from: Date.now(), to: Number.POSITIVE_INFINITY };
  agent.open.push(question);
  const answer = await answered(agent, wish, signal);
  question.to = Date.now();
  if (answer) agent.open.splice(agent.open.indexOf(question), 1);
  return answer;
}

async function answered(agent: Agent, wish: Wish, signal: AbortSignal): Promise<Answer | undefined> {
  const { path, method = 'GET', body, maxBytes = usualBytes } = wish;
  const own = { 'user-agent': 'paddock-recognition', accept: 'application/json', ...wish.headers };
  const typed = body === undefined ? own : { ...own, 'content-type': 'application/json' };
  const request = {
    method,
    path,
    headers: Object.entries(typed).map(([name, value]) => ({ name, value })),
    body: body === undefined ? '' : JSON.stringify(body),
  };
  const gateway = { host: agent.host, port: agent.port, isTls: false };
  const headers = headersFor(request, { url: agent.url, ip: '127.0.0.1', host_header: agent.host_header });
  try {
    const events = await askAgent({ ...request, headers, gateway }, { signal, limits: { totalMs: answerMs, answerBytes: maxBytes } });
    return await read(events, wish.rpcId);
  } catch {
    signal.throwIfAborted();
    return undefined; // nothing listens there, or it stopped listening
  }
}

async function read(events: Awaited<ReturnType<typeof askAgent>>, rpcId: number | undefined): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  let stream: ReturnType<typeof rpcStream> | undefined;
  const pieces: Buffer[] = [];
  for await (const { head, chunk, end } of events) {
    if (head) {
      const header = (wanted: string) => head.headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
      answer = { status: head.status, header, value: undefined };
      if (header('content-type').toLowerCase().startsWith('text/event-stream')) {
        if (rpcId === undefined) return answer; // a stream may never end, and is not needed
        stream = rpcStream(rpcId);
      }
    }
    if (chunk !== undefined && answer) {
      const bytes = Buffer.from(chunk, 'base64');
      if (!stream) pieces.push(bytes);
      else answer.value ??= stream(bytes);
      if (answer.value !== undefined) return answer; // returning ends the request
    }
    if (end?.outcome === 'complete' && answer && !stream) answer.value = parseJson(Buffer.concat(pieces).toString('utf8'));
  }
  return answer;
}

/** Parses the bytes of an event stream, and returns the JSON-RPC response once it is complete. Each character is read once. */
function rpcStream(rpcId: number) {
  const decoder = new TextDecoder();
  let line: string[] = [];
  let data: string[] = [];
  return (bytes: Buffer): unknown => {
    const [first = '', ...rest] = decoder.decode(bytes, { stream: true }).split('\n');
    line.push(first);
    for (const next of rest) {
      const text = line.join('').trimEnd();
      line = [next];
      if (text.startsWith('data:')) data.push(text.slice(5));
      if (text !== '' || data.length === 0) continue;
      const value = parseJson(data.join('\n'));
      data = [];
      if ((value as { id?: unknown } | undefined)?.id === rpcId) return value;
    }
    return undefined;
  };
}

/** Undefined for an HTML page, and for anything else that is neither an object nor a list. */
function parseJson(text: string): unknown {
  if (!/^\s{0,100}[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
