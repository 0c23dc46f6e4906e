import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { wordsOf } from '../detect/commands.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { PackageJson } from './package-json.ts';

/** Maximum packages that are searched among the installed ones when one is missing. */
const maxUnlisted = 40;
const maxFiles = 200;
/** Longer files are bundles, which contain what they need. */
const maxCharacters = 100_000;

/** The longest list of names between `import` and the module. */
const maxHead = 2000;
const maxName = 200;
/** The words with which a line begins that loads something. */
const begins = /^(?:import|export|const|let|var)\b/gm;

/** The endings that a relative import may leave out, or that a compiler gives another name. */
const endings = ['', '.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts', '/index.ts', '/index.js', '/index.mjs'];

interface Start {
  pkg: PackageJson;
  command: string[];
  /** Names of packages that are installed besides those of package.json. */
  others: readonly string[];
  installsDev: boolean;
}

/**
 * Packages that the start file and the files that it imports load at once, and that package.json does not list. Some of them come with
 * another package. If one of them is missing, the others are reported with it.
 */
export function unlistedPackages(tree: SourceTree, { pkg, command, others, installsDev }: Start): string[] {
  const listed = new Set([...Object.keys({ ...pkg.dependencies, ...(installsDev ? pkg.devDependencies : {}) }), ...others, pkg.name]);
  const found = new Set<string>();
  const files = startFiles(tree, pkg, command);
  for (const file of files) {
    for (const name of loadedBy(tree.read(file) ?? '')) {
      const own = name.startsWith('.') ? resolve(tree, posix.join(posix.dirname(file), name)) : undefined;
      if (own !== undefined && !files.includes(own) && files.length < maxFiles) files.push(own); // the loop visits it, too
      const wanted = name.startsWith('.') ? undefined : packageIn(name);
      if (wanted !== undefined && isPackage(tree, name, wanted) && !listed.has(wanted)) found.add(wanted);
    }
  }
  return [...found].sort().slice(0, maxUnlisted);
}

function startFiles(tree: SourceTree, pkg: PackageJson, command: string[]): string[] {
  const words = wordsOf(command);
  const inScripts = words.filter((word) => Object.hasOwn(pkg.scripts, word)).flatMap((word) => wordsOf([pkg.scripts[word] ?? '']));
  const files = [...words, ...inScripts].filter((word) => /\.[cm]?[jt]sx?$/.test(word)).map((word) => posix.normalize(word));
  return [...new Set(files.filter((file) => tree.has(file)))];
}

/**
 * The packages and files that a source loads as soon as it is loaded itself: `import`, `export … from`, and `require` at the start of a line.
 * Types alone, and what is required in a function or a `try`, do not count.
 */
export const loadedBy = (text: string): string[] =>
  text.length > maxCharacters
    ? []
    : [...text.matchAll(begins)].flatMap(({ 0: word, index }) => moduleAt(text, index + word.length, word) ?? []);

/** The module that a statement loads, by the first string in it. */
function moduleAt(text: string, from: number, word: string): string | undefined {
  const statement = text.slice(from, from + maxHead);
  const quote = statement.search(/['"]/);
  if (quote === -1) return undefined;
  const head = statement.slice(0, quote).trim();
  const isRequired = head.endsWith('require(') && head.includes('=') && !/[;`]/.test(head);
  const isImported = (head === '' || head.endsWith('from')) && !/[;`()]/.test(head) && !head.startsWith('type ');
  if (word === 'import' || word === 'export' ? !isImported : !isRequired) return undefined;
  const rest = text.slice(from + quote + 1, from + quote + 1 + maxName);
  const end = rest.search(/['"\n]/);
  return end < 1 ? undefined : rest.slice(0, end);
}

/** `@scope/name` of `@scope/name/part`; undefined for what is no name of a package. */
function packageIn(module: string): string | undefined {
  const parts = module.split('/').slice(0, module.startsWith('@') ? 2 : 1);
  return parts.every((part) => /^@?[\w.-]+$/.test(part) && part !== '@') ? parts.join('/') : undefined;
}

/** `./tool.js` may be tool.ts before its compilation. */
function resolve(tree: SourceTree, path: string): string | undefined {
  const stem = path.replace(/\.([cm]?)js(x?)$/, '');
  return [path, stem].flatMap((base) => endings.map((ending) => base + ending)).find((candidate) => tree.has(candidate));
}

/** Not a module of Node, bun or Deno, nor a path of the archive that a compiler's settings give a short name. */
function isPackage(tree: SourceTree, name: string, wanted: string): boolean {
  if (isBuiltin(name)) return false;
  const [root = ''] = wanted.split('/');
  return !tree.hasFolder(root) && !tree.hasFolder(`src/${root}`) && resolve(tree, root) === undefined;
}
