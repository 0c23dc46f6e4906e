import type { TryEvent } from '@paddock/contract';
import type { Wish } from './request-text.ts';
import { rpcWish } from './speak.ts';

const protocolVersion = '2025-06-18';

/** Starts an MCP session and returns the headers of its calls. If the server refuses, the call itself shows the error. */
export async function mcpSession(ask: (wish: Wish) => Promise<AsyncIterable<TryEvent>>, path: string): Promise<Wish['headers']> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'paddock', version: '1' } };
  let session: string | undefined;
  for await (const { head, chunk } of await ask(rpcWish(path, { id: 1, method: 'initialize', params }))) {
    session ??= head?.headers.find(({ name }) => name.toLowerCase() === 'mcp-session-id')?.value;
    if (chunk !== undefined && atob(chunk).includes('"result"')) break; // the stream may never end
  }
  const version = { name: 'mcp-protocol-version', value: protocolVersion };
  const headers = session === undefined ? [version] : [version, { name: 'mcp-session-id', value: session }];
  for await (const _ of await ask(rpcWish(path, { method: 'notifications/initialized' }, headers)));
  return headers;
}
