/** The form of a word for a count: `call` for 1, `calls` for any other. */
export const pluralWord = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

/** A count with its word: `1 call`, `1,200 calls`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${pluralWord(count, one, many)}`;
