/**
 * The path of the first text that could not be kept as it is: one with NUL, which PostgreSQL refuses, or with half of a surrogate pair,
 * which becomes another character on the way. Expects what a schema has accepted, so its depth is bounded.
 */
export function unstorable(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, one] of Object.entries(value)) {
    const found = unstorable(one, path ? `${path}.${key}` : key);
    if (found !== undefined) return found;
  }
  return undefined;
}
