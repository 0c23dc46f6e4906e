import type { DeploymentDetail } from '@paddock/contract';
import type { Draft } from './request-text.ts';

interface Preset {
  label: string;
  draft: Draft;
}

const json = 'content-type: application/json';
const pretty = (value: unknown) => JSON.stringify(value, null, 2);
const question = 'Hello! What can you do?';

/** Requests that agents commonly understand. */
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

/** What an agent of this plan most likely speaks. */
export function likelyPreset(plan: Pick<NonNullable<DeploymentDetail['plan']>, 'framework'> | null): PresetName {
  const framework = plan?.framework?.toLowerCase() ?? '';
  if (framework.includes('mcp')) return 'mcp';
  return framework.includes('agentcore') ? 'invocations' : 'plain';
}

/** The preset whose request a draft is, unchanged. */
export const presetOf = (draft: Draft): PresetName | undefined =>
  presetNames.find((name) => {
    const { method, path, headers, body } = presets[name].draft;
    return draft.method === method && draft.path === path && draft.headers === headers && draft.body === body;
  });
