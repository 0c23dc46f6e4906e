import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type * as z from 'zod';
import { type Context, openContext, type Server } from '../context.ts';
import { cleanValue } from './clean-value.ts';
import { failureResult } from './failure-result.ts';
import { type Progress, reportProgress } from './progress.ts';

/** The surroundings of a tool call. */
export interface Call {
  /** Its signal aborts when the client cancels the call or disconnects. It has no terminal for questions. */
  context: Context;
  server: Server;
  progress: Progress;
}

export interface ToolResult {
  /** For programs: the fields of the API. */
  value: Record<string, unknown>;
  /** For the model; by default the value as JSON. */
  text?: string;
  /** The outcome is a failure, although every API call succeeded. */
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
  run: (call: Call, input: z.output<In>) => Promise<ToolResult>;
}

/** Adds a tool to the server. */
export type Tool = (server: McpServer, context: Context) => void;
type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const annotations: Record<Effect, ToolAnnotations> = {
  reads: { readOnlyHint: true },
  adds: { readOnlyHint: false, destructiveHint: false },
  replaces: { readOnlyHint: false, destructiveHint: true },
};

/** A tool whose results are text and structured content, and whose failures are results with `isError`. */
export function defineTool<In extends z.core.$ZodType>({ name, title, description, effect, input, run }: ToolDefinition<In>): Tool {
  return (server, context) => {
    const handle = (given: unknown, extra: Extra) => answerCall({ name, context, extra }, (call) => run(call, given as z.output<In>));
    server.registerTool(name, { title, description, inputSchema: input, annotations: annotations[effect] }, handle as never);
  };
}

interface Request {
  /** Name of the tool. */
  name: string;
  context: Context;
  extra: Extra;
}

async function answerCall({ name, context, extra }: Request, run: (call: Call) => Promise<ToolResult>): Promise<CallToolResult> {
  const progress = reportProgress(extra);
  try {
    const ofCall = await contextOfCall(context, extra.signal);
    const { value, text, hasFailed = false } = await run({ context: ofCall, server: await ofCall.server(), progress });
    const structuredContent = cleanValue(value) as Record<string, unknown>;
    return {
      content: [{ type: 'text', text: text === undefined ? JSON.stringify(structuredContent) : String(cleanValue(text)) }],
      structuredContent,
      ...(hasFailed ? { isError: true } : {}),
    };
  } catch (error) {
    return failureResult(name, error, context.terminal);
  } finally {
    progress.stop();
  }
}

async function contextOfCall(context: Context, signal: AbortSignal): Promise<Context> {
  return openContext({
    ...context,
    terminal: { ...context.terminal, isInteractive: false },
    signal: AbortSignal.any([context.signal, signal]),
    givenUrl: await context.url(),
  });
}
