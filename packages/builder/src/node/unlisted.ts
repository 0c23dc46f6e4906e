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

/**
 * What a file loads as soon as it is loaded itself, from `import`, `export … from` and `require` at the start of a line. Types alone, and
 * `require` in a function or a `try`, do not count.
 */
const loads = [
  /^import\s{1,20}(?!type\b)(?:[^'"`;()]{1,2000}?\sfrom\s{0,20})?['"]([^'"\n]{1,200})['"]/gm,
  /^export\s{1,20}(?!type\b)[^'"`;()=]{1,2000}?\sfrom\s{0,20}['"]([^'"\n]{1,200})['"]/gm,
  /^(?:const|let|var)\s{1,20}[^'"`;=()]{1,300}=\s{0,20}require\(\s{0,20}['"]([^'"\n]{1,200})['"]/gm,
];
const packageName = /^(?:@[\w.-]{1,100}\/)?[\w.-]{1,100}(?=\/|$)/;
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
      const wanted = name.startsWith('.') ? undefined : packageName.exec(name)?.[0];
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

/** The names in the imports of a source that are loaded at once: packages and files. */
export const loadedBy = (text: string): string[] =>
  text.length > maxCharacters ? [] : loads.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name));

/** `./tool.js` may be tool.ts before its compilation. */
function resolve(tree: SourceTree, path: string): string | undefined {
  const stem = path.replace(/\.([cm]?)js(x?)$/, '');
  return [path, stem].flatMap((base) => endings.map((ending) => base + ending)).find((candidate) => tree.has(candidate));
}

/** Not a module of Node, bun or Deno, nor a path of the archive that a compiler's settings give a short name. */
function isPackage(tree: SourceTree, name: string, wanted: string): boolean {
  if (isBuiltin(name) || name.includes(':')) return false;
  const [root = ''] = wanted.split('/');
  return !tree.hasFolder(root) && !tree.hasFolder(`src/${root}`) && resolve(tree, root) === undefined;
}
