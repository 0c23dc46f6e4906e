/** The source files named in backticks by `text` that are in none of `files`. A name matches the end of a path; a pattern (`<name>`, `*`) matches all. */
export function missingNames(text: string, files: readonly string[]): string[] {
  const names = [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|sql))`/g)].map(([, name = '']) => name.replace(/^\.?\.?\//, ''));
  const paths = files.map((path) => `/${path}`);
  return [...new Set(names)].filter((name) => !paths.some((path) => path.endsWith(`/${name}`)));
}

/** The documents that are longer than `maxBytes`, each with its size. */
export const oversized = (documents: readonly { path: string; bytes: number }[], maxBytes: number): string[] =>
  documents.filter(({ bytes }) => bytes > maxBytes).map(({ path, bytes }) => `${path}: ${bytes} bytes, at most ${maxBytes}`);
