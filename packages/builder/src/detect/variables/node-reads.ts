import type { Constants } from './constants.ts';
import { schemaFields } from './env-schemas.ts';
import { readsByName } from './environment-names.ts';
import { isPlaceholder, isReadable, lineCounter, type Mention } from './mention.ts';
import { toolRanges } from './tool-functions.ts';

const reads = /\b(?:process|Bun|import\.meta)\??\.env(?:\??\.|\[\s{0,5}['"`])([A-Za-z][A-Za-z0-9_]{1,63})\b(?:['"`]\s{0,5}\])?/g;
/** The first argument of a call. The called function is checked in the text before it. */
const firstArgument = /\(\s{0,5}['"`]([A-Z][A-Z0-9_]{1,63})['"`]/g;
const readers = /(?:[eE]nv|[eE]nvVar|[eE]nvironment|env\.get|[cC]onfigService\.get|config\.get|getOrThrow|[gG]etRequired)(?:<\w{1,20}>)?$/;
const strict = /require|must|assert|ensure|OrThrow/i;
const destructured = /\}\s{0,5}=\s{0,5}(?:process|Bun|import\.meta)\.env\b(?![.?[])/g;

/** Characters before and after a read that are examined. */
const around = 160;
const maxBraces = 2000;

/** Variables that a file of JavaScript or TypeScript reads, found without running it. `constants`: those of the archive. */
export function readByNode(source: string, file: string, constants: Constants): Mention[] {
  if (!/\benv\b|[eE]nv|\bgetOrThrow\b|onfigService\b|etRequired\b/.test(source)) return [];
  const tools = toolRanges(source);
  const isOfTool = (at: number) => tools.some(([from, to]) => from < at && at < to);
  return [
    ...direct(source),
    ...byConstant(source, constants),
    ...called(source),
    ...taken(source),
    ...listed(source),
    ...schemaFields(source),
  ]
    .filter(({ name, index }) => isReadable(name) && !isComment(source, index))
    .map((read) => (read.need !== 'assigned' && isOfTool(read.index) ? { ...read, need: 'default' as const } : read))
    .toSorted((a, b) => a.index - b.index)
    .map(placed(source, file));
}

function placed(source: string, file: string) {
  const lineOf = lineCounter(source);
  return ({ index, ...read }: Read): Mention => ({ ...read, at: `${file}:${lineOf(index)}` });
}

/** `index`: its position in the source. */
export type Read = Omit<Mention, 'at'> & { index: number };

/** The token of a bot has nothing in reserve where the last of its alternatives is empty: `process.env.DISCORD_TOKEN || config.token || ''`. */
const botToken = /^(?:DISCORD|TELEGRAM|SLACK)_(?:BOT_)?TOKEN$/;
const emptyAtLast = /^\s{0,5}(?:\|\||\?\?)\s{0,5}[\w.?]{1,60}\s{0,5}(?:\|\||\?\?)\s{0,5}(?:''|"")/;

function direct(source: string): Read[] {
  const byPath = [...source.matchAll(reads)].map(({ 0: text, 1: name = '', index }) => ({ name, index, end: index + text.length }));
  const byName = readsByName(source).map(({ 0: text, 2: name = '', index }) => ({ name, index, end: index + text.length }));
  const all = [...byPath, ...byName].map((read) => {
    const isToken = botToken.test(read.name) && emptyAtLast.test(source.slice(read.end, read.end + around));
    return { ...read, ...(isToken ? { need: 'open' as const } : detectNeed(source, read.index, read.end)) };
  });
  const tested = new Set(all.filter(({ need }) => need === 'default').map(({ name }) => name));
  return all.map(({ end, ...read }) =>
    read.need === 'open' && !tested.has(read.name) && isUsedOnLoad(source, read.index, end) ? { ...read, need: 'required' } : read,
  );
}

/** `const list = process.env.A_LIST.split(',')` throws without the variable if it runs as the file is loaded: at the start of a line. */
function isUsedOnLoad(source: string, from: number, to: number): boolean {
  if (!/^(?:\.[a-z]\w{0,40}\(|\[)/i.test(source.slice(to, to + 50))) return false;
  const start =
    source
      .slice(Math.max(0, from - around), from)
      .split('\n')
      .at(-1) ?? '';
  return /^(?:export )?(?:const|let|var) [\w ,{}:[\]]{1,100}= ?[\w. (]{0,60}$/.test(start) && !/\b(?:if|function|async)\b/.test(start);
}

const constantReads = /\b(?:process|Bun)\??\.env\[\s{0,5}(?:\w{1,60}\.)?([A-Z][A-Z0-9_]{1,63})\s{0,5}\]/g;

/** `process.env[KEY_NAME]` */
const byConstant = (source: string, constants: Constants): Read[] =>
  [...source.matchAll(constantReads)].flatMap((match) => {
    const name = constants.get(match[1]!);
    return name === undefined ? [] : [{ name, index: match.index, ...detectNeed(source, match.index, match.index + match[0].length) }];
  });

/** `requireEnv('A_KEY')`, `config.get("A_KEY")`, `Deno.env.get("A_KEY")`. */
function called(source: string): Read[] {
  return [...source.matchAll(firstArgument)].flatMap((match) => {
    const before = source.slice(Math.max(0, match.index - 50), match.index);
    if (!readers.test(before) || /(?:set|stub|delete)\w{0,5}$/i.test(before.slice(0, before.lastIndexOf('nv')))) return [];
    const end = match.index + match[0].length;
    const rest = source.slice(end, end + around).trimStart();
    const [name, index] = [match[1]!, match.index];
    if (rest.startsWith(',')) return [{ name, index, ...parseDefault(rest.slice(1).trimStart()) }];
    if (!rest.startsWith(')')) return [];
    const word = before.slice(Math.max(before.lastIndexOf(' '), before.lastIndexOf('\n')) + 1);
    const need = detectNeed(source, match.index - word.length, source.indexOf(')', end) + 1);
    return [{ name, index, ...(need.need === 'open' && strict.test(word) ? { need: 'required' as const } : need) }];
  });
}

/** `const { A_KEY, B_URL = 'x', C_ID: id } = process.env` */
function taken(source: string): Read[] {
  return [...source.matchAll(destructured)].flatMap(({ index }) => {
    const from = source.lastIndexOf('{', index);
    if (from === -1 || index - from > maxBraces) return [];
    const found: Read[] = [];
    let at = from + 1;
    for (const part of source.slice(at, index).split(',')) {
      const [left = '', ...value] = part.split('=');
      const name = (left.split(':')[0] ?? '').trim();
      const need = value.length > 0 ? parseDefault(value.join('=').trim()) : { need: 'open' as const };
      found.push({ name, index: at + part.length - part.trimStart().length, ...need });
      at += part.length + 1;
    }
    return found;
  });
}

const maxList = 2000;

/** `const REQUIRED_ENV = ['A_KEY', 'B_URL']` */
function listed(source: string): Read[] {
  return [...source.matchAll(/= ?\[/g)].flatMap(({ index, 0: { length } }) => {
    const line = source.slice(Math.max(0, index - around, source.lastIndexOf('\n', index) + 1), index);
    const [name = ''] = line.split(':', 1);
    if (!/required|mandatory/i.test(name.trimEnd().split(/\W/).at(-1) ?? '')) return [];
    const [list = ''] = source.slice(index + length, index + maxList).split(']', 1);
    return [...list.matchAll(/['"`]([A-Z][A-Z0-9_]{1,63})['"`]/g)]
      .filter(([, name = '']) => name.includes('_'))
      .map((match): Read => ({ name: match[1]!, index: index + length + match.index, need: 'required', isListed: true }));
  });
}

type Need = Pick<Mention, 'need' | 'value' | 'isBlank'>;

/** The need for a variable, by the text before and after the read. */
function detectNeed(source: string, from: number, to: number): Need {
  const before = source.slice(Math.max(0, from - around), from).trimEnd();
  const after = source.slice(to, to + around).trimStart();
  // Another variable precedes it, and one of them is enough.
  if (/(?:\|\||\?\?)$/.test(before)) return { need: 'default' };
  if (/!\s{0,3}[\w.]{1,60}\.includes\($/.test(before) && refused.test(after)) return { need: 'required' };
  if (before.endsWith('!')) return { need: /\bthrow\b|process\.exit/.test(after) ? 'required' : 'open' };
  if (/^(?:\|\||\?\?)/.test(after)) return alternative(after.slice(2).replace(/^=/, '').trimStart());
  if (/^=(?!=)/.test(after)) return { need: 'assigned' };
  // `parseInt(process.env.A_PORT!, 10) || 5432`
  const converted = /^!?(?:, \d{1,2})?\)\s{0,5}(?:\|\||\?\?)\s{0,5}/.exec(after);
  if (converted !== null && /\b(?:parseInt|parseFloat|Number)\($/.test(before.replace(/\s{1,5}$/, '')))
    return parseDefault(after.slice(converted[0].length));
  if (/^!(?!=)/.test(after)) return { need: 'required' };
  if (/(?:\bif\s{0,5}\(|\|\|)\s{0,5}(?:typeof)?$/.test(before) && guard.test(after)) return { need: 'required' };
  if (/^(?:[?=&]|!=)/.test(after) || (/\bif\s{0,5}\($/.test(before) && after.startsWith(')'))) return { need: 'default' };
  return { need: isCheckedLater(source, before, to) ? 'required' : 'open' };
}

/** `typeof process.env.A !== 'string' || …) throw`, and the same with `=== undefined`. */
const guard =
  /^(?:!==?\s{0,3}['"]string['"]|={2,3}\s{0,3}(?:undefined|null|''|""|['"]undefined['"]))[^&{};]{0,120}\)\s{0,5}\{?\s{0,20}(?:throw\b|process\.exit)/;

/** `if (!modes.includes(process.env.A_MODE)) throw …` */
const refused = /^\)[^;{}]{0,80}\)\s{0,5}\{?\s{0,20}(?:throw\b|process\.exit)/;

/** The value used instead of a variable: another variable, or a default. */
const alternative = (text: string): Need => (/^(?:process|import\.meta|Bun)\b/.test(text) ? { need: 'open' } : parseDefault(text));

function parseDefault(text: string): Need {
  const value = /^['"`]([^'"`\n$]{0,100})['"`]/.exec(text)?.[1];
  if (value === '') return { need: 'open', isBlank: true };
  if (value !== undefined) return isPlaceholder(value) ? { need: 'open' } : { need: 'default', value };
  if (/^(?:undefined|null)\b/.test(text)) return { need: 'open' };
  if (/^throw\b/.test(text)) return { need: 'required' };
  const number = /^-?\d[\d_.]{0,20}|^true\b|^false\b/.exec(text)?.[0];
  return number === undefined ? { need: 'default' } : { need: 'default', value: number };
}

/** Characters after a read that are searched for a check of the variable. */
const near = 1500;

/** `const key = process.env.A_KEY; if (!key) throw …` */
function isCheckedLater(source: string, before: string, to: number): boolean {
  const held = /(?:const|let|var)\s{1,5}(\w{1,60})\s{0,5}=$/.exec(before)?.[1];
  if (held === undefined) return false;
  const next = source.slice(to, to + near);
  for (let check = next.indexOf(`!${held}`); check !== -1; check = next.indexOf(`!${held}`, check + 1)) {
    const rest = next.slice(check + 1 + held.length, check + around);
    if (/^\s{0,5}(?:\)|\|\|)/.test(rest) && /\bthrow\b|process\.exit/.test(rest)) return true;
  }
  return false;
}

function isComment(source: string, index: number): boolean {
  const line = source.slice(Math.max(0, index - around, source.lastIndexOf('\n', index) + 1), index).trimStart();
  return line.startsWith('//') || line.startsWith('*') || line.startsWith('/*') || line.includes(' // ');
}
