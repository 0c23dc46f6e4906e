/** The path, query and fragment of a page of this console, or undefined for anything that could lead elsewhere. */
export function sameOriginPath(given: unknown, origin: string): string | undefined {
  // Browsers strip tabs and line breaks from URLs, and treat a backslash as a slash.
  if (typeof given !== 'string' || given.length > 4000 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(given)) return undefined;
  const url = URL.parse(given, origin);
  if (url?.origin !== origin) return undefined;
  const path = url.pathname + url.search + url.hash;
  return path.startsWith('//') ? undefined : path; // '/.//evil.example' becomes '//evil.example'
}
