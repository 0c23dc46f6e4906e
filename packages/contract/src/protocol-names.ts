import { pluralWord } from './plural.ts';

/** The protocols of agents. */
export const protocolKinds = ['openai', 'a2a', 'mcp', 'agentcore', 'langgraph', 'adk', 'eve', 'openapi'] as const;
export type ProtocolKind = (typeof protocolKinds)[number];

export const protocolNames: Record<ProtocolKind, string> = {
  openai: 'OpenAI',
  a2a: 'A2A',
  mcp: 'MCP',
  agentcore: 'AgentCore',
  langgraph: 'LangGraph',
  adk: 'ADK',
  eve: 'eve',
  openapi: 'OpenAPI',
};

const words: Partial<Record<ProtocolKind, string>> = {
  openai: 'model',
  a2a: 'skill',
  mcp: 'tool',
  adk: 'agent',
  openapi: 'route',
};

/** For example 'MCP: 2 tools'. */
export function protocolText({ kind, items, more }: { kind: ProtocolKind; items: readonly unknown[]; more: number }): string {
  const word = words[kind];
  const count = items.length + more;
  if (!word || count === 0) return protocolNames[kind];
  return `${protocolNames[kind]}: ${count} ${pluralWord(count, word)}`;
}
