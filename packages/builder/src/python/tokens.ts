/** A token of Python source, as detailed as imports, assignments and calls need it. */
export interface Token {
  kind: 'name' | 'string' | 'number' | 'op';
  text: string;
  /** The index of its first character in the source. */
  at: number;
}

/** A logical line: its tokens (brackets join lines) and its indentation. */
export interface LogicalLine {
  indent: number;
  tokens: Token[];
}

const name = /[\p{L}_][\p{L}\p{N}_]*/uy;
const number = /\d[\w.]*/y;
const stringStart = /[rbuftRBUFT]{0,2}("""|'''|"|')/y;

/** Brackets join lines, so a table of data may be one line of a megabyte. Its later tokens are irrelevant for the agent. */
const maxTokens = 20_000;
/** Longer names do not occur in practice. */
const maxNameCharacters = 200;

/**
 * Splits Python source into logical lines, one at a time, with comments dropped and strings as single tokens. Never throws: invalid source
 * yields the tokens read so far. Tokens of a line after the first 20,000 are left out.
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
      const { token, next } = readToken(source, i);
      if ('([{'.includes(token.text) && token.kind === 'op') depth++;
      if (')]}'.includes(token.text) && token.kind === 'op') depth = Math.max(0, depth - 1);
      if (tokens.length < maxTokens) tokens.push(token);
      i = next;
    }
  }
  yield* taken();
}

interface Read {
  token: Token;
  /** The position at which reading continues. */
  next: number;
}

const readName = tokenReader(name, 'name');
const readNumber = tokenReader(number, 'number');

function readToken(source: string, at: number): Read {
  const operator: Token = { kind: 'op', text: source[at] ?? '', at };
  return readString(source, at) ?? readName(source, at) ?? readNumber(source, at) ?? { token: operator, next: at + 1 };
}

function tokenReader(pattern: RegExp, kind: Token['kind']) {
  return (source: string, at: number): Read | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    return found === undefined ? null : { token: { kind, text: found.slice(0, maxNameCharacters), at }, next: at + found.length };
  };
}

function readString(source: string, at: number): Read | null {
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
  return { token: { kind: 'string', text: source.slice(from, i), at }, next: Math.min(source.length, i + quote.length) };
}
