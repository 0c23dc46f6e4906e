import type { Mention } from './mention.ts';

/** Signs of a file that describes its variables by a schema: zod, envalid, t3-env, joi, valibot, TypeBox. */
const signs = /\b(?:z|Joi|joi|v|Type)\.(?:object|Object)\(|\b(?:createEnv|cleanEnv|envsafe)\(/;
const property =
  /^[ \t]{0,40}['"]?([A-Z][A-Z0-9_]{1,63})['"]?[ \t]{0,5}:[ \t]{0,5}(?:z\b|Joi\.|joi\.|v\.|Type\.|(?:str|num|bool|url|host|port|email|json)\()/;
const optional =
  /\.(?:default|optional|nullish|nullable|catch|prefault)\(|\b(?:default|devDefault):|\bv\.(?:optional|nullish)\(|\bType\.Optional\(/;
const strings = /\.default\(['"`]([^'"`\n]{1,100})['"`]\)/;
/** Maximum lines of one property. */
const maxLines = 6;

/** Fields of environment schemas, in files that read the environment. */
export function schemaFields(source: string): (Omit<Mention, 'at'> & { index: number })[] {
  if (!signs.test(source) || !/process\.env|import\.meta\.env|createEnv|cleanEnv/.test(source)) return [];
  const found: (Omit<Mention, 'at'> & { index: number })[] = [];
  const lines = source.split('\n');
  let index = 0;
  for (const [at, line] of lines.entries()) {
    const name = property.exec(line.slice(0, 200))?.[1];
    if (name !== undefined) found.push({ name, index, ...detectNeed(propertyAt(lines, at)) });
    index += line.length + 1;
  }
  return found;
}

function propertyAt(lines: string[], at: number): string {
  const next = lines.slice(at + 1, at + maxLines);
  const end = next.findIndex((line) => property.test(line.slice(0, 200)) || /^\s{0,40}\}/.test(line));
  return [lines[at], ...next.slice(0, end === -1 ? next.length : end)].map((line) => line?.slice(0, 500)).join('\n');
}

function detectNeed(text: string): Pick<Mention, 'need' | 'value'> {
  if (optional.test(text)) {
    const value = strings.exec(text)?.[1];
    return value === undefined ? { need: 'default' } : { need: 'default', value };
  }
  const isJoi = /:\s{0,5}[jJ]oi\./.test(text);
  return { need: isJoi && !text.includes('.required(') ? 'default' : 'required' };
}
