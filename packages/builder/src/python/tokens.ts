/** A token of Python source, as far as finding imports, assignments and calls needs it. */
export interface Token {
  kind: 'name' | 'string' | 'number' | 'op';
  text: string;
}

/** One logical line: its tokens (brackets join lines) and its indentation. */
export interface LogicalLine {
  indent: number;
  tokens: Token[];
}

const name = /[\p{L}_][\p{L}\p{N}_]*/uy;
const number = /\d[\w.]*/y;
const stringStart = /[rbuftRBUFT]{0,2}("""|'''|"|')/y;

/** Brackets join lines: a table of data may be a single one of a megabyte. What follows in it says nothing of the agent. */
const maxTokens = 20_000;
/** No name that a person gave is longer. */
const maxNameCharacters = 200;

/**
 * Splits Python source into logical lines, one at a time, with comments dropped and strings kept apart. Never throws: bad
 * source gives what was read. Of a line with more than 20,000 tokens the rest is left out.
 */
export function* logicalLines(source: string): Generator<LogicalLine> {
  let tokens: Token[] = [];
  let depth = 0;
  let indent = 0;
  let fresh = true;
  function* taken(): Generator<LogicalLine> {
    if (tokens.length > 0) yield { indent, tokens };
    tokens = [];
    fresh = true;
  }
  for (let i = 0; i < source.length; ) {
    const c = source[i] ?? '';
    if (fresh && depth === 0) {
      const lead = /[ \t\f]*/y;
      lead.lastIndex = i;
      const white = lead.exec(source)?.[0] ?? '';
      indent = white.replaceAll('\t', '        ').length;
      i += white.length;
      fresh = false;
      continue;
    }
    if (c === '\n') {
      i++;
      if (depth === 0) yield* taken();
    } else if (c === '#') {
      const end = source.indexOf('\n', i);
      i = end === -1 ? source.length : end;
    } else if (c === '\\' && /^\r?\n/.test(source.slice(i + 1, i + 3))) {
      i += source[i + 1] === '\r' ? 3 : 2;
    } else if (c === ';' && depth === 0) {
      const same = indent;
      yield* taken();
      indent = same;
      fresh = false;
      i++;
    } else if (/\s/.test(c)) {
      i++;
    } else {
      const token = readString(source, i) ??
        match(source, i, name, 'name') ??
        match(source, i, number, 'number') ?? { token: { kind: 'op' as const, text: c }, next: i + 1 };
      if ('([{'.includes(token.token.text) && token.token.kind === 'op') depth++;
      if (')]}'.includes(token.token.text) && token.token.kind === 'op') depth = Math.max(0, depth - 1);
      if (tokens.length < maxTokens) tokens.push(token.token);
      i = token.next;
    }
  }
  yield* taken();
}

function match(source: string, at: number, pattern: RegExp, kind: Token['kind']): { token: Token; next: number } | null {
  pattern.lastIndex = at;
  const found = pattern.exec(source)?.[0];
  return found === undefined ? null : { token: { kind, text: found.slice(0, maxNameCharacters) }, next: at + found.length };
}

function readString(source: string, at: number): { token: Token; next: number } | null {
  stringStart.lastIndex = at;
  const start = stringStart.exec(source);
  const quote = start?.[1];
  if (start === null || quote === undefined) return null;
  const from = at + start[0].length;
  let i = from;
  while (i < source.length && !source.startsWith(quote, i)) {
    if (quote.length === 1 && source[i] === '\n') break;
    i += source[i] === '\\' ? 2 : 1;
  }
  return { token: { kind: 'string', text: source.slice(from, i) }, next: Math.min(source.length, i + quote.length) };
}
