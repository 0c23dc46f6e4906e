import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ApiError } from '@paddock/contract/errors';
import { messageOf, suggestRemedy, ToolError, toProblem } from '../failures.ts';
import { clean, type Terminal } from '../terminal.ts';
import { cleanValue } from './clean-value.ts';

/** A failure as a tool result: the server's message, the wrong fields, advice, and the code. A stack goes only to stderr. */
export function failureResult(tool: string, error: unknown, terminal: Terminal): CallToolResult {
  if (!(error instanceof ApiError) && !(error instanceof ToolError) && error instanceof Error)
    terminal.note(`${tool} failed: ${error.stack ?? error.message}`);
  const problem = toProblem(error);
  const lines = [`${tool} failed: ${messageOf(error)}`];
  if (error instanceof ApiError) {
    for (const { path, message } of error.errors ?? []) lines.push(`- ${path}: ${message}`);
    if (error.retry_after_s !== undefined) lines.push(`Try again in ${error.retry_after_s} s.`);
  }
  lines.push(`${suggestRemedy(error)}Code: ${String(problem['code'])}${statusText(error)}`);
  return {
    content: [{ type: 'text', text: clean(lines.join('\n')) }],
    structuredContent: cleanValue({ ...problem, tool }) as Record<string, unknown>,
    isError: true,
  };
}

function statusText(error: unknown): string {
  if (!(error instanceof ApiError) || error.status === 0) return '';
  return ` (status ${error.status}${error.request_id ? `, request ${error.request_id}` : ''})`;
}
