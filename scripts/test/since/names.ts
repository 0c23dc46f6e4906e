// The names in a source file: the modules that it loads, and texts that may be paths of files which it reads or runs.
import { parse } from '@babel/parser';

/** `modules` are loaded, `types` are only for the compiler, `paths` are other texts. In these `*` stands for parts known only at run time. */
export type Names = { modules: string[]; types: string[]; paths: string[] };

type Node = { type: string } & Record<string, unknown>;

/** Types are erased before a test runs, so only the type check covers them. */
const TYPES = new Set([
  'TSTypeAnnotation',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSTypeParameterInstantiation',
  'TSTypeParameterDeclaration',
]);
/** Functions whose arguments are paths, even if a path is a single word. */
const PATH_MAKERS = new Set(['join', 'resolve', 'URL']);
const MAX_PATH = 200;
const PATH_LIKE = /^(?!\/)[\w@.*/-]+$/;
const ENDING = /\.[a-z]{1,4}$/;

/** Agents of examples and fixtures are data for the tests that read them. */
const DATA = /(^|\/)(fixtures\/agents|examples)\//;
export const isData = (path: string) => DATA.test(path);

export const isSource = (path: string) => /\.(tsx?|mjs|js)$/.test(path) && !isData(path);

/** Throws if the file cannot be parsed. */
export function namesIn(path: string, text: string): Names {
  const plugins = path.endsWith('x') ? (['typescript', 'jsx'] as const) : (['typescript'] as const);
  const { program } = parse(text, { sourceType: 'module', errorRecovery: true, plugins: [...plugins] });
  const names: Names = { modules: [], types: [], paths: [] };
  collect(program as unknown as Node, names);
  return names;
}

function collect(node: Node, names: Names): void {
  if (TYPES.has(node.type)) return;
  const loaded = loadedModule(node);
  if (loaded !== undefined) (isTypeOnly(node) ? names.types : names.modules).push(loaded);
  if (isTypeOnly(node)) return;
  const text = textOf(node);
  if (text !== undefined && isPath(text)) names.paths.push(text);
  if (isPathMaker(node)) names.paths.push(...wordsAmong(node.arguments as Node[]));
  for (const [key, value] of Object.entries(node)) {
    if (key === 'loc' || (loaded !== undefined && (key === 'source' || key === 'arguments'))) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) collect(child, names);
  }
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

const isTypeOnly = ({ importKind, exportKind }: Node) => importKind === 'type' || exportKind === 'type';

/** The module of an import or re-export, static or dynamic, if it is a constant. */
function loadedModule(node: Node): string | undefined {
  const isStatic = ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'].includes(node.type);
  if (isStatic) return isNode(node.source) ? textOf(node.source) : undefined;
  if (node.type !== 'CallExpression' || (node.callee as Node).type !== 'Import') return undefined;
  const [module] = node.arguments as Node[];
  const text = module && textOf(module);
  return text?.includes('*') ? undefined : text;
}

function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node.quasis as { value: { cooked?: string } }[]).map(({ value }) => value.cooked ?? '').join('*');
}

/** A single word is a path only as an argument of a path maker: most words are not folders. */
const isPath = (text: string) => text.length <= MAX_PATH && PATH_LIKE.test(text) && (text.includes('/') || ENDING.test(text));

function isPathMaker({ type, callee }: Node): boolean {
  return (type === 'CallExpression' || type === 'NewExpression') && PATH_MAKERS.has(String((callee as Node).name));
}

function wordsAmong(nodes: Node[]): string[] {
  return nodes.map(textOf).filter((text) => text !== undefined && /^[\w-]+$/.test(text)) as string[];
}
