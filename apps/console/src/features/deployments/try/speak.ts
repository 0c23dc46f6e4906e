import type { Protocol, ProtocolField, ProtocolItem } from '@paddock/contract';
import type { Wish } from './request-text.ts';

/** A turn of the chat so far. */
export interface Turn {
  role: 'user' | 'assistant';
  content: string;
}
/** A request to an agent: a text, or the arguments of a tool. */
interface Asked {
  text: string;
  args: Record<string, unknown>;
  turns: readonly Turn[];
}

export type Spoken = Protocol & { kind: 'openai' | 'a2a' | 'mcp' };
/** Protocols with a form of their own. For the others a request is prefilled. */
export const isSpoken = (protocol: Protocol): protocol is Spoken =>
  protocol.kind === 'openai' || (protocol.kind === 'a2a' && protocol.path !== '') || (protocol.kind === 'mcp' && protocol.items.length > 0);

export const spokenNames = { openai: 'Chat', a2a: 'A2A', mcp: 'MCP' } as const;

const message: ProtocolField = { name: 'Message', type: 'string', required: true, description: '', choices: [] };
/** The fields of a form; null for JSON input. */
export const fieldsOf = ({ kind }: Spoken, item: ProtocolItem | undefined): ProtocolField[] | null =>
  kind === 'mcp' ? (item?.fields ?? null) : [message];

export const rpcWish = (path: string, call: object, headers: Wish['headers'] = []): Wish => ({
  method: 'POST',
  path,
  headers: [
    { name: 'content-type', value: 'application/json' },
    { name: 'accept', value: 'application/json, text/event-stream' },
    ...headers,
  ],
  body: JSON.stringify({ jsonrpc: '2.0', ...call }),
});

export function spokenWish({ kind, path, version }: Spoken, item: ProtocolItem | undefined, { text, args, turns }: Asked): Wish {
  if (kind === 'mcp') return rpcWish(path, { id: 2, method: 'tools/call', params: { name: item?.name, arguments: args } });
  if (kind === 'openai') {
    const body = { model: item?.name ?? 'default', messages: [...turns, { role: 'user', content: text }], stream: true };
    return { ...rpcWish(path, {}), body: JSON.stringify(body) };
  }
  const messageId = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join('');
  // Version 1 uses other names for the same fields.
  const isNew = version.startsWith('1');
  const parts = [isNew ? { text } : { kind: 'text', text }];
  const sent = { role: isNew ? 'ROLE_USER' : 'user', messageId, parts, ...(isNew ? {} : { kind: 'message' }) };
  const call = { id: 1, method: isNew ? 'SendMessage' : 'message/send', params: { message: sent } };
  return rpcWish(path, call, isNew ? [{ name: 'a2a-version', value: '1.0' }] : []);
}

/** Parses the values of a form into a tool's arguments, or returns what is wrong with one. Empty values are not sent. */
export function parseArguments(
  fields: ProtocolField[],
  valueOf: (name: string) => string,
): { args: Record<string, unknown> } | { problem: string } {
  const entries: [string, unknown][] = [];
  for (const { name, type, required, choices } of fields) {
    const value = valueOf(name);
    const isNumber = type === 'number' || type === 'integer';
    if (value === '' && !required) continue;
    if (value === '' && (type === 'boolean' || choices.length > 0)) return { problem: `Choose ${name}.` };
    if (isNumber && (value.trim() === '' || !Number.isFinite(Number(value)))) return { problem: `${name} is not a number.` };
    if (isNumber) entries.push([name, Number(value)]);
    else entries.push([name, type === 'boolean' ? value === 'true' : value]);
  }
  return { args: Object.fromEntries(entries) };
}

/** The value at a path in an agent's response, which may be anything. */
const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((found, name) => (found as Record<string | number, unknown> | null | undefined)?.[name], value);

/** The text of the response received so far, from its JSON or its events; undefined if it is not a response of the protocol. */
export function readResponseText(kind: Spoken['kind'], body: string): string | undefined {
  const values = parseJsonValues(body);
  const error = values.map((value) => at(value, 'error')).find(Boolean);
  const problem = typeof error === 'string' ? error : at(error, 'message');
  if (typeof problem === 'string') return `Error: ${problem}`;
  if (kind === 'openai') {
    const choices = values.map((value) => at(value, 'choices', 0)).filter(Boolean);
    const said = choices.map((choice) => at(choice, 'delta', 'content') ?? at(choice, 'message', 'content'));
    return choices.length > 0 ? said.filter((text) => typeof text === 'string').join('') : undefined;
  }
  const result = values.map((value) => at(value, 'result')).find(Boolean);
  if (kind === 'mcp') return joinTexts(at(result, 'content')) || jsonText(at(result, 'structuredContent'));
  const task = at(result, 'task') ?? at(result, 'message') ?? result;
  const artifacts = listOf(at(task, 'artifacts')).map((artifact) => joinTexts(at(artifact, 'parts')));
  return (
    joinTexts(at(task, 'parts')) || artifacts.filter(Boolean).join('\n') || joinTexts(at(task, 'status', 'message', 'parts')) || undefined
  );
}

const jsonText = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value, null, 2));

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const joinTexts = (parts: unknown): string =>
  listOf(parts)
    .map((part) => at(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('\n');

function parseJsonValues(body: string): unknown[] {
  const texts = /^\s*[[{]/.test(body) ? [body] : body.split('\n').flatMap((line) => (line.startsWith('data:') ? line.slice(5) : []));
  return texts.flatMap((text): unknown[] => {
    try {
      return [JSON.parse(text)];
    } catch {
      return []; // the last event is incomplete, or is the end marker
    }
  });
}
