import type { AskedVariables } from '../plan.ts';
import type { SourceTree } from './source-tree.ts';

const exampleFile = /^(\.?env[._-](example|sample|template|dist)|(example|sample|config)\.env(\.example)?|\.env\.\w+\.example)$/i;
const placeholder = /^$|^<.*>$|your|xxx|change|replace|insert|enter|todo|\.\.\.|^sk-|^(abc|123|null|none)/i;
const secret = /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?|_ID|_URI|_URL|_DSN)$/;

/**
 * Variables that the archive's example of an environment file asks for: names without a value that could be used as it is.
 * Commented lines are optional ones. At most 30.
 */
export function exampleVariables(tree: SourceTree): AskedVariables | null {
  const file = tree.files.find((f) => exampleFile.test(f));
  if (file === undefined) return null;
  const names: string[] = [];
  for (const line of (tree.read(file) ?? '').split(/\r?\n/)) {
    const [, name, value = ''] = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]{1,63})\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || names.includes(name)) continue;
    const plain = value
      .replace(/\s+#.*$|^#.*$/, '')
      .replace(/^(['"])(.*)\1$/, '$2')
      .trim();
    if (placeholder.test(plain) || secret.test(name)) names.push(name);
  }
  return names.length === 0 ? null : { file, names: names.slice(0, 30) };
}
