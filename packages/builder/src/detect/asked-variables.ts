import type { AskedVariables } from '../plan.ts';
import { unquoted, withoutComment } from './line-parts.ts';
import { reservedNames } from './settings.ts';
import type { SourceTree } from './source-tree.ts';

/** Examples of environment files. */
export const exampleFile = /^(\.?env[._-](example|sample|template|dist)|(example|sample|config)\.env(\.example)?|\.env\.\w+\.example)$/i;
const placeholder = /^$|^<.*>$|your|xxx|change|replace|insert|enter|todo|\.\.\.|^sk-|^(abc|123|null|none)/i;
const credential = /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$/;
const secret = /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?|_ID|_URI|_URL|_DSN)$/;

const maxNames = 30;

/** Variables that the archive asks its user to set: named by an example of an environment file, or else read by the source. */
export function askedVariables(tree: SourceTree): AskedVariables | null {
  const file = tree.files.find((f) => exampleFile.test(f));
  return file === undefined ? readBySource(tree) : namedByExample(tree.read(file) ?? '', file);
}

// Names without a usable value. Variables in commented lines are optional.
function namedByExample(source: string, file: string): AskedVariables | null {
  const names = new Set<string>();
  for (const line of source.split(/\r?\n/)) {
    const equals = line.indexOf('=');
    const words = line.slice(0, Math.max(0, equals)).trim().split(/\s+/);
    if (words.length === 2 && words[0] === 'export') words.shift();
    const name = words.length === 1 ? (words[0] ?? '') : '';
    if (!/^[A-Z][A-Z0-9_]{1,63}$/.test(name)) continue;
    const plain = unquoted(withoutComment(line.slice(equals + 1).trim()).trim()).trim();
    if (placeholder.test(plain) || secret.test(name)) names.add(name);
  }
  return names.size === 0 ? null : { file, names: [...names].slice(0, maxNames) };
}

const maxFiles = 200;
const maxCharacters = 8 * 1024 ** 2;
const aside = /(^|\/)(tests?|__tests__|docs?|examples?|scripts)\/|\.(test|spec|d|config)\.\w+$/;
const reads =
  /process\.env(?:\.|\[['"])([A-Z][A-Z0-9_]{1,63})\b(?:['"]\])?|os\.(?:getenv\(|environ\.get\(|environ\[)\s{0,20}['"]([A-Z][A-Z0-9_]{1,63})['"]\s{0,20}[)\]]/g;

/** The agent's own source, without tests, documents and the like. */
export const ownSource = (tree: SourceTree) =>
  tree.files.filter((f) => /\.(py|[cm]?[jt]sx?)$/.test(f) && !aside.test(f)).slice(0, maxFiles);

// Only names that look like credentials: agents mostly run without the other variables.
function readBySource(tree: SourceTree): AskedVariables | null {
  const names = new Map<string, string>();
  let left = maxCharacters;
  for (const file of ownSource(tree)) {
    const source = tree.read(file) ?? '';
    left -= source.length;
    if (left < 0) break;
    for (const match of source.matchAll(reads)) {
      const name = match[1] ?? match[2] ?? '';
      if (match[1] !== undefined && hasDefault(source, match.index + match[0].length)) continue;
      if (credential.test(name) && !reservedNames.test(name) && !names.has(name)) names.set(name, file);
    }
  }
  const [first] = names.values();
  if (first === undefined) return null;
  const isOneFile = new Set(names.values()).size === 1;
  return { file: isOneFile ? first : 'the source', names: [...names.keys()].slice(0, maxNames) };
}

/** Whether a default, a comparison or an assignment follows a variable that Node reads. */
function hasDefault(source: string, at: number): boolean {
  const next = source.slice(at, at + 30).trimStart();
  return next.startsWith('||') || /^[?=&]/.test(next);
}
