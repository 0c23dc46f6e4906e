/** The message of an error and of its causes: `fetch failed` alone is no explanation. */
export function messageOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' && !error.code.startsWith('ERR_') && !error.message.includes(error.code);
  const own = `${error.message}${code ? ` (${String(error.code)})` : ''}`;
  return error.cause === undefined || depth >= 5 ? own : `${own}: ${messageOf(error.cause, depth + 1)}`;
}
