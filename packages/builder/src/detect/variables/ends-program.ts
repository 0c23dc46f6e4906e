import type { LogicalLine, Token } from '../../python/tokens.ts';

/** Lines of a block that are examined. */
const maxBlock = 4;
/** Lines above an error within which the `try` around it is looked for, and lines below that within which its handlers are. */
const maxTry = 100;

const exits = (words: Token[]) => words.slice(0, 3).some(({ text }) => ['exit', '_exit', 'quit'].includes(text));
const raises = (words: Token[]) => words[0]?.text === 'raise';

/** Whether the block of a condition raises an error that nothing in the same function catches, or exits. */
export function endsProgram(lines: LogicalLine[], index: number): boolean {
  const { indent, tokens } = lines[index]!;
  const colon = tokens.findLastIndex(({ text }) => text === ':');
  const block = [tokens.slice(colon + 1, colon + 4)];
  for (const line of lines.slice(index + 1, index + 1 + maxBlock)) {
    if (line.indent <= indent) break;
    block.push(line.tokens);
  }
  const last = block.find((words) => raises(words) || exits(words));
  return last !== undefined && (exits(last) || !isCaught(lines, index));
}

/** Whether a line stands in a `try` whose handlers neither raise nor exit. */
function isCaught(lines: LogicalLine[], index: number): boolean {
  let { indent } = lines[index]!;
  for (let at = index - 1; at >= 0 && at > index - maxTry && indent > 0; at--) {
    const line = lines[at]!;
    if (line.indent >= indent) continue;
    indent = line.indent;
    const first = line.tokens[0]?.text ?? '';
    if (first === 'try') return goesOnAfter(lines, at);
    if (['def', 'class', 'async', 'except', 'finally'].includes(first)) return false;
  }
  return false;
}

/** Whether a `try` has a handler, and none that raises or exits. `at`: the line of `try`. */
function goesOnAfter(lines: LogicalLine[], at: number): boolean {
  const { indent } = lines[at]!;
  let part = '';
  let hasHandler = false;
  for (const line of lines.slice(at + 1, at + 1 + maxTry)) {
    const first = line.tokens[0]?.text ?? '';
    if (line.indent < indent || (line.indent === indent && !['except', 'else', 'finally'].includes(first))) break;
    if (line.indent === indent) part = first;
    if (part !== 'except') continue;
    hasHandler = true;
    if (raises(line.tokens) || exits(line.tokens)) return false;
  }
  return hasHandler;
}
