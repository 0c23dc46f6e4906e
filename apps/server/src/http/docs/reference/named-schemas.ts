import * as exported from '@paddock/contract';
import * as z from 'zod';
import { jsonSchema, type OpenApi, type Schema } from '../openapi.ts';

export const schemasPath = '/docs/reference/schemas';

/**
 * The schemas with their own section: the document's components, and the objects that the contract exports. The document repeats the latter
 * wherever they are used, so they are matched by equality.
 */
export function namedSchemas(document: OpenApi): { schemas: Map<string, Schema>; nameOf: (schema: Schema) => string | undefined } {
  const schemas = new Map<string, Schema>(Object.entries(document.components.schemas));
  for (const [name, value] of Object.entries(exported))
    if (value instanceof z.ZodObject && /^[A-Z]/.test(name)) schemas.set(name, jsonSchema(value, 'output'));
  const names = new Map<string, string>();
  for (const [name, schema] of schemas) {
    names.set(JSON.stringify(schema), name);
    names.set(JSON.stringify({ $ref: `#/components/schemas/${name}` }), name);
  }
  return { schemas, nameOf: (schema) => names.get(JSON.stringify(schema)) };
}
