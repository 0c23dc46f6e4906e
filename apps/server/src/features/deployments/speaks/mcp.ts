import type { Protocol, ProtocolItem } from '@paddock/contract';
import { type Agent, type Answer, ask } from './ask.ts';
import { at, fieldsOf, listOf, most, textOf } from './hostile.ts';
import { listed } from './readers.ts';
import { exampleText, simpleFields } from './schema.ts';

const protocolVersion = '2025-06-18';
const clientInfo = { name: 'paddock', version: '1' };
const maxBytes = 256 * 1024;

/** MCP over streamable HTTP, at /mcp: the server's info and its tools. No tool is called. */
export async function mcp(agent: Agent, signal: AbortSignal): Promise<{ protocol: Protocol | undefined; answer: Answer | undefined }> {
  let path = '/mcp';
  const accept = { accept: 'application/json, text/event-stream' };
  const rpc = (id: number, method: string, more: { params: object; headers?: Record<string, string> }) =>
    ask(
      agent,
      {
        ...{ method: 'POST', path, rpcId: id, maxBytes },
        headers: { ...accept, ...more.headers },
        body: { jsonrpc: '2.0', id, method, params: more.params },
      },
      signal,
    );
  const hello = { params: { protocolVersion, capabilities: {}, clientInfo } };
  let answer = await rpc(1, 'initialize', hello);
  if ((answer?.status === 307 || answer?.status === 308) && /^(?:https?:\/\/[^/]{1,300})?\/mcp\/$/.test(answer.header('location'))) {
    path = '/mcp/';
    answer = await rpc(1, 'initialize', hello);
  }
  const result = fieldsOf(at(fieldsOf(answer?.value), 'result'));
  const about = fieldsOf(at(result, 'serverInfo'));
  const version = textOf(at(result, 'protocolVersion'), 20);
  if (!answer || !about || version === '') return { protocol: undefined, answer };
  const session = answer.header('mcp-session-id');
  const headers = { 'mcp-protocol-version': version, ...(isSession(session) ? { 'mcp-session-id': session } : {}) };
  const told = { jsonrpc: '2.0', method: 'notifications/initialized' };
  await ask(agent, { method: 'POST', path, headers: { ...accept, ...headers }, body: told }, signal);
  const list = await rpc(2, 'tools/list', { params: {}, headers });
  if (session !== '') await ask(agent, { method: 'DELETE', path, headers }, signal);
  const tools = fieldsOf(at(fieldsOf(list?.value), 'result'));
  const protocol: Protocol = {
    kind: 'mcp',
    path,
    name: textOf(at(about, 'title') ?? at(about, 'name'), most.name),
    version,
    description: textOf(at(result, 'instructions'), most.description),
    ...listed(listOf(at(tools, 'tools')), (tool) => parseTool(tool, path)),
  };
  return { protocol, answer };
}

/** Session ids must be valid header values, because they are sent back. */
const isSession = (text: string) => /^[!-~]{1,1000}$/.test(text);

function parseTool(value: unknown, path: string): ProtocolItem | undefined {
  const tool = fieldsOf(value);
  const name = textOf(at(tool, 'name'), most.name);
  // The name is sent back unchanged, so it must equal its sanitised form.
  if (name === '' || name !== at(tool, 'name')) return undefined;
  const schema = at(tool, 'inputSchema');
  const description = textOf(at(tool, 'description'), most.description);
  return { name, description, method: 'POST', path, fields: simpleFields(schema), example: exampleText(schema, schema) || '{}' };
}
