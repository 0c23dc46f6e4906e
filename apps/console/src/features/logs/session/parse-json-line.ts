/** Longer lines are not unfolded. */
const maxLength = 20_000;

/** A line that is one JSON object or list, indented; undefined for other lines, and for `{}` and `[]`, which have nothing to unfold. */
export function parseJsonLine(text: string): string | undefined {
  const line = text.trim();
  if (line.length > maxLength || !/^(?:\{[^]*\}|\[[^]*\])$/.test(line)) return undefined;
  try {
    const value = JSON.parse(line) as object;
    return Object.keys(value).length > 0 ? JSON.stringify(value, null, 2) : undefined;
  } catch {
    return undefined; // not JSON
  }
}
