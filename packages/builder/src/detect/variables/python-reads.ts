import { secretReads } from '../../python/streamlit-secrets.ts';
import { type LogicalLine, logicalLines, type Token } from '../../python/tokens.ts';
import type { Constants } from './constants.ts';
import { disabledLines } from './disabled-lines.ts';
import { endsProgram } from './ends-program.ts';
import { isAskable, isPlaceholder, isReadable, lineCounter, type Mention } from './mention.ts';
import { closingIndex, settingsFields } from './settings-classes.ts';
import { toolLines } from './tool-functions.ts';

/** Words that occur in every Python file that reads variables: at least one of them. */
const signs = ['environ', 'secrets', 'getenv', 'Settings', 'decouple', 'env(', 'Env(', 'env_'];
/** Names of functions that read a variable: `get_env`, `require_env_var`, `env`. */
const reader = /(^|_)[a-z]?env(iron|ironment)?(_|$)|getenv$|[a-z]Env(Var)?$/;
const noReader = /^(set|put|del|unset|load|find|update|write|save)/;
const strict = /require|must|ensure|mandatory/i;

/** The local names of `os.environ`, `os.getenv` and the readers of libraries in a file, as its imports define them. */
interface Names {
  os: Set<string>;
  environ: Set<string>;
  getenv: Set<string>;
  /** Readers of decouple, environs and Starlette. They fail without a default. */
  strict: Set<string>;
  /** Constants of the archive with the name of a variable. */
  constants: Constants;
}

interface Archive {
  /** Names of the settings classes seen so far; the function adds to it. */
  classes: Set<string>;
  /** Names of the other bases of settings classes. */
  bases: Set<string>;
  /** Names of the archive's own readers (`strictReaders`). */
  readers: Set<string>;
  constants: Constants;
}

const makesReader = /^(\w{1,60})(?:: [\w.]{1,60})? ?= ?(?:\w{1,30}\.)?(?:AutoConfig|FileAwareEnv|Env)\(/gm;

/** Names that a file gives to a reader of decouple or environs, and that its other files import: they fail without a default. */
export const strictReaders = (source: string): string[] =>
  /AutoConfig|Env\(/.test(source) ? [...source.matchAll(makesReader)].map(([, name = '']) => name) : [];

/** Variables that a Python file reads, found without running it. */
export function readByPython(source: string, file: string, { classes, bases, readers, constants }: Archive): Mention[] {
  if (![...signs, ...bases, ...readers].some((sign) => source.includes(sign))) return [];
  const lines = [...logicalLines(source)];
  const [lineOf, lineOfList, lineOfField, lineOfSecret] = [
    lineCounter(source),
    lineCounter(source),
    lineCounter(source),
    lineCounter(source),
  ];
  const names: Names = { os: new Set(['os']), environ: new Set(), getenv: new Set(), strict: new Set(), constants };
  const found: Mention[] = [];
  /** Variables of the program that hold a value read from the environment. */
  const held = new Map<string, Mention>();
  /** The function, by its number in the file, in which a name was held. */
  const heldIn = new Map<string, number>();
  let functions = 0;
  const ofTools = toolLines(lines).union(disabledLines(lines));
  const inTools: Mention[] = [];
  for (const [index, { tokens, indent }] of lines.entries()) {
    readNames(tokens, names, readers);
    if (indent === 0) requireConnected(tokens, held);
    const first = tokens[0]?.text;
    if (first === 'if') requireChecked(lines, index, held);
    if (first === 'if' && tokens[2]?.text === ':') spareTested(lines, index, held.get(tokens[1]?.text ?? ''));
    if (first === 'def' || tokens[1]?.text === 'def') functions++;
    if ((heldIn.get(first ?? '') ?? functions) < functions && isOverwritten(tokens)) held.delete(first ?? '');
    let ends: boolean | undefined;
    for (const { name, isOptional, token } of secretReads(tokens))
      if (isAskable(name.toUpperCase()))
        found.push({ name: name.toUpperCase(), at: `${file}:${lineOfSecret(token.at)}`, need: isOptional ? 'open' : 'required' });
    found.push(...requiredLists(tokens, ({ at }) => `${file}:${lineOfList(at)}`));
    for (let i = 0; i < tokens.length; i++) {
      const read = readAt(tokens, i, names);
      if (read === null || !isReadable(read.name)) continue;
      const isOpen = read.need === 'open';
      const isChecked =
        isOpen &&
        ((tokens[i - 1]?.text === 'not' && (ends ??= endsProgram(lines, index))) ||
          (indent === 0 && (isConnected(tokens, i) || isConverted(tokens, i))) ||
          isDatabaseOfFlask(tokens, i));
      const mention = { ...read, at: `${file}:${lineOf(tokens[i]!.at)}`, ...(isChecked ? { need: 'required' as const } : {}) };
      found.push(mention);
      if (ofTools.has(index)) inTools.push(mention);
      if (tokens[i - 1]?.text !== '=') continue;
      held.set(tokens[i - 2]?.text ?? '', mention);
      heldIn.set(tokens[i - 2]?.text ?? '', functions);
    }
  }
  // The agent starts without what only a call of a tool, or a part that is off by default, needs.
  for (const mention of inTools) if (mention.need !== 'assigned') mention.need = 'default';
  found.push(
    ...settingsFields(lines, { classes, bases }).map(({ token, ...field }) => ({ ...field, at: `${file}:${lineOfField(token.at)}` })),
  );
  return found;
}

function readNames(tokens: Token[], names: Names, readers: Set<string>): void {
  const words = tokens.slice(0, 200).map(({ text }) => text);
  if (words[0] === 'import' && words[1] === 'os' && words[2] === 'as') names.os.add(words[3] ?? 'os');
  if (words[0] === 'from' && words[1] === 'os')
    for (const [at, word] of words.entries()) {
      const name = words[at + 1] === 'as' ? (words[at + 2] ?? word) : word;
      if (word === 'environ') names.environ.add(name);
      if (word === 'getenv') names.getenv.add(name);
    }
  if (words[0] === 'from' && words[1] === 'decouple' && words.includes('config')) names.strict.add('config');
  if (words[0] === 'from') for (const word of words.slice(words.indexOf('import') + 1)) if (readers.has(word)) names.strict.add(word);
  const makes = words.slice(2, 6).some((word) => ['Env', 'FileAwareEnv', 'AutoConfig'].includes(word));
  if (words[1] === '=' && makes && words.includes('(')) names.strict.add(words[0] ?? '');
}

type Read = Omit<Mention, 'at'>;

/** The read at a token; null if there is none. */
function readAt(tokens: Token[], at: number, names: Names): Read | null {
  const text = (offset: number) => tokens[at + offset]?.text;
  if (tokens[at]?.kind !== 'name' || text(-1) === '.' || text(-1) === 'def') return null;
  const word = tokens[at].text;
  const isOs = names.os.has(word) && text(1) === '.';
  if (isOs && text(2) === 'environ') return ofEnvironment(tokens, at, { from: at + 3, names });
  if (names.environ.has(word)) return ofEnvironment(tokens, at, { from: at + 1, names });
  if ((isOs && text(2) === 'getenv') || names.getenv.has(word))
    return ofCall(tokens, at, { open: at + (isOs ? 3 : 1), isStrict: false, names });
  if (names.strict.has(word)) return ofCall(tokens, at, { open: at + (text(1) === '.' ? 3 : 1), isStrict: true, names });
  const last = text(1) === '.' && tokens[at + 2]?.kind === 'name' ? at + 2 : at;
  const name = tokens[last]?.text ?? '';
  if (!reader.test(name) || noReader.test(name)) return null;
  return ofCall(tokens, at, { open: last + 1, isStrict: strict.test(name), names });
}

/** The read after `os.environ`: a subscript, or a call of one of its methods. `from`: the first token after it. */
function ofEnvironment(tokens: Token[], at: number, { from, names }: { from: number; names: Names }): Read | null {
  const before = tokens[at - 1]?.text;
  if (before === 'in' && tokens[at - 2]?.kind === 'string') return { name: tokens[at - 2]!.text, need: 'default' };
  if (tokens[from]?.text === '[') {
    const named = nameAt(tokens, from + 1, names.constants);
    if (named === null || before === 'del') return null;
    const { name, end } = named;
    if (tokens[end]?.text !== ']') return null;
    const isAssigned = tokens[end + 1]?.text === '=' && tokens[end + 2]?.text !== '=';
    return { name, need: isAssigned && !takesItself(tokens, end + 2, name) ? 'assigned' : 'required' };
  }
  const method = tokens[from]?.text === '.' ? tokens[from + 1]?.text : undefined;
  if (method === 'setdefault') return { name: tokens[from + 3]?.text ?? '', need: 'assigned' };
  return method === 'get' || method === 'pop' ? ofCall(tokens, at, { open: from + 2, isStrict: false, names }) : null;
}

/** `os.environ["A_KEY"] = os.getenv("A_KEY")` fails without the variable, and nobody can answer `getpass()` here. */
const takesItself = (tokens: Token[], from: number, name: string) =>
  tokens.slice(from, from + 12).some(({ kind, text }) => (kind === 'string' ? text === name : text === 'getpass' || text === 'input'));

/** The variable that is named at a token, by a string or a constant (also `Keys.A_KEY.value`), and the token after it. */
function nameAt(tokens: Token[], at: number, constants: Constants): { name: string; end: number } | null {
  const token = tokens[at];
  if (token?.kind === 'string') return { name: token.text, end: at + 1 };
  if (token?.kind !== 'name' || constants.size === 0) return null;
  let end = at + 1;
  let last = token.text;
  for (let parts = 0; parts < 3 && tokens[end]?.text === '.' && tokens[end + 1]?.kind === 'name'; parts++, end += 2)
    if (tokens[end + 1]!.text !== 'value') last = tokens[end + 1]!.text;
  const name = constants.get(last);
  return name === undefined ? null : { name, end };
}

/** A call whose first argument names a variable. Strict readers fail without a default. */
function ofCall(tokens: Token[], at: number, { open, isStrict, names }: { open: number; isStrict: boolean; names: Names }): Read | null {
  const named = tokens[open]?.text === '(' ? nameAt(tokens, open + 1, names.constants) : null;
  if (named === null || ![',', ')'].includes(tokens[named.end]?.text ?? '')) return null;
  const { name } = named;
  const close = closingIndex(tokens, open);
  const before = tokens[at - 1]?.text ?? '';
  // `if key := os.getenv(…):`
  const isHeldTest = before === '=' && tokens[at - 2]?.text === ':' && /^(?:el)?if$/.test(tokens[at - 4]?.text ?? '');
  if (isHeldTest || ['or', 'if', 'elif', 'while', 'and', 'bool'].includes(before)) return { name, need: 'default' };
  const given = findDefault(tokens, { from: named.end, close, isStrict });
  const other = tokens[close + 1]?.text === 'or' ? tokens[close + 2] : given;
  // decouple's `config("A_KEY", default=None)` says that nothing fails without it.
  if (isStrict && given?.text === 'None') return { name, need: 'default' };
  if (other === undefined || other.text === 'None') return { name, need: isStrict || before === 'assert' ? 'required' : 'open' };
  // Only the first of several alternative variables is reported: one of them is enough.
  if (other.kind === 'name' && !['True', 'False'].includes(other.text))
    return { name, need: other === given || !readsAnother(tokens, close + 2) ? 'default' : 'open' };
  if (other.kind === 'string' && isPlaceholder(other.text)) return { name, need: 'open', ...(other.text === '' ? { isBlank: true } : {}) };
  return other.kind === 'op' ? { name, need: 'default' } : { name, need: 'default', value: other.text };
}

/** Whether what stands in for a variable is another variable, or a name that may hold one: not `os.urandom(24)`. */
const readsAnother = (tokens: Token[], from: number) =>
  !/^(?:secrets|uuid|uuid4|urandom|token_hex|token_urlsafe|generate_secret_key)$/.test(tokens[from]?.text ?? '') &&
  !(tokens[from]?.text === 'os' && tokens[from + 2]?.text === 'urandom');

/** The first token of the default among a call's arguments. `from`: the comma or bracket after the name. */
function findDefault(tokens: Token[], { from, close, isStrict }: { from: number; close: number; isStrict: boolean }): Token | undefined {
  for (let i = from; i < close; i++) if (tokens[i]?.text === 'default' && tokens[i + 1]?.text === '=') return tokens[i + 2];
  const isNamed = tokens[from + 2]?.text === '=';
  if (from + 1 >= close || (isStrict && isNamed)) return undefined;
  return tokens[isNamed ? from + 3 : from + 1];
}

/** `if not key: raise …` makes the variable in `key` required. */
function requireChecked(lines: LogicalLine[], index: number, held: Map<string, Mention>): void {
  const { tokens } = lines[index]!;
  const checked = tokens.flatMap(({ text }, i) => {
    if (text === 'not') return [held.get(lastName(tokens, i + 1))];
    return text === 'is' && tokens[i + 1]?.text === 'None' ? [held.get(tokens[i - 1]?.text ?? '')] : [];
  });
  if (checked.length === 0) return;
  const ends = endsProgram(lines, index);
  const goesOn = !ends && /^(?:return|continue|pass)$/.test(lines[index + 1]?.tokens[0]?.text ?? '') && lines[index]!.indent > 0;
  for (const mention of checked) if (mention?.need === 'open' && (ends || goesOn)) mention.need = ends ? 'required' : 'default';
}

/** `key = other()` gives a name, which another function may have used for a variable, a value that is not read from it. */
const isOverwritten = ([target, equals, ...value]: Token[]) =>
  equals?.text === '=' && target?.kind === 'name' && !value.some(({ kind, text }) => kind === 'name' && text === target.text);

/** Lines of a tested block within which its `else` is looked for. */
const maxTested = 100;

/** `if key: …` uses the variable in `key` only if it is set, unless what follows otherwise ends the program. */
function spareTested(lines: LogicalLine[], index: number, mention: Mention | undefined): void {
  if (mention?.need !== 'open') return;
  const { indent } = lines[index]!;
  const length = lines.slice(index + 1, index + 1 + maxTested).findIndex((line) => line.indent <= indent);
  const next = lines[index + 1 + length];
  const isElse = length !== -1 && next?.indent === indent && /^el(?:se|if)$/.test(next.tokens[0]?.text ?? '');
  if (!isElse || !endsProgram(lines, index + 1 + length)) mention.need = 'default';
}

/** Functions of SQLAlchemy and Redis that fail without an address, and `len`, which fails without a value. */
const connecting = new Set(['create_engine', 'create_async_engine', 'from_url', 'len']);
const isConnected = (tokens: Token[], at: number) => tokens[at - 1]?.text === '(' && connecting.has(tokens[at - 2]?.text ?? '');

/** `int(os.getenv("A_NUMBER"))` and `json.loads(os.getenv("A_LIST"))` raise without the variable. */
const isConverted = (tokens: Token[], at: number) =>
  tokens[at - 1]?.text === '(' && ['int', 'float', 'loads'].includes(tokens[at - 2]?.text ?? '');

/** `SQLALCHEMY_DATABASE_URI = os.getenv(…)`, also as `app.config["…"]`: Flask-SQLAlchemy fails without it. */
const isDatabaseOfFlask = (tokens: Token[], at: number) =>
  tokens[at - 1]?.text === '=' && tokens[tokens[at - 2]?.text === ']' ? at - 3 : at - 2]?.text === 'SQLALCHEMY_DATABASE_URI';

/** `create_engine(address)` makes the variable in `address` required. */
function requireConnected(tokens: Token[], held: Map<string, Mention>): void {
  for (const [at, { text }] of tokens.entries()) {
    const mention = isConnected(tokens, at) ? held.get(text) : undefined;
    if (mention?.need === 'open') mention.need = 'required';
  }
}

/** `key` in `self.key`. */
function lastName(tokens: Token[], at: number): string {
  const isPath = tokens[at + 1]?.text === '.';
  return tokens[isPath ? at + 2 : at]?.text ?? '';
}

/** `REQUIRED_VARS = ["A_KEY", "B_URL"]` */
function requiredLists(tokens: Token[], placeOf: (token: Token) => string): Mention[] {
  if (tokens[0]?.kind !== 'name' || !/required|mandatory/i.test(tokens[0].text) || !['=', ':'].includes(tokens[1]?.text ?? '')) return [];
  return tokens
    .filter(({ kind, text }) => kind === 'string' && text.includes('_') && isAskable(text))
    .slice(0, 50)
    .map((token) => ({ name: token.text, at: placeOf(token), need: 'required', isListed: true }));
}
