import type { Json } from './event.ts';

type JsonObject = { [key: string]: Json };

/**
 * JSON as RFC 8785 writes it: keys sorted by UTF-16 code units, no blanks. Text that is not well-formed is repaired, since it has no
 * standard encoding.
 */
export function canonical(value: Json): string {
  const sorted = sortKeys(value);
  return sorted === UNSORTABLE ? write(value) : JSON.stringify(sorted);
}

/** JavaScript moves keys that are whole numbers to the front of an object, and gives `__proto__` a meaning: such objects are written by hand. */
const UNSORTABLE = Symbol('unsortable');

/** The value with the keys of all its objects in order, and well-formed texts; the value itself if it is so already. */
function sortKeys(value: Json): Json | typeof UNSORTABLE {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (value === null || typeof value !== 'object') return value;
  return Array.isArray(value) ? sortInArray(value) : sortInObject(value);
}

function sortInArray(values: Json[]): Json[] | typeof UNSORTABLE {
  let sorted = values;
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    const inner = sortKeys(value);
    if (inner === UNSORTABLE) return UNSORTABLE;
    if (inner === value) continue;
    if (sorted === values) sorted = values.slice();
    sorted[at] = inner;
  }
  return sorted;
}

function sortInObject(value: JsonObject): JsonObject | typeof UNSORTABLE {
  const keys = Object.keys(value);
  let isSame = true;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!;
    if (!isSortable(key)) return UNSORTABLE;
    if (at > 0 && key < keys[at - 1]!) isSame = false;
  }
  if (!isSame) keys.sort(byCodeUnits);
  const sorted: Json[] = [];
  for (const key of keys) {
    const given = value[key]!;
    const inner = sortKeys(given);
    if (inner === UNSORTABLE) return UNSORTABLE;
    if (inner !== given) isSame = false;
    sorted.push(inner);
  }
  if (isSame) return value;
  const object: JsonObject = {};
  for (let at = 0; at < keys.length; at++) object[keys[at]!] = sorted[at]!;
  return object;
}

function isSortable(key: string): boolean {
  const first = key.charCodeAt(0);
  return !(first >= 0x30 && first <= 0x39) && key !== '__proto__' && key.isWellFormed();
}

function write(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value.isWellFormed() ? value : value.toWellFormed());
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  const keys = Object.keys(value).toSorted(byCodeUnits);
  return `{${keys.map((key) => `${write(key)}:${write(value[key]!)}`).join(',')}}`;
}

function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
