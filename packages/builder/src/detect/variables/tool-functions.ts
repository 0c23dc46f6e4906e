import type { LogicalLine } from '../../python/tokens.ts';

/** Decorators of functions that a model calls as tools. Those of MCP servers are left out: their tools are all that they do. */
const pythonTools = new Set(['tool', 'function_tool', 'kernel_function', 'ai_function', 'tool_plain']);

/** Indices of the lines inside functions that an agent's model calls as tools. */
export function toolLines(lines: LogicalLine[]): Set<number> {
  const found = new Set<number>();
  for (let at = 0; at < lines.length; at++) {
    if (!isToolDecorator(lines[at]!)) continue;
    const { indent } = lines[at]!;
    // Further decorators and the head of the function have the same indentation.
    while (at < lines.length && lines[at]!.indent === indent && !isHead(lines[at]!)) at++;
    for (at++; at < lines.length && lines[at]!.indent > indent; at++) found.add(at);
    at--;
  }
  return found;
}

const isHead = ({ tokens: [first, second] }: LogicalLine) => first?.text === 'def' || (first?.text === 'async' && second?.text === 'def');

function isToolDecorator({ tokens }: LogicalLine): boolean {
  if (tokens[0]?.text !== '@') return false;
  const call = tokens.findIndex(({ text }) => text === '(');
  const path = tokens.slice(1, call === -1 ? undefined : call).filter(({ kind }) => kind === 'name');
  const name = path.at(-1)?.text ?? '';
  return pythonTools.has(name) && (path.length === 1 || name === 'tool_plain' || /agent/i.test(path.at(-2)?.text ?? ''));
}

/** Calls that make a tool of a function. `server.tool(…)` of MCP servers is left out. */
const nodeTools =
  /\b(?:new\s{1,5}(?:DynamicStructuredTool|DynamicTool|FunctionTool)|tool|createTool|defineTool|dynamicTool)(?:<[^<>()]{0,100}>)?\s{0,3}\(/g;
const maxTools = 200;
const maxCharacters = 20_000;
const maxString = 1000;

/** The ranges of a file of JavaScript or TypeScript that are inside such calls: positions of their brackets. */
export function toolRanges(source: string): [from: number, to: number][] {
  const found: [from: number, to: number][] = [];
  for (const match of source.matchAll(nodeTools)) {
    const from = match.index + match[0].length - 1;
    if (found.length === maxTools) break;
    if (source[match.index - 1] !== '.' && from > (found.at(-1)?.[1] ?? -1)) found.push([from, closingBracket(source, from)]);
  }
  return found;
}

/** The position of the bracket that closes the one at `from`; the bound of the search if there is none. */
function closingBracket(source: string, from: number): number {
  const end = Math.min(source.length, from + maxCharacters);
  let depth = 0;
  for (let at = from; at < end; at++) {
    const sign = source[at]!;
    if (sign === '(') depth++;
    else if (sign === ')' && --depth === 0) return at;
    else if (sign === '/' && source[at + 1] === '/') at = skipTo(source, at, '\n');
    else if (sign === '"' || sign === "'") at = skipString(source, at);
    else if (sign === '`') at = skipTo(source, at, '`');
  }
  return end;
}

/** The position of the next `sign` behind `at`; `at` if there is none near. */
function skipTo(source: string, at: number, sign: string): number {
  const text = source.slice(at + 1, at + maxString);
  const offset = text.indexOf(sign);
  return offset === -1 ? at : at + 1 + offset;
}

/** A quotation mark that its line does not close is an apostrophe. */
function skipString(source: string, at: number): number {
  const end = skipTo(source, at, source[at]!);
  return source.slice(at, end).includes('\n') ? at : end;
}
