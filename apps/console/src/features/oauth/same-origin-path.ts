/** The path of a page of this console with its query, or undefined for whatever could lead elsewhere. */
export function sameOriginPath(given: unknown, origin: string): string | undefined {
  // Browsers drop tabs and line breaks from addresses, and take a backslash for a slash.
  if (typeof given !== 'string' || given.length > 4000 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(given)) return undefined;
  const url = URL.parse(given, origin);
  if (url?.origin !== origin) return undefined;
  const path = url.pathname + url.search + url.hash;
  return path.startsWith('//') ? undefined : path; // as '/.//evil.example' becomes
}
