import type { Protocol, ProtocolItem } from '@paddock/contract';
import { at, fieldsOf, listOf, most, pathOfUrl, textOf } from './hostile.ts';

const question = 'Hello! What can you do?';
const jsonText = (value: unknown) => JSON.stringify(value, null, 2);

/** The agent's first items, up to the limit, and how many more it has. */
export function listed(all: readonly unknown[], itemOf: (value: unknown) => ProtocolItem | undefined): Pick<Protocol, 'items' | 'more'> {
  const items = all.slice(0, most.items).flatMap((value) => itemOf(value) ?? []);
  return { items, more: Math.max(0, all.length - most.items) };
}

const post = (path: string) => ({ description: '', method: 'POST', path, fields: null, example: '' }) as const;
const plain = { name: '', version: '', description: '', items: [], more: 0 };

/** AWS Bedrock AgentCore: `GET /ping` returns the agent's health. `example`: an invocation as in the agent's own schema. */
export function agentcore(ping: unknown, example = ''): Protocol | undefined {
  const status = at(fieldsOf(ping), 'status');
  if (status !== 'Healthy' && status !== 'HealthyBusy') return undefined;
  const path = '/invocations';
  const item = { ...post(path), name: `POST ${path}`, example: example || jsonText({ prompt: question }) };
  return { ...plain, kind: 'agentcore', path, items: [item] };
}

/** OpenAI: `GET /v1/models`, or a route that the agent's own schema names. */
export function openai(models: unknown, routes: readonly Pick<ProtocolItem, 'method' | 'path'>[]): Protocol | undefined {
  const path = '/v1/chat/completions';
  const list = fieldsOf(models);
  const data = at(list, 'data');
  const isList = at(list, 'object') === 'list' && Array.isArray(data);
  if (!isList && !routes.some((route) => route.path === path && route.method === 'POST')) return undefined;
  const model = (value: unknown) => {
    const id = at(fieldsOf(value), 'id');
    const name = textOf(id, most.name);
    return name !== '' && name === id ? { ...post(path), name } : undefined;
  };
  return { ...plain, kind: 'openai', path, ...listed(isList ? listOf(data) : [], model) };
}

/** A2A's agent card. Undefined for anything else. */
export function a2a(value: unknown): Protocol | undefined {
  const card = fieldsOf(value);
  const name = textOf(at(card, 'name'), most.name);
  const listens = rpcInterface(card);
  if (!card || name === '' || !(listens || Array.isArray(at(card, 'skills')))) return undefined;
  const path = listens?.path ?? '';
  const skill = (each: unknown) => {
    const fields = fieldsOf(each);
    const title = textOf(at(fields, 'name') ?? at(fields, 'id'), most.name);
    return title === '' ? undefined : { ...post(path), name: title, description: textOf(at(fields, 'description'), most.description) };
  };
  const version = textOf(listens?.version ?? at(card, 'protocolVersion'), 20);
  const description = textOf(at(card, 'description'), most.description);
  return { kind: 'a2a', path, name, version, description, ...listed(listOf(at(card, 'skills')), skill) };
}

/** The JSON-RPC address of a card: in version 1 one of its interfaces, in older versions the card's address or an additional one. */
function rpcInterface(card: ReturnType<typeof fieldsOf>): { path: string; version: unknown } | undefined {
  const places = [
    ...listOf(at(card, 'supportedInterfaces')).slice(0, 10),
    { url: at(card, 'url'), transport: at(card, 'preferredTransport') ?? 'JSONRPC' },
    ...listOf(at(card, 'additionalInterfaces')).slice(0, 10),
  ].map(fieldsOf);
  for (const place of places) {
    const path = pathOfUrl(at(place, 'url'));
    const isRpc = (at(place, 'protocolBinding') ?? at(place, 'transport')) === 'JSONRPC';
    if (path !== undefined && isRpc) return { path, version: at(place, 'protocolVersion') ?? at(card, 'protocolVersion') ?? '' };
  }
  return undefined;
}

/** A LangGraph server: `GET /ok`, and `GET /info` with its version. */
export function langgraph(ok: unknown, info: unknown): Protocol | undefined {
  const about = fieldsOf(info);
  const version = textOf(at(about, 'langgraph_py_version') ?? at(about, 'langgraph_js_version') ?? at(about, 'version'), 40);
  if (at(fieldsOf(ok), 'ok') !== true || version === '') return undefined;
  const path = '/runs/stream';
  const input = { messages: [{ role: 'user', content: question }] };
  const example = jsonText({ assistant_id: 'agent', input, stream_mode: ['messages-tuple'] });
  return { ...plain, kind: 'langgraph', path, version, items: [{ ...post(path), name: `POST ${path}`, example }] };
}

/** Google's ADK: `GET /list-apps` names the agents. A run needs a session, which is created first. */
export function adk(apps: unknown): Protocol | undefined {
  const names = listOf(apps);
  // Only a list of names is accepted: many agents return lists.
  if (names.length === 0 || names.length > most.items || !names.every((name) => typeof name === 'string' && /^[\w-]{1,100}$/.test(name)))
    return undefined;
  const path = '/run_sse';
  const session = { user_id: 'paddock', session_id: 'try' };
  const items = (names as string[]).flatMap((app_name) => [
    { ...post(`/apps/${app_name}/users/paddock/sessions/try`), name: `${app_name}: make the session`, example: '{}' },
    {
      ...post(path),
      name: app_name,
      example: jsonText({ app_name, ...session, new_message: { role: 'user', parts: [{ text: question }] }, streaming: true }),
    },
  ]);
  return { ...plain, kind: 'adk', path, items: items.slice(0, most.items), more: Math.max(0, items.length - most.items) };
}

/** Vercel's eve: `GET /eve/v1/health`, which its default channel makes public. A session begins with its first message. */
export function eve(health: unknown): Protocol | undefined {
  const about = fieldsOf(health);
  if (at(about, 'ok') !== true || at(about, 'status') !== 'ready' || textOf(at(about, 'workflowId'), most.name) === '') return undefined;
  const path = '/eve/v1/session';
  return { ...plain, kind: 'eve', path, items: [{ ...post(path), name: `POST ${path}`, example: jsonText({ message: question }) }] };
}
