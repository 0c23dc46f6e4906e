/** Maximum growth: the indentation of deep nesting may be longer than the text. */
const maxGrowth = 4;

/**
 * Indents valid JSON. The text of every value is unchanged: a number that JavaScript cannot represent is not rounded. Returns undefined for
 * invalid JSON, and if the result would be far longer.
 */
export function indentJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined; // the text itself is shown
  }
  const most = text.length * maxGrowth + 10_000;
  let length = 0;
  let depth = 0;
  const parts: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const before = parts.at(-1);
    const isOpen = before === '{' || before === '[';
    if (token === '}' || token === ']') depth -= 1;
    let space = '';
    if (token === '}' || token === ']') space = isOpen ? '' : lineOf(depth);
    else if (isOpen || before === ',') space = lineOf(depth);
    else if (before === ':') space = ' ';
    if (token === '{' || token === '[') depth += 1;
    length += space.length + token.length;
    if (length > most) return undefined;
    if (space !== '') parts.push(space);
    parts.push(token);
  }
  return parts.join('');
}

const lineOf = (depth: number) => `\n${'  '.repeat(depth)}`;
