import type { ProtocolField } from '@paddock/contract';
import { at, type Fields, fieldsOf, listOf, most, textOf } from './hostile.ts';

/** Bounds, because an agent's schema may have any size and depth, and may refer to itself. */
const maxDepth = 6;
const maxSteps = 300;

/** The fields of an object schema for a form; null if one of them is not simple. */
export function simpleFields(schema: unknown): ProtocolField[] | null {
  const object = fieldsOf(schema);
  const names = Object.keys(fieldsOf(at(object, 'properties')) ?? {});
  if (!object || names.length > most.fields) return null;
  // `$ref`, `oneOf` and similar keywords say more than the properties.
  if (['$ref', 'anyOf', 'oneOf', 'allOf'].some((name) => Object.hasOwn(object, name))) return null;
  const required = new Set(listOf(at(object, 'required')));
  const fields: ProtocolField[] = [];
  for (const name of names) {
    const field = simpleField(name, at(fieldsOf(at(object, 'properties')), name));
    if (!field) return null;
    fields.push({ ...field, required: required.has(name) });
  }
  return fields;
}

const simpleTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

function simpleField(name: string, schema: unknown): ProtocolField | undefined {
  const object = fieldsOf(schema);
  // A name whose displayed form differs from the sent one is not usable in a form.
  if (!object || name === '' || textOf(name, most.name) !== name) return undefined;
  // Python's `str | None`: an omitted value is None.
  const options = listOf(at(object, 'anyOf')).slice(0, 3).map(fieldsOf);
  const [only, ...others] = options.filter((option) => at(option, 'type') !== 'null');
  if (options.length > 0 && (!only || others.length > 0)) return undefined;
  const meant = only ?? object;
  const choices = listOf(at(meant, 'enum'));
  const type = at(meant, 'type') ?? (choices.length > 0 ? 'string' : undefined);
  if (!simpleTypes.has(type)) return undefined;
  if (choices.length > most.choices || choices.some((choice) => typeof choice !== 'string' || textOf(choice, most.name) !== choice))
    return undefined;
  return {
    name,
    type: type as ProtocolField['type'],
    required: false,
    description: textOf(at(object, 'description') ?? at(object, 'title'), most.description),
    choices: choices as string[],
  };
}

/** Example JSON for a schema; empty if it does not fit the bounds. `root` resolves `$ref`. */
export function exampleText(schema: unknown, root: unknown): string {
  const steps = { left: maxSteps };
  const value = example(schema, { root, depth: 0, steps });
  if (value === undefined || steps.left < 0) return '';
  const text = JSON.stringify(value, null, 2).replace(hidden, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return text.length <= most.example ? text : '';
}

/** Invisible characters, and those that change the text direction: JSON can escape them. */
const hidden = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

interface Place {
  root: unknown;
  depth: number;
  steps: { left: number };
}

function example(schema: unknown, { root, depth, steps }: Place): unknown {
  const object = fieldsOf(schema);
  steps.left -= 1;
  if (!object || depth > maxDepth || steps.left < 0) return undefined;
  const deeper = { root, depth: depth + 1, steps };
  if (Object.hasOwn(object, '$ref')) return example(referred(object.$ref, root), deeper);
  const given = [at(object, 'example'), ...listOf(at(object, 'examples')).slice(0, 1), at(object, 'default'), at(object, 'const')];
  for (const value of [...given, listOf(at(object, 'enum'))[0]]) {
    const kept = plain(value, { depth, steps });
    if (kept !== undefined && kept !== null) return kept;
  }
  const parts = [...listOf(at(object, 'allOf')), ...listOf(at(object, 'anyOf')), ...listOf(at(object, 'oneOf'))];
  const part = parts.slice(0, 5).find((each) => at(fieldsOf(each), 'type') !== 'null');
  if (part !== undefined) return example(part, deeper);
  return ofType(object, deeper);
}

function ofType(object: Fields, deeper: Place): unknown {
  const properties = fieldsOf(at(object, 'properties'));
  const type = properties ? 'object' : [at(object, 'type')].flat(1)[0];
  if (type === 'string') return '';
  if (type === 'number' || type === 'integer') return 0;
  if (type === 'boolean') return false;
  if (type === 'array') return [example(at(object, 'items'), deeper)].filter((value) => value !== undefined);
  if (type !== 'object') return undefined;
  const named = listOf(at(object, 'required')).filter((name) => typeof name === 'string');
  const names = named.length > 0 ? named : Object.keys(properties ?? {});
  const entries = names.slice(0, most.fields).map((name) => [name, example(at(properties, name), deeper)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** `#/components/schemas/Chat`. */
function referred(ref: unknown, root: unknown): unknown {
  if (typeof ref !== 'string' || ref.length > 300 || !ref.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const name of ref.slice(2).split('/').slice(0, 8)) found = at(fieldsOf(found), name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return found;
}

/** A copy of a value from the agent; undefined beyond the bounds. */
function plain(value: unknown, { depth, steps }: Omit<Place, 'root'>): unknown {
  steps.left -= 1;
  if (depth > maxDepth || steps.left < 0) return undefined;
  const deeper = { depth: depth + 1, steps };
  if (Array.isArray(value)) return value.slice(0, most.fields).map((each) => plain(each, deeper) ?? null);
  const fields = fieldsOf(value);
  if (!fields) return typeof value === 'string' ? value.slice(0, most.example) : value;
  const names = Object.keys(fields).slice(0, most.fields);
  return Object.fromEntries(names.map((name) => [name.slice(0, most.name), plain(fields[name], deeper) ?? null]));
}
