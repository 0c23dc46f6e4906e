import type { LogicalLine, Token } from '../../python/tokens.ts';
import { isAskable, isPlaceholder, type Mention } from './mention.ts';

type Field = Omit<Mention, 'at'> & { token: Token };

const settingsClass = /^class\s{1,5}\w{1,80}\s{0,5}\(([^()]{1,600})\)\s{0,5}:/gm;
const general = new Set(['BaseSettings', 'BaseModel', 'ABC', 'object', 'Protocol']);

/** Names of the classes that a settings class of a file has beside `BaseSettings`: their fields are settings, too. */
export function settingsBases(source: string): string[] {
  if (!source.includes('BaseSettings')) return [];
  return [...source.matchAll(settingsClass)].flatMap(([, bases = '']) => {
    const names = bases.split(',').map((base) => base.trim());
    return names.includes('BaseSettings') ? names.filter((name) => /^\w{1,80}$/.test(name) && !general.has(name)) : [];
  });
}

/**
 * Fields of pydantic's settings classes. Each is read from the variable of the same name. `classes`: names of such classes seen before; the
 * function adds to it. `bases`: names of classes of the archive that settings classes have as bases.
 */
export function settingsFields(lines: LogicalLine[], { classes, bases }: { classes: Set<string>; bases: Set<string> }): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < lines.length; at++) {
    const { indent, tokens } = lines[at]!;
    if (tokens[0]?.text !== 'class') continue;
    const isBase = bases.has(tokens[1]?.text ?? '');
    const isSettings = isBase || tokens.slice(2).some(({ text }) => text === 'BaseSettings' || classes.has(text));
    if (!isSettings) continue;
    classes.add(tokens[1]?.text ?? '');
    let end = at + 1;
    while (end < lines.length && lines[end]!.indent > indent) end++;
    fields.push(...parseFields(lines.slice(at + 1, end)));
    at = end - 1;
  }
  return fields;
}

function parseFields(body: LogicalLine[]): Field[] {
  const prefix = findEnvPrefix(body);
  const indent = body[0]?.indent;
  return body.filter((line) => line.indent === indent).flatMap(({ tokens }) => parseField(tokens, prefix));
}

/** `SettingsConfigDict(env_prefix="APP_")`, or `env_prefix = "APP_"` in an inner class. */
function findEnvPrefix(body: LogicalLine[]): string {
  for (const { tokens } of body) {
    const at = tokens.findIndex(({ text }) => text === 'env_prefix');
    if (at !== -1 && tokens[at + 2]?.kind === 'string') return tokens[at + 2]!.text;
  }
  return '';
}

const keywords = new Set(['else', 'try', 'finally', 'except']);

function parseField(tokens: Token[], prefix: string): Field[] {
  const [token] = tokens;
  if (token?.kind !== 'name' || tokens[1]?.text !== ':' || token.text.startsWith('_') || token.text.startsWith('model_')) return [];
  // `else:` begins a block and is no annotation.
  if (tokens.length === 2 || keywords.has(token.text)) return [];
  if (tokens.some(({ text }) => text === 'ClassVar' || text === 'getenv' || text === 'environ')) return [];
  const equals = tokens.findIndex(({ text }) => text === '=');
  const isField = tokens[equals + 1]?.text === 'Field' && tokens[equals + 2]?.text === '(';
  const args = isField ? parseFieldArguments(tokens, equals + 2) : undefined;
  const name = args?.alias ?? (prefix + token.text).toUpperCase();
  if (!isAskable(name)) return [];
  if (equals === -1) return [{ name, need: 'required', token }];
  return [{ name, ...detectNeed(args ? args.first : tokens[equals + 1]), token }];
}

/** The need for a variable, by the first token of its default. */
function detectNeed(first: Token | undefined): Pick<Mention, 'need' | 'value' | 'isNone'> {
  if (first === undefined || first.text === '.') return { need: 'required' }; // `...` is pydantic's mark of a required field
  if (first.kind === 'string' && isPlaceholder(first.text)) return { need: 'open' };
  if (first.text === 'None') return { need: 'default', isNone: true };
  const isPlain = first.kind === 'string' || first.kind === 'number' || ['True', 'False'].includes(first.text);
  return isPlain ? { need: 'default', value: first.text } : { need: 'default' };
}

/** The default and the alias in `Field(…)`. */
function parseFieldArguments(tokens: Token[], open: number): { first: Token | undefined; alias: string | undefined } {
  const close = closingIndex(tokens, open);
  let first = tokens[open + 2]?.text === '=' || open + 1 === close ? undefined : tokens[open + 1];
  let alias: string | undefined;
  for (let i = open + 1; i < close; i++) {
    if (tokens[i + 1]?.text !== '=') continue;
    const { text } = tokens[i]!;
    if (text === 'default' || text === 'default_factory') first = tokens[i + 2];
    if (['alias', 'validation_alias', 'env'].includes(text))
      alias ??= tokens.slice(i + 2, Math.min(close, i + 6)).find(({ kind }) => kind === 'string')?.text;
  }
  return { first, alias };
}

/** Maximum tokens of a call that are read. */
const maxArguments = 300;

/** Index of the bracket that closes the one at `open`. */
export function closingIndex(tokens: Token[], open: number): number {
  const end = Math.min(tokens.length, open + maxArguments);
  let depth = 0;
  for (let i = open; i < end; i++) {
    const { kind, text } = tokens[i]!;
    if (kind === 'op' && '([{'.includes(text)) depth++;
    if (kind === 'op' && ')]}'.includes(text) && --depth === 0) return i;
  }
  return end;
}
