import type { Contract, Route } from '@paddock/contract';
import * as exported from '@paddock/contract';
import * as z from 'zod';
import { jsonSchemas, refTo, replaceRefs, type Schema } from './schema.ts';

/** The objects that the contract exports. Each is a component of its name. */
export const exportedObjects = new Map<z.core.$ZodType, string>(
  Object.entries(exported).flatMap(([name, value]) => (value instanceof z.ZodObject && /^[A-Z]/.test(name) ? [[value, name]] : [])),
);

/** The lists of words that the contract exports. They are components of requests alone, since answers may have newer words. */
const exportedWords = new Map<z.core.$ZodType, string>(
  Object.entries(exported).flatMap(([name, value]) => (value instanceof z.ZodEnum && /^[A-Z]/.test(name) ? [[value, name]] : [])),
);

/** The input of a call: its fields as JSON Schema, and the component of a body with some of them. */
interface Input {
  fields: Schema;
  /** The schema of a field as a parameter. */
  parameter: (field: Schema) => Schema;
  body: (schema: Schema) => Schema;
}

export interface Components {
  schemas: Record<string, Schema>;
  /** The answer of a call, as a reference. */
  answer: (feature: string, name: string) => Schema;
  input: (feature: string, name: string) => Input;
}

/** Like `ProjectsCreateRequest`. */
const callName = (feature: string, name: string, suffix: 'Request' | 'Response') => `${pascal(feature)}${pascal(name)}${suffix}`;
const pascal = (name: string) =>
  name
    .split(/[^A-Za-z0-9]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/**
 * The component schemas of the document, so that each object has one name, which generated clients use.
 *
 * - An object that the contract exports has the name of the export.
 * - A list of words that the contract exports, such as `Environment`, has that name in requests.
 * - An answer or a body without such a name has that of its call: `ProjectsListResponse`, `ProjectsCreateRequest`.
 * - An object within another has the name of that one and of the field: `GovernanceSummaryChain`, with `Item` in a list and `Value` in a map.
 *
 * Requests are closed and answers open, so an exported object in both has two components. The answer has the plain name, since answers are what
 * programs keep; the form for requests ends in `Input`.
 */
export function createComponents(contract: Contract): Components {
  const calls = Object.entries(contract).flatMap(([feature, routes]) =>
    Object.entries(routes).map(([name, route]) => ({ feature, name, route })),
  );
  const store = createStore();
  const answers = nameAnswers(calls);
  const outputs = jsonSchemas(answers, 'output');
  const inAnswers = reachable(outputs, answered(calls, answers));
  for (const name of inAnswers) store.add(name, outputs.get(name)!);

  const requests = new Map<z.core.$ZodType, string>([...exportedObjects, ...exportedWords]);
  for (const { feature, name, route } of calls) if (!requests.has(route.input)) requests.set(route.input, `${feature}.${name}`);
  const inputs = jsonSchemas(requests, 'input');
  const byContent = new Map([...exportedObjects.values()].map((name) => [JSON.stringify(inputs.get(name)), name]));
  /** Adds the exported objects and words that a request holds, and names their form for requests. */
  const renamed = (schema: Schema): Schema => replaceRefs(schema, (name) => refTo(addInput(name)));
  const addInput = (name: string): string => {
    const inputName = inAnswers.includes(name) ? `${name}Input` : name;
    if (!store.has(inputName)) store.add(inputName, renamed(inputs.get(name)!));
    return inputName;
  };
  return {
    schemas: store.schemas,
    answer: (feature, name) => refTo(answers.get(contract[feature]![name]!.output)!),
    input: (feature, name) => ({
      fields: inputs.get(requests.get(contract[feature]![name]!.input)!)!,
      parameter: renamed,
      body: (schema) => {
        const same = byContent.get(JSON.stringify(schema));
        if (same) return refTo(addInput(same));
        const bodyName = callName(feature, name, 'Request');
        store.add(bodyName, renamed(schema));
        return refTo(bodyName);
      },
    }),
  };
}

interface NamedRoute {
  feature: string;
  name: string;
  route: Route;
}

function nameAnswers(calls: NamedRoute[]): Map<z.core.$ZodType, string> {
  const names = new Map(exportedObjects);
  for (const { feature, name, route } of calls)
    if (hasBody(route) && !names.has(route.output)) names.set(route.output, callName(feature, name, 'Response'));
  return names;
}

const hasBody = ({ status, download }: Route) => status !== 204 && !download;

const answered = (calls: NamedRoute[], answers: Map<z.core.$ZodType, string>) =>
  calls.flatMap(({ route }) => (hasBody(route) ? [answers.get(route.output)!] : []));

/** The named schemas and those that they refer to, in the order of the contract. */
function reachable(schemas: Map<string, Schema>, names: string[]): string[] {
  const known = new Set<string>();
  const follow = (name: string) => {
    if (known.has(name)) return;
    known.add(name);
    const schema = schemas.get(name);
    if (!schema) throw new Error(`${name} is in an answer and has no JSON Schema`);
    replaceRefs(schema, (inner) => {
      follow(inner);
      return refTo(inner);
    });
  };
  names.forEach(follow);
  return [...schemas.keys()].filter((name) => known.has(name));
}

/** Collects components, and gives each object within one a component of its own. */
function createStore() {
  const schemas: Record<string, Schema> = {};
  const add = (name: string, schema: Schema): void => {
    if (name in schemas) throw new Error(`Two schemas are called ${name}`);
    schemas[name] = schema; // holds the place before those of its fields
    schemas[name] = divided(schema, name);
  };
  const named = (schema: Schema, name: string): Schema => {
    if (!schema.properties) return divided(schema, name);
    add(name, schema);
    return refTo(name);
  };
  const divided = (schema: Schema, name: string): Schema => {
    const { properties, items, anyOf, additionalProperties } = schema;
    const copy = { ...schema };
    if (properties)
      copy.properties = Object.fromEntries(
        Object.entries(properties).map(([field, inner]) => [field, named(inner, `${name}${pascal(field)}`)]),
      );
    if (items) copy.items = named(items, `${name}Item`);
    if (anyOf) copy.anyOf = anyOf.map((inner) => named(inner, name));
    if (additionalProperties) copy.additionalProperties = named(additionalProperties, `${name}Value`);
    return copy;
  };
  return { schemas, add, has: (name: string) => name in schemas };
}
