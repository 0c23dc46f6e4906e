/** `const env = process.env`, also with a type. */
const assigned = /\b(?:const|let|var) (\w{1,60})(?:: [\w.]{1,60})? ?= ?(?:process|Bun|import\.meta)\.env[ \t\r]{0,5}(?:[;,\n]|$)/g;
/** `const { env } = process`, `const { argv, env: settings } = process` */
const taken = /\{([\w\s,:]{1,200})\}\s{0,5}=\s{0,5}(?:process|Bun)\s{0,5}(?:[;,\n]|$)/g;
/** `import { env } from 'node:process'` */
const imported = /\bimport\s{0,5}\{([\w\s,]{1,200})\}\s{0,5}from\s{0,5}['"](?:node:)?process['"]/g;
const member = /\b(\w{1,60})\??(?:\.|\[\s{0,5}['"`])([A-Za-z][A-Za-z0-9_]{1,63})\b(?:['"`]\s{0,5}\])?/g;

/** The names that a source gives to the whole environment. */
function environmentNames(source: string): Set<string> {
  const names = new Set([...source.matchAll(assigned)].map(([, name = '']) => name));
  for (const [, list = ''] of [...source.matchAll(taken), ...source.matchAll(imported)])
    for (const part of list.split(',')) {
      const [name, own = name] = part.trim().split(/\s{0,5}:\s{0,5}|\s{1,5}as\s{1,5}/);
      if (name === 'env' && own !== undefined) names.add(own);
    }
  return names;
}

/** Reads of variables by a name of the environment: `env.A_KEY` after `const { env } = process`. */
export function readsByName(source: string): RegExpExecArray[] {
  const names = environmentNames(source);
  if (names.size === 0) return [];
  return [...source.matchAll(member)].filter(({ 1: name = '', index }) => names.has(name) && !/[.\w$]/.test(source[index - 1] ?? ''));
}
