import type { Json, JsonObject } from './canonical.ts';
import { Malformed } from './failures.ts';
import { isObject } from './parse-line.ts';

/** Throws unless an object has exactly these members. */
export function exactly(object: JsonObject, names: readonly string[], what: string) {
  const missing = names.find((name) => !Object.hasOwn(object, name));
  if (missing !== undefined) throw new Malformed(`The ${what} has no "${missing}".`);
  const strange = Object.keys(object).find((name) => !names.includes(name));
  if (strange !== undefined) throw new Malformed(`The ${what} has a field "${shown(strange)}", which the format does not know.`);
}

const hex = /^[0-9a-f]*$/;

/** Reads the fields of one object; each reader throws `Malformed` with the name of the field. */
export function createFieldReader(object: JsonObject, what: string) {
  const wrong = (name: string, wanted: string) => new Malformed(`"${name}" of the ${what} is not ${wanted}.`);
  const get = (name: string): Json | undefined => (Object.hasOwn(object, name) ? object[name] : undefined);
  const text = (name: string) => {
    const value = get(name);
    if (typeof value !== 'string') throw wrong(name, 'a text');
    return value;
  };
  const number = (name: string, min: number) => {
    const value = get(name);
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min) throw wrong(name, `a whole number from ${min}`);
    return value;
  };
  const bytes = (name: string, length: number) => {
    const value = text(name);
    if (value.length !== length * 2 || !hex.test(value)) throw wrong(name, `${length} bytes in lower-case hexadecimal digits`);
    return Buffer.from(value, 'hex');
  };
  return {
    get,
    text,
    number,
    bytes,
    hash: (name: string) => bytes(name, 32),
    is(name: string, value: Json) {
      if (get(name) !== value) throw wrong(name, JSON.stringify(value));
    },
    textOrNull(name: string) {
      return get(name) === null ? null : text(name);
    },
    boolean(name: string) {
      const value = get(name);
      if (typeof value !== 'boolean') throw wrong(name, 'true or false');
      return value;
    },
    object(name: string) {
      const value = get(name);
      if (!isObject(value)) throw wrong(name, 'an object');
      return value;
    },
    list(name: string) {
      const value = get(name);
      if (!Array.isArray(value)) throw wrong(name, 'a list');
      return value;
    },
    base64url(name: string, length: number) {
      const value = text(name);
      const read = Buffer.from(value, 'base64url');
      // Node ignores invalid letters and spare bits, so encoding the bytes again must give the same text.
      if (read.length !== length || read.toString('base64url') !== value) throw wrong(name, `${length} bytes in base64url without padding`);
      return read;
    },
  };
}

/** A stranger's text in a form that is safe in a sentence. */
export const shown = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text).slice(1, -1);
