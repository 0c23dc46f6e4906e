import type { SourceTree } from '../source-tree.ts';
import { assignmentIn } from './example-files.ts';
import { isAskable, isPlaceholder, isSecret, type Mention } from './mention.ts';

const readme = /^readme(\.(md|markdown|rst|txt))?$/i;
const maxCharacters = 256 * 1024;
const maxLineLength = 2000;

/** Variables that tables and code blocks of the README name. */
export function namedByReadme(tree: SourceTree): Mention[] {
  const file = tree.files.find((each) => readme.test(each));
  if (file === undefined) return [];
  const found: Mention[] = [];
  /** Variables that the current code block gives to the reader's shell. */
  const ofShell = new Map<string, Mention>();
  let isCode = false;
  /** The language of the code block is that of shells or environment files, or is not said. */
  let isShell = false;
  /** The current table lists variables. */
  let isTable = false;
  /** The column of the current table that says whether each is required; 0 if none does. */
  let column = 0;
  /** The depth of the heading that calls what follows optional; 0 if none does. */
  let optional = 0;
  for (const [index, whole] of (tree.read(file) ?? '').slice(0, maxCharacters).split('\n').entries()) {
    const line = whole.slice(0, maxLineLength).trim();
    const at = `${file}:${index + 1}`;
    if (line.startsWith('```') || line.startsWith('~~~')) {
      isCode = !isCode;
      isShell = isCode && shells.test(line);
      ofShell.clear();
    } else if (isCode && !isShell) continue;
    else if (isCode) {
      // `TOKEN=…` and then `curl -H "X-Token: $TOKEN"`: the agent does not read it.
      for (const [, name = ''] of line.matchAll(used)) found.splice(...findRange(found, ofShell.get(name)));
      const named = inCode(line, at).map((one) => (optional === 0 ? one : spare(one)));
      found.push(...named);
      if (!/^(?:\$ )?export\b/.test(line)) for (const one of named) ofShell.set(one.name, one);
    } else if (!line.startsWith('|')) {
      isTable = false;
      const [, signs, title = ''] = heading.exec(line) ?? [];
      if (signs !== undefined && (optional === 0 || signs.length <= optional)) optional = /\boptional/i.test(title) ? signs.length : 0;
    } else if (isTable)
      found.push(...inTable(line, at, column).map((one) => (optional === 0 || one.need === 'required' ? one : spare(one))));
    else {
      isTable = /variable|\benv|setting|\bname\b|\bkey\b/i.test(line);
      column = readCells(line).findIndex((cell) => /\b(?:required|mandatory|needed|necessary)\b/i.test(cell)) + 1;
    }
  }
  return found;
}

const shells =
  /^(?:`{3,}|~{3,})\s{0,3}(?:sh|bash|zsh|shell|console|terminal|env|dotenv|ini|properties|text|txt|plaintext|powershell)?\s{0,3}$/i;
const used = /\$\{?([A-Z][A-Z0-9_]{1,63})/g;

const heading = /^(#{1,6})\s{1,5}(\S.{0,200})$/;
const spare = (one: Mention): Mention => ({ ...one, need: 'default', isOptional: true });

/** The range of an element, as `splice` takes it. */
function findRange(all: Mention[], one: Mention | undefined): [from: number, count: number] {
  const at = one === undefined ? -1 : all.indexOf(one);
  return at === -1 ? [all.length, 0] : [at, 1];
}

/** `export A_KEY=…`, or a line in the form of a `.env` file. */
function inCode(line: string, at: string): Mention[] {
  const named = assignmentIn(line.startsWith('$ ') ? line.slice(2) : line);
  if (named === null || !isAskable(named.name) || !named.name.includes('_')) return [];
  if (!isPlaceholder(named.value) && !isSecret(named.name)) return [{ name: named.name, at, need: 'default', value: named.value }];
  return [{ name: named.name, at, need: isSecret(named.name) && !/\boptional/i.test(named.comment) ? 'open' : 'default' }];
}

/** The cells of a row. The last bar of a row may be left out. */
const readCells = (line: string) =>
  line
    .slice(1, line.endsWith('|') ? -1 : undefined)
    .split('|')
    .map((cell) => cell.trim());

/** A row whose first cell is a name: `| A_KEY | yes | … |`. `column`: the one that says whether it is required, from 1; 0 if there is none. */
function inTable(line: string, at: string, column: number): Mention[] {
  const cells = readCells(line);
  const name = (cells[0] ?? '').replaceAll('`', '').replaceAll('*', '').trim();
  if (!isAskable(name) || !name.includes('_')) return [];
  const said = column === 0 ? cells.slice(1) : [cells[column - 1] ?? ''];
  // Without such a column, “true” may be the default.
  const yes = column === 0 ? /^\W{0,3}(?:required|✅|✓)/i : /^\W{0,3}(?:yes|required|true|✅|✓)/i;
  const isRequired = said.some((cell) => yes.test(cell)) && !said.some((cell) => /^\W{0,3}(?:no|optional)\b/i.test(cell));
  return [{ name, at, need: isRequired ? 'required' : 'default' }];
}
