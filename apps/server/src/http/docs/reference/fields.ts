import { escape } from '../frame.ts';
import { core, refName, type Schema } from '../schema.ts';
import { schemasPath } from './named-schemas.ts';

/** A field of an object, or a parameter. */
export interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
  /** Whether the field is in a request or in a response: in responses only fields that may be missing are marked. */
  isSent: boolean;
  /** Facts that the schema does not contain, as HTML. */
  note?: string;
}

export const listFields = (schema: Schema, isSent: boolean): Field[] =>
  Object.entries(schema.properties ?? {}).map(([name, each]) => ({
    name,
    schema: each,
    isRequired: schema.required?.includes(name) ?? false,
    isSent,
  }));

/** A definition list: each name with its type, meaning and bounds; fields of unnamed objects are nested. */
export const fieldList = (fields: Field[]): string =>
  fields.length === 0 ? '' : `<dl>${fields.map((field) => fieldTerm(field)).join('')}</dl>`;

function fieldTerm({ name, schema, isRequired, isSent, note }: Field): string {
  const facts = [renderType(schema)];
  if (isSent) facts.push(isRequired ? '<strong>required</strong>' : 'optional');
  else if (!isRequired) facts.push('may be missing');
  const notes = renderNotes(schema);
  if (note) notes.push(note);
  const inner = core(schema);
  const within = inner.properties ? fieldList(listFields(inner, isSent)) : '';
  return `<div><dt><code>${name}</code></dt><dd><p class="type">${facts.join(', ')}</p>${notes.map((each) => `<p>${each}</p>`).join('')}${within}</dd></div>`;
}

/** The type in words, with a link if the schema has a name. */
export function renderType(schema: Schema): string {
  const name = refName(schema);
  if (name) return `<a href="${schemasPath}#${name}">${name}</a>`;
  if (schema.anyOf) return schema.anyOf.map((each) => renderType(each)).join(' or ');
  if (schema.items) return `array of ${renderType(schema.items)}`;
  if (schema.format === 'binary') return 'file';
  return [schema.type ?? 'any'].flat().join(' or ');
}

function renderNotes(schema: Schema): string[] {
  const descriptions = new Set([schema.description, core(schema).description].filter((each) => each !== undefined));
  const notes = [...descriptions].map((each) => prose(sentence(each)));
  const bounds = [count(schema.minItems, schema.maxItems, 'items'), ...describeBounds(core(schema))].filter((each) => each !== undefined);
  if (schema.default !== undefined && schema.default !== '') bounds.push(`Default ${code(valueOf(schema.default))}.`);
  if (bounds.length > 0) notes.push(bounds.join(' '));
  return notes;
}

function describeBounds({ enum: values, format, pattern, minLength, maxLength, minimum, maximum }: Schema): (string | undefined)[] {
  return [
    values && `${values.length > 1 ? 'One of ' : ''}${values.map(code).join(', ')}.`,
    format === 'date-time' ? 'ISO 8601 in UTC.' : undefined,
    count(minLength, maxLength, 'characters'),
    count(bound(minimum), bound(maximum)),
    // The pattern of a time only repeats its format.
    pattern !== undefined && format === undefined ? `Matches ${code(pattern)}.` : undefined,
  ];
}

/** Omits the bounds that every integer has. */
const bound = (limit: number | undefined) => (limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : undefined);

function count(min: number | undefined, max: number | undefined, unit = ''): string | undefined {
  const least = min === 0 && unit !== '' ? undefined : min;
  if (least === undefined && max === undefined) return undefined;
  if (least === max) return `Exactly ${max} ${unit}.`.replace(' .', '.');
  if (least === undefined) return `At most ${max} ${unit}.`.replace(' .', '.');
  if (max === undefined) return `At least ${least} ${unit}.`.replace(' .', '.');
  return `${least} to ${max} ${unit}.`.replace(' .', '.');
}

export const code = (text: string) => `<code>${escape(text)}</code>`;

const valueOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Renders a text of the document, in which names are between backticks. */
export const prose = (text: string) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
