/**
 * Parses the query of a page's address. An address may contain anything, so a value that a page cannot use is silently dropped: each parser
 * returns undefined for it. The router writes the remaining values back, which cleans the address, too. These few lines replace a schema
 * library, which would be larger than the whole first page.
 */
type Parser<Value> = (given: unknown) => Value | undefined;
type Shape = Record<string, Parser<unknown>>;
type Parsed<S extends Shape> = { [Name in keyof S]?: Exclude<ReturnType<S[Name]>, undefined> };
export type Search = Record<string, unknown>;

/** A word from a list. The default is not in the list, since the address omits it. */
export const oneOf =
  <const Word extends string>(...words: readonly Word[]): Parser<Word> =>
  (given) =>
    words.find((word) => word === given);

/** Several words from a list, separated by commas, in the order of the list. */
export const someOf =
  (...words: readonly string[]): Parser<string> =>
  (given) => {
    const wanted = typeof given === 'string' && given.length <= maxTextLength ? given.split(',') : [];
    const known = words.filter((word) => wanted.includes(word));
    return known.length > 0 ? known.join(',') : undefined;
  };

/** An id of one kind: `idOf('dep')`. */
export const idOf =
  (prefix: string): Parser<string> =>
  (given) =>
    typeof given === 'string' &&
    given.length <= maxIdLength &&
    given.startsWith(`${prefix}_`) &&
    /^[\w-]+$/.test(given) &&
    given.length > prefix.length + 1
      ? given
      : undefined;

/** Typed text: cut to the length, and without characters that no database stores. */
export const textOf =
  (maxLength: number): Parser<string> =>
  (given) =>
    typeof given === 'string' ? given.replaceAll('\0', '').slice(0, maxLength).toWellFormed() || undefined : undefined;

/** A whole number from 1 on. */
export const countOf: Parser<number> = (given) =>
  (typeof given === 'string' || typeof given === 'number') && /^[1-9]\d{0,8}$/.test(String(given)) ? Number(given) : undefined;

/** Reads the parameters that a page knows; all others are dropped. */
export const searchOf =
  <S extends Shape>(shape: S) =>
  (given: Search): Parsed<S> => {
    const parsed = Object.entries(shape).map(
      ([name, parse]) => [name, Object.hasOwn(given, name) ? parse(given[name]) : undefined] as const,
    );
    return Object.fromEntries(parsed.filter(([, value]) => value !== undefined)) as Parsed<S>;
  };

/** For a page without parameters. */
export const noSearch = searchOf({});

/** For pages that validate their parameters themselves, character by character. */
export const asGiven = (given: Search): Search => given;

const maxIdLength = 64;
const maxTextLength = 200;

/** Reads every value as text, without guessing types: `1e5` and `true` are strings. A repeated name has all its values. */
export function readQuery(query: string): Search {
  const given = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(given.keys())].map((name) => [name, given.getAll(name).length > 1 ? given.getAll(name) : given.get(name)]),
  );
}

export function writeQuery(search: Search): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      if (one !== undefined && one !== null) query.append(name, String(one));
  return query.size > 0 ? `?${query}` : '';
}
