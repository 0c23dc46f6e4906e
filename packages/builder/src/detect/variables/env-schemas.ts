import type { Mention } from './mention.ts';

/** Signs of a file that describes its variables by a schema: zod, envalid, t3-env, joi, valibot, TypeBox. */
const signs = /\b(?:z|Joi|joi|v|Type)\.(?:object|Object)\(|\b(?:createEnv|cleanEnv|envsafe)\(/;
const property =
  /^[ \t]{0,40}['"]?([A-Z][A-Z0-9_]{1,63})['"]?[ \t]{0,5}:[ \t]{0,5}(?:z\b|Joi\.|joi\.|v\.|Type\.|(?:str|num|bool|url|host|port|email|json)\()/;
const optional =
  /\.(?:default|optional|nullish|nullable|catch|prefault)\(|\b(?:default|devDefault):|\bv\.(?:optional|nullish)\(|\bType\.Optional\(/;
/** A property whose schema is a constant of the same file. */
const byName = /^[ \t]{0,40}['"]?([A-Z][A-Z0-9_]{1,63})['"]?[ \t]{0,5}:[ \t]{0,5}([a-z]\w{0,60}Schema),?[ \t]{0,5}\r?$/;
const constantSchema = /^(?:export )?const ([a-z]\w{0,60}Schema) = z\b/;
const strings = /\.default\(['"`]([^'"`\n]{1,100})['"`]\)/;
/** Maximum lines of one property, and of one that converts the value first. */
const maxLines = 6;
const maxConverted = 16;
const maxConstant = 40;

/** Fields of environment schemas, in files that read the environment. */
export function schemaFields(source: string): (Omit<Mention, 'at'> & { index: number })[] {
  if (!signs.test(source) || !/process\.env|import\.meta\.env|createEnv|cleanEnv/.test(source)) return [];
  const found: (Omit<Mention, 'at'> & { index: number })[] = [];
  const lines = source.split('\n');
  const constants = new Map(
    lines.flatMap((line, at): [string, number][] => {
      const name = constantSchema.exec(line.slice(0, 200))?.[1];
      return name === undefined ? [] : [[name, at]];
    }),
  );
  let index = 0;
  for (const [at, line] of lines.entries()) {
    const name = property.exec(line.slice(0, 200))?.[1];
    if (name !== undefined) found.push({ name, index, ...detectNeed(propertyAt(lines, at)) });
    const [, named, constant = ''] = byName.exec(line.slice(0, 200)) ?? [];
    const need = named === undefined ? undefined : constantNeed(lines, constants, constant);
    if (named !== undefined && need !== undefined) found.push({ name: named, index, ...need });
    index += line.length + 1;
  }
  return found;
}

/** The need of a schema in a constant, which ends with a semicolon; undefined for one that another file defines. */
function constantNeed(lines: string[], constants: Map<string, number>, constant: string): Pick<Mention, 'need' | 'value'> | undefined {
  const from = constants.get(constant);
  if (from === undefined) return undefined;
  const body = lines.slice(from, from + maxConstant);
  const end = body.findIndex((line) => /;\s{0,5}$/.test(line.slice(-10)) && !/^\s{4}/.test(line));
  return end === -1
    ? undefined
    : detectNeed(
        body
          .slice(0, end + 1)
          .map((line) => line.slice(0, 500))
          .join('\n'),
      );
}

function propertyAt(lines: string[], at: number): string {
  const line = lines[at]?.slice(0, 200) ?? '';
  const isConverted = line.includes('preprocess(');
  const indent = line.length - line.trimStart().length;
  const next = lines.slice(at + 1, at + (isConverted ? maxConverted : maxLines));
  const closes = (one: string) => /^\s{0,40}\}/.test(one) && (!isConverted || one.length - one.trimStart().length < indent);
  const end = next.findIndex((one) => property.test(one.slice(0, 200)) || closes(one));
  return [lines[at], ...next.slice(0, end === -1 ? next.length : end)].map((one) => one?.slice(0, 500)).join('\n');
}

function detectNeed(text: string): Pick<Mention, 'need' | 'value'> {
  if (optional.test(text)) {
    const value = strings.exec(text)?.[1];
    return value === undefined ? { need: 'default' } : { need: 'default', value };
  }
  const isJoi = /:\s{0,5}[jJ]oi\./.test(text);
  return { need: isJoi && !text.includes('.required(') ? 'default' : 'required' };
}
