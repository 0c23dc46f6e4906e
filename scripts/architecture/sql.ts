import { parse } from '@babel/parser';

interface Crowd {
  line: number;
  clauses: string;
}

/** A word, a bracket or an inserted value of a query, with its line. */
interface Token {
  text: string;
  line: number;
}

/** A pair of brackets, or the query itself. */
interface Level {
  /** A query, not the arguments of a function or an expression in brackets. */
  isQuery: boolean;
  /** The current clause of the scan. */
  clause: string;
  cases: number;
  isBetween: boolean;
}

const STARTS = new Set(['select', 'with', 'insert', 'update', 'delete']);
const ALONE = new Set(['select', 'insert', 'delete', 'values', 'where', 'having', 'returning', 'limit', 'set']);

/** The lines with more than one clause, for each SQL template of a TypeScript source that has more than two clauses. */
export function crowdedQueries(source: string): Crowd[] {
  return sqlTemplates(source).flatMap((tokens) => {
    const clauses = clausesOf(tokens);
    if (clauses.length <= 2) return [];
    const lines = Map.groupBy(clauses, ({ line }) => line);
    return [...lines]
      .filter(([, found]) => found.length > 1)
      .map(([line, found]) => ({ line, clauses: found.map(({ text }) => text).join(', ') }));
  });
}

/** Templates whose tag is a name, such as `sql` and `tx`, or a property. Templates without clauses are harmless. */
function sqlTemplates(source: string): Token[][] {
  const found: Token[][] = [];
  visit(parse(source, { sourceType: 'module', plugins: ['typescript'] }).program, (node) => {
    if (node.type !== 'TaggedTemplateExpression') return;
    const { quasis } = node.quasi as { quasis: { value: { raw: string }; loc: { start: { line: number } } }[] };
    found.push(
      quasis.flatMap(({ value, loc }, place) => {
        const inserted = { text: '$', line: loc.start.line };
        return [...(place > 0 ? [inserted] : []), ...tokensOf(value.raw, loc.start.line)];
      }),
    );
  });
  return found;
}

function tokensOf(text: string, firstLine: number): Token[] {
  const tokens: Token[] = [];
  let line = firstLine;
  for (const [token] of text.matchAll(/\n|--[^\n]*|'(?:[^']|'')*'|[\w.]+|[^\s\w]/g)) {
    if (token === '\n') line += 1;
    else if (!token.startsWith('--')) tokens.push({ text: token.toLowerCase(), line });
    line += token.length > 1 ? token.split('\n').length - 1 : 0;
  }
  return tokens;
}

function clausesOf(tokens: Token[]): Token[] {
  const found: Token[] = [];
  const levels: Level[] = [{ isQuery: true, clause: '', cases: 0, isBetween: false }];
  for (const [place, token] of tokens.entries()) {
    const level = levels.at(-1);
    if (!level) break;
    const before = tokens[place - 1]?.text ?? '';
    const after = tokens[place + 1]?.text ?? '';
    if (token.text === '(') levels.push({ isQuery: STARTS.has(after), clause: '', cases: 0, isBetween: false });
    else if (token.text === ')') levels.pop();
    else if (level.isQuery && isClause(token.text, { before, after, level })) {
      found.push(token);
      if (token.text !== 'and') level.clause = token.text;
    }
    note(token.text, level);
  }
  return found;
}

function isClause(word: string, { before, after, level }: { before: string; after: string; level: Level }): boolean {
  if (level.cases > 0) return false;
  if (ALONE.has(word)) return true;
  if (word === 'with') return before === '' || before === '(';
  if (word === 'from') return before !== 'distinct' && before !== 'delete';
  if (word === 'update') return !['do', 'for', 'key'].includes(before);
  if (word === 'join') return true;
  if (word === 'group' || word === 'order') return after === 'by';
  if (word === 'on') return after === 'conflict';
  if (word === 'and') return ['where', 'having'].includes(level.clause) && !level.isBetween;
  return false;
}

function note(word: string, level: Level) {
  if (word === 'case') level.cases += 1;
  if (word === 'end' && level.cases > 0) level.cases -= 1;
  if (word === 'between') level.isBetween = true;
  if (word === 'and') level.isBetween = false;
}

function visit(node: unknown, look: (node: { type: string; [field: string]: unknown }) => void) {
  if (Array.isArray(node)) for (const each of node) visit(each, look);
  if (typeof node !== 'object' || node === null || !('type' in node)) return;
  const found = node as { type: string; [field: string]: unknown };
  look(found);
  for (const [field, value] of Object.entries(found)) if (field !== 'loc' && !field.endsWith('Comments')) visit(value, look);
}
