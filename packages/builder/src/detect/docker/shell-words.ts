/** A word or an operator (`&&`, `|`, `;` …) of a shell line. */
export interface ShellToken {
  text: string;
  isOperator: boolean;
  /** Its text is known: it has no variable without a value, no command and no pattern. */
  isPlain: boolean;
}

export type Variables = ReadonlyMap<string, string>;

const maxTokens = 4000;
/** Bound of all values that replace variables in one line: values may be made of other values. */
const maxExpanded = 8192;
const variable = /\$(?:([A-Za-z_]\w{0,100})|\{([A-Za-z_]\w{0,100})(?::?-([^}$]{0,500}))?\})/y;

interface Reading {
  source: string;
  at: number;
  vars: Variables;
  operators: boolean;
  left: number;
  /** Null between words. */
  word: string | null;
  isPlain: boolean;
  isQuoted: boolean;
  tokens: ShellToken[];
}

/** The words of a line without their quotes, and its operators. Variables with a known value are expanded. */
export function shellTokens(source: string, vars: Variables): ShellToken[] {
  return tokenise(source, { vars, operators: true });
}

/** The words of the line of ENV, ARG and similar instructions, which know quotes and variables but no operators. */
export function plainWords(source: string, vars: Variables): ShellToken[] {
  return tokenise(source, { vars, operators: false });
}

function tokenise(source: string, { vars, operators }: { vars: Variables; operators: boolean }): ShellToken[] {
  const r: Reading = { source, at: 0, vars, operators, left: maxExpanded, word: null, isPlain: true, isQuoted: false, tokens: [] };
  while (r.at < source.length && r.tokens.length < maxTokens) step(r);
  endWord(r);
  return r.tokens;
}

function step(r: Reading): void {
  const c = r.source[r.at] ?? '';
  if (c === '$') return readVariable(r);
  if (c === '"') {
    r.isQuoted = !r.isQuoted;
    return add(r, '', 1);
  }
  if (c === '\\') return add(r, r.source[r.at + 1] ?? '', 2);
  if (c === '`') r.isPlain = false;
  if (r.isQuoted) return add(r, c, 1);
  if (c === "'") {
    const end = r.source.indexOf("'", r.at + 1);
    const to = end === -1 ? r.source.length : end;
    return add(r, r.source.slice(r.at + 1, to), to + 1 - r.at);
  }
  if (c === '#' && r.word === null && r.operators) {
    const end = r.source.indexOf('\n', r.at);
    r.at = end === -1 ? r.source.length : end;
    return;
  }
  if (/\s/.test(c) || (r.operators && '|&;()<>'.includes(c))) return between(r, c);
  if (c === '*' || c === '?') r.isPlain = false;
  add(r, c, 1);
}

function add(r: Reading, text: string, length: number): void {
  r.word = (r.word ?? '') + text;
  r.at += length;
}

function between(r: Reading, c: string): void {
  endWord(r);
  if (c === '\n' && r.operators) pushOperator(r, ';');
  else if (r.operators && !/\s/.test(c)) pushOperator(r, r.source[r.at + 1] === c ? c + c : c);
  else r.at++;
}

function pushOperator(r: Reading, text: string): void {
  r.tokens.push({ text, isOperator: true, isPlain: true });
  r.at += text.length;
}

function endWord(r: Reading): void {
  if (r.word !== null) r.tokens.push({ text: r.word, isOperator: false, isPlain: r.isPlain });
  r.word = null;
  r.isPlain = true;
}

function readVariable(r: Reading): void {
  variable.lastIndex = r.at;
  const found = variable.exec(r.source);
  if (found === null) {
    r.isPlain = false;
    // The content of `$(…)` is not part of the line. Its end is found without regard to quotes.
    if (r.source[r.at + 1] !== '(') return add(r, '$', 1);
    return add(r, '', endOfCommand(r.source, r.at + 1) - r.at);
  }
  const value = r.vars.get(found[1] ?? found[2] ?? '') ?? found[3];
  if (value === undefined || value.length > r.left) r.isPlain = false;
  else r.left -= value.length;
  add(r, r.isPlain ? (value ?? '') : '', found[0].length);
}

function endOfCommand(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    if (source[at] === '(') depth++;
    if (source[at] === ')' && --depth === 0) return at + 1;
  }
  return source.length;
}
