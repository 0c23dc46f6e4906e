import * as z from 'zod';
import { tryMethods } from './limits.ts';
import { protocolKinds } from './protocol-names.ts';

const text = z.string();

/** A value that a user fills in. */
export const ProtocolField = z.object({
  name: text,
  type: z.enum(['string', 'number', 'integer', 'boolean']),
  required: z.boolean(),
  description: text,
  choices: z.array(text).meta({ description: 'The only values that it takes; empty: any' }),
});

export const ProtocolItem = z.object({
  name: text.meta({ description: 'Of a tool, skill, model, graph or agent; of a route its method and path' }),
  description: text,
  method: z.enum(tryMethods),
  path: text,
  fields: z.array(ProtocolField).nullable().meta({ description: 'The values of a tool; null where they are not all of simple types' }),
  example: text.meta({ description: 'JSON to send, or to give a tool; empty where none is sent' }),
});

/** A protocol detected in a running agent. All texts come from the agent. */
export const Protocol = z.object({
  kind: z.enum(protocolKinds),
  path: text.meta({ description: 'Where requests go; empty for a card without an address that takes JSON-RPC' }),
  name: text,
  version: text.meta({ description: 'Of the protocol for A2A and MCP, else of the agent' }),
  description: text,
  items: z.array(ProtocolItem),
  more: z.number().int().meta({ description: 'Items that are not listed' }),
});
export type Protocol = z.infer<typeof Protocol>;
export type ProtocolItem = z.infer<typeof ProtocolItem>;
export type ProtocolField = z.infer<typeof ProtocolField>;
