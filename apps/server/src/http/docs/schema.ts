import * as z from 'zod';

/** The keywords of JSON Schema that the contract's schemas use. */
export interface Schema {
  $ref?: string;
  description?: string;
  deprecated?: true;
  default?: unknown;
  type?: string | string[];
  format?: string;
  enum?: string[];
  const?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  anyOf?: Schema[];
  /** With `else`: a condition on which fields are there. */
  if?: Schema;
  else?: Schema;
  not?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  propertyNames?: Schema;
  /** False: no other field. A schema: the values of a map. */
  additionalProperties?: false | Schema;
}

type Io = 'input' | 'output';

const prefix = '#/components/schemas/';
export const refTo = (name: string): Schema => ({ $ref: prefix + name });
/** The name of the component that a schema refers to. */
export const refName = ({ $ref }: Schema): string | undefined => ($ref?.startsWith(prefix) ? $ref.slice(prefix.length) : undefined);

/** A schema of the contract as JSON Schema that holds everything itself, without references. */
export function jsonSchema(schema: z.core.$ZodType, io: Io): Schema {
  const { $schema: _, $defs = {}, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  return finish(rest, $defs, io);
}

/**
 * Schemas of the contract as JSON Schema, by their names; they refer to each other as components. A schema that has no such form is left out: what
 * a request's transform makes of a field is no part of any answer.
 */
export function jsonSchemas(names: Map<z.core.$ZodType, string>, io: Io): Map<string, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const unrepresentable = () => ({ $comment: noForm });
  const { schemas } = z.toJSONSchema(registry, { target: 'draft-2020-12', io, unrepresentable, uri: (id) => prefix + id });
  const { [sharedName]: shared, ...others } = schemas;
  const made = new Map<string, Schema>();
  for (const [name, { $schema: _, $id: __, ...rest }] of Object.entries(others))
    if (!JSON.stringify(rest).includes(noForm)) made.set(name, finish(rest, shared?.$defs ?? {}, io));
  return made;
}

const noForm = 'no form in JSON Schema';
/** Zod's name for what recursive schemas of a registry have in common. */
const sharedName = '__shared';

/**
 * The contract's only recursive schema means any value, so it is replaced by one without a definition: client generators do not find
 * definitions within a schema, and not all support recursive types.
 */
function finish(schema: object, definitions: Record<string, z.core.JSONSchema.BaseSchema>, io: Io): Schema {
  for (const [name, definition] of Object.entries(definitions))
    if (!isAnyValue(definition)) throw new Error(`${name} holds itself and is not any value`);
  const plain = JSON.parse(JSON.stringify(schema), withoutDefinition) as Schema;
  return io === 'output' ? (JSON.parse(JSON.stringify(plain), open) as Schema) : plain;
}

/**
 * Opens the schemas of responses: a client generated from this document accepts enum values and fields that are newer than it. The known values
 * are in the description. Schemas of requests stay closed, as the server refuses unknown fields.
 */
function open(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { enum: words, additionalProperties, ...rest } = value as Schema & { additionalProperties?: unknown };
  const opened = additionalProperties ? { ...rest, additionalProperties } : rest;
  if (!Array.isArray(words)) return opened;
  const known = `Known values: ${words.map((word) => `\`${word}\``).join(', ')}`;
  return { ...opened, description: rest.description === undefined ? known : `${rest.description}. ${known}` };
}

/** Whether it is zod's JSON Schema for `z.json()`. */
const isAnyValue = ({ anyOf = [] }: z.core.JSONSchema.BaseSchema) =>
  anyOf.flatMap((one) => (typeof one === 'object' ? (one.type ?? []) : [])).join(' ') === 'string number boolean null array object';

function withoutDefinition(_: string, value: unknown): unknown {
  const { $ref, ...rest } = (typeof value === 'object' && value !== null ? value : {}) as { $ref?: unknown };
  return typeof $ref === 'string' && $ref.includes('#/$defs/') ? rest : value;
}

/** A copy with each reference to a component replaced; keywords beside the reference stay. */
export function replaceRefs<T extends object>(value: T, replace: (name: string) => Schema): T {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) => {
    const name = typeof inner === 'object' && inner !== null ? refName(inner) : undefined;
    if (name === undefined) return inner;
    const { $ref: __, ...beside } = inner as Schema;
    return { ...replace(name), ...beside };
  }) as T;
}

/** The schema without null and without the array around it. */
export function core(schema: Schema): Schema {
  if (schema.anyOf) return core(schema.anyOf.find(({ type }) => type !== 'null') ?? {});
  return schema.items ? core(schema.items) : schema;
}

/** A copy that holds everything itself. */
export const withoutRefs = <T extends object>(value: T, schemas: Record<string, Schema>): T =>
  replaceRefs(value, (name) => withoutRefs(schemas[name]!, schemas));
