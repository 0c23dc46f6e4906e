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
const demandedLive = /\brequired in production\b/i;
const strings = /\.default\(['"`]([^'"`\n]{1,100})['"`]\)/;
/** Maximum lines of one property, and letters of each. */
const maxLines = 16;
const maxLength = 500;
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

/** The lines of a property, to the comma after its last bracket. */
function propertyAt(lines: string[], at: number): string {
  const body: string[] = [];
  let depth = 0;
  for (const line of lines.slice(at, at + maxLines).map((one) => one.slice(0, maxLength))) {
    if (body.length > 0 && depth <= 0 && property.test(line.slice(0, 200))) break;
    for (const letter of line) depth += Number('([{'.includes(letter)) - Number(')]}'.includes(letter));
    if (depth < 0) break;
    body.push(line);
    if (depth === 0 && line.trimEnd().endsWith(',')) break;
  }
  return body.join('\n');
}

function detectNeed(text: string): Pick<Mention, 'need' | 'value'> {
  // Agents run with NODE_ENV=production.
  if (demandedLive.test(text)) return { need: 'required' };
  if (optional.test(text)) {
    const value = strings.exec(text)?.[1];
    return value === undefined ? { need: 'default' } : { need: 'default', value };
  }
  const isJoi = /:\s{0,5}[jJ]oi\./.test(text);
  return { need: isJoi && !text.includes('.required(') ? 'default' : 'required' };
}
