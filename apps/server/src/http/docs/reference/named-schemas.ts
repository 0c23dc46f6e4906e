import { exportedObjects } from '../components.ts';
import type { OpenApi } from '../openapi.ts';
import type { Operation } from '../operation.ts';
import { refTo, replaceRefs, type Schema, withoutRefs } from '../schema.ts';

export const schemasPath = '/docs/reference/schemas';

interface NamedSchemas {
  /** Each operation as its page shows it. */
  shown: (operation: Operation) => Operation;
  /** The schemas with a section of their own: errors, and the objects that the contract exports and that calls answer with. */
  sections: [string, Schema][];
}

/**
 * The place at which each schema of the document is shown. An answer's exported objects are references to their sections; every other object is shown where it
 * is used, also those of requests, whose forms differ from those of answers.
 */
export function namedSchemas({ paths, components: { schemas } }: OpenApi): NamedSchemas {
  const exported = new Set(['Problem', ...exportedObjects.values()]);
  const unnamed = (name: string): Schema => (exported.has(name) ? refTo(name) : replaceRefs(schemas[name]!, unnamed));
  const shown = (operation: Operation): Operation => {
    const { requestBody, ...others } = operation;
    return { ...replaceRefs(others, unnamed), ...(requestBody ? { requestBody: withoutRefs(requestBody, schemas) } : {}) };
  };
  const linked = new Set<string>();
  const follow = (name: string): Schema => {
    if (!linked.has(name)) {
      linked.add(name);
      replaceRefs(schemas[name]!, follow);
    }
    return refTo(name);
  };
  for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods))) replaceRefs(responses, follow);
  const sections = Object.entries(schemas).filter(([name]) => exported.has(name) && linked.has(name));
  return { shown, sections: sections.map(([name, schema]) => [name, replaceRefs(schema, unnamed)]) };
}
