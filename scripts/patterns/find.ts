// Lists the patterns of a source file: regular expression literals, patterns made from text at run time, and patterns in SQL.
import { parse } from '@babel/parser';

/** A pattern and its line. `source` is undefined if the file alone does not determine it. */
export type Found = { line: number; text: string; source: string | undefined; flags: string };

type Node = { type: string; start: number; loc: { start: { line: number } } } & Record<string, unknown>;

/** Methods that turn a text argument into a pattern. */
const TAKE_TEXT = new Set(['match', 'matchAll', 'search']);
/** SQL operators that match by a pattern, including `like` without a constant pattern. */
const IN_SQL = /(?:!?~\*?|\bsimilar to|\bi?like) *['$]|\bregexp_[a-z]+ *\(/gi;

/** Every pattern of a TypeScript or JavaScript file. Strings and templates are searched for SQL. */
export function findPatterns(text: string): Found[] {
  const { program } = parse(text, { sourceType: 'module', plugins: ['typescript'] });
  const constants = new Map<string, Node>();
  const found: Found[] = [];
  eachNode(program, (node) => {
    if (node.type === 'VariableDeclaration' && node.kind === 'const')
      for (const one of node.declarations as Node[]) if (nameOf(one.id) && one.init) constants.set(nameOf(one.id)!, one.init as Node);
  });
  eachNode(program, (node) => {
    const { line } = node.loc.start;
    if (node.type === 'RegExpLiteral') {
      const [source, flags] = [String(node.pattern), String(node.flags)];
      found.push({ line, text: `/${source}/${flags}`, source, flags });
    } else if (node.type === 'NewExpression' || node.type === 'CallExpression') {
      const made = madeOfText(node, constants);
      if (made) found.push({ line, text: text.slice(node.start, node.end as number), ...made });
    } else if (node.type === 'TemplateElement' || node.type === 'StringLiteral') {
      found.push(
        ...sqlPatterns(node.type === 'StringLiteral' ? String(node.value) : (node.value as { raw: string }).raw, line, isTemplate(node)),
      );
    }
  });
  return found;
}

/** Patterns of an SQL file. */
export const findInSql = (text: string): Found[] => sqlPatterns(text, 1, false);

function sqlPatterns(text: string, firstLine: number, isCut: boolean): Found[] {
  const whole = isCut ? `${text}$` : text; // a value follows where the template is cut
  return [...whole.matchAll(IN_SQL)].map((match) => {
    const line = firstLine + whole.slice(0, match.index).split('\n').length - 1;
    const constant = /^\S+ *'((?:[^']|'')*)'/.exec(whole.slice(match.index));
    const isLike = /like/i.test(match[0]);
    const source = isLike ? 'like' : constant?.[1];
    return { line, text: whole.slice(match.index, match.index + 60).split('\n')[0]!, source: constant ? source : undefined, flags: '' };
  });
}

function madeOfText(node: Node, constants: Map<string, Node>): { source: string | undefined; flags: string } | undefined {
  const callee = node.callee as Node;
  const [pattern, flags] = node.arguments as [Node?, Node?];
  const isMade = nameOf(callee) === 'RegExp';
  const isTaken = callee.type === 'MemberExpression' && TAKE_TEXT.has(nameOf(callee.property) ?? '') && isText(pattern);
  if (!pattern || (!isMade && !isTaken)) return undefined;
  return { source: valueOf(pattern, constants), flags: flags ? (valueOf(flags, constants) ?? '') : '' };
}

/** The constant value of an expression, if constants of the same file determine it. */
function valueOf(node: Node, constants: Map<string, Node>, depth = 0): string | undefined {
  if (depth > 8) return undefined;
  const inner = (one: Node) => valueOf(one, constants, depth + 1);
  if (node.type === 'StringLiteral' || node.type === 'NumericLiteral') return String(node.value);
  if (node.type === 'RegExpLiteral') return String(node.pattern);
  if (node.type === 'Identifier' && constants.has(String(node.name))) return inner(constants.get(String(node.name))!);
  if (node.type === 'BinaryExpression' && node.operator === '+') return joined([inner(node.left as Node), inner(node.right as Node)]);
  if (node.type === 'TemplateLiteral') {
    const quasis = (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
    const values = (node.expressions as Node[]).map(inner);
    return joined(quasis.flatMap((quasi, i) => (i < values.length ? [quasi, values[i]] : [quasi])));
  }
  return undefined;
}

const joined = (parts: (string | undefined)[]) => (parts.includes(undefined) ? undefined : parts.join(''));

const isText = (node: Node | undefined) => node?.type === 'StringLiteral' || node?.type === 'TemplateLiteral';
const isTemplate = (node: Node) => node.type === 'TemplateElement' && node.tail === false;
const nameOf = (node: unknown) => ((node as Node | undefined)?.type === 'Identifier' ? String((node as Node).name) : undefined);

function eachNode(value: unknown, look: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) eachNode(one, look);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if (typeof (value as Node).type === 'string') look(value as Node);
  for (const [key, child] of Object.entries(value))
    if (key !== 'loc' && key !== 'extra' && !key.endsWith('Comments')) eachNode(child, look);
}
