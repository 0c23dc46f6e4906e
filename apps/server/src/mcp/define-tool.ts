import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { ApiError } from '@paddock/contract/errors';
import { plainText } from '@paddock/contract/terminal-text';
import type * as z from 'zod';
import type { Api } from './inject-api.ts';

/** The surroundings of a tool call. */
export interface ToolCall {
  api: Api;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

/** `hasFailed`: the outcome is a failure, although every API call succeeded. */
export interface ToolResult {
  value: Record<string, unknown>;
  hasFailed?: boolean;
}

/** Effect of a tool: it changes nothing, adds something, or replaces or ends something. */
type Effect = 'reads' | 'adds' | 'replaces';

interface ToolDefinition<In extends z.core.$ZodType> {
  name: string;
  title: string;
  description: string;
  effect: Effect;
  input: In;
  run: (call: ToolCall, input: z.output<In>) => Promise<ToolResult>;
}

/** Adds a tool to the server of one request. */
export type Tool = (server: McpServer, call: ToolCall) => void;

const annotations: Record<Effect, ToolAnnotations> = {
  reads: { readOnlyHint: true },
  adds: { readOnlyHint: false, destructiveHint: false },
  replaces: { readOnlyHint: false, destructiveHint: true },
};

/** A tool whose results are JSON, as text and as structured content, and whose failures are results with `isError`. */
export function defineTool<In extends z.core.$ZodType>({ name, title, description, effect, input, run }: ToolDefinition<In>): Tool {
  return (server, call) => {
    const handle = async (given: unknown): Promise<CallToolResult> => {
      try {
        const { value, hasFailed = false } = await run(call, given as z.output<In>);
        const structuredContent = cleanValue(value) as Record<string, unknown>;
        const content = [{ type: 'text' as const, text: JSON.stringify(structuredContent) }];
        return { content, structuredContent, ...(hasFailed ? { isError: true } : {}) };
      } catch (error) {
        return failureResult(name, error);
      }
    };
    server.registerTool(name, { title, description, inputSchema: input, annotations: annotations[effect] }, handle as never);
  };
}

/** A refusal of the API as a tool result: the message, the wrong fields, and the code. Throws any other error. */
function failureResult(tool: string, error: unknown): CallToolResult {
  if (!(error instanceof ApiError)) throw error;
  const lines = [`${tool} failed: ${error.message}`];
  for (const { path, message } of error.errors ?? []) lines.push(`- ${path}: ${message}`);
  if (error.retry_after_s !== undefined) lines.push(`Try again in ${error.retry_after_s} s.`);
  lines.push(`Code: ${error.code} (status ${error.status}${error.request_id ? `, request ${error.request_id}` : ''})`);
  const structuredContent = cleanValue({ tool, code: error.code, status: error.status, detail: error.message }) as Record<string, unknown>;
  return { content: [{ type: 'text', text: String(cleanValue(lines.join('\n'))) }], structuredContent, isError: true };
}

/** Copies a value without the control sequences in its texts, which may come from an agent. Values of the API are a few levels deep. */
function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return value.split('\n').map(plainText).join('\n');
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleanValue(each)]));
}
