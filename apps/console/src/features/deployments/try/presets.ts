import type { DeploymentDetail, Protocol } from '@paddock/contract';
import { protocolNames } from '@paddock/contract/protocol-names';
import type { Draft } from './request-text.ts';

interface Preset {
  label: string;
  draft: Draft;
}

const json = 'content-type: application/json';
const pretty = (value: unknown) => JSON.stringify(value, null, 2);
const question = 'Hello! What can you do?';

/** Requests that many agents support. */
export const presets = {
  plain: { label: 'Plain: GET /', draft: { method: 'GET', path: '/', headers: '', body: '' } },
  chat: { label: 'Chat: POST /chat', draft: { method: 'POST', path: '/chat', headers: json, body: pretty({ message: question }) } },
  openai: {
    label: 'Chat as OpenAI, streamed',
    draft: {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: json,
      body: pretty({ model: 'default', messages: [{ role: 'user', content: question }], stream: true }),
    },
  },
  invocations: {
    label: 'Invocation: POST /invocations',
    draft: { method: 'POST', path: '/invocations', headers: json, body: pretty({ prompt: question }) },
  },
  mcp: {
    label: 'MCP: initialize',
    draft: {
      method: 'POST',
      path: '/mcp',
      headers: `${json}\naccept: application/json, text/event-stream`,
      body: pretty({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'paddock', version: '1' } },
      }),
    },
  },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as PresetName[];

/** The preset that an agent with this plan most likely supports. */
export function likelyPreset(plan: Pick<NonNullable<DeploymentDetail['plan']>, 'framework'> | null): PresetName {
  const framework = plan?.framework?.toLowerCase() ?? '';
  if (framework.includes('mcp')) return 'mcp';
  return framework.includes('agentcore') ? 'invocations' : 'plain';
}

/** The preset that a draft equals, if any. */
export const presetOf = (draft: Draft): PresetName | undefined => presetNames.find((name) => isSame(draft, presets[name].draft));

export const isSame = (one: Draft, other: Draft) =>
  one.method === other.method && one.path === other.path && one.headers === other.headers && one.body === other.body;

/** The detected routes and protocols of an agent, as presets. */
export const recognised = (protocols: readonly Protocol[]): Preset[] =>
  protocols
    .filter(({ kind }) => kind !== 'openai' && kind !== 'a2a' && kind !== 'mcp')
    .flatMap(({ kind, items }) =>
      items.map(({ name, method, path, example }) => ({
        label: kind === 'openapi' ? name : `${protocolNames[kind]}: ${name}`,
        draft: { method, path, headers: example ? json : '', body: example },
      })),
    );

/** Initial content of the form: the first detected request of the agent, else the likeliest preset of its plan. */
export const firstDraft = (plan: Parameters<typeof likelyPreset>[0], protocols: readonly Protocol[] | null): Draft =>
  (recognised(protocols ?? [])[0] ?? presets[likelyPreset(plan)]).draft;
