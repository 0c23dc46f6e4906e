import { isOfThing } from '../context/keys.ts';
import type { Candidate } from '../rule.ts';
import { keyOfName } from './keys.ts';
import { wholeName } from './values.ts';

const maxHeader = 400;
const maxColumns = 40;
const maxRows = 2_000;

/** Names in tables whose first line names the columns: CSV with a comma, a semicolon or a tab, Markdown with bars. */
export function namesInTable(text: string): Candidate[] {
  const headerEnd = text.indexOf('\n');
  if (headerEnd < 5 || headerEnd > maxHeader) return [];
  const header = text.slice(0, headerEnd);
  const delimiter = [';', '\t', '|', ','].find((one) => header.includes(one));
  if (!delimiter) return [];
  const columns = header.split(delimiter, maxColumns).map((cell) => keyOfName(cell.trim().replace(/"/g, '')));
  const hasOthers = header.split(delimiter, maxColumns).every((cell) => cell.length < 40);
  const isOfThings = header.split(delimiter, maxColumns).some((cell) => isOfThing(cell.trim()));
  const wanted = columns.map((kind) => kind === 'name' || (kind === 'maybe' && !isOfThings));
  if (!wanted.includes(true) || columns.length < 2 || !hasOthers) return [];
  const found: Candidate[] = [];
  let start = headerEnd + 1;
  for (let row = 0; row < maxRows && start < text.length; row++) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    found.push(...namesOfRow({ text, start, end, delimiter }, wanted));
    start = end + 1;
  }
  return found;
}

interface Line {
  text: string;
  start: number;
  end: number;
  delimiter: string;
}

function namesOfRow({ text, start, end, delimiter }: Line, wanted: readonly boolean[]): Candidate[] {
  const found: Candidate[] = [];
  let from = start;
  for (let column = 0; column < wanted.length && from <= end; column++) {
    const isQuoted = text[from] === '"';
    const quote = isQuoted ? text.indexOf('"', from + 1) : -1;
    const next = text.indexOf(delimiter, quote > 0 && quote < end ? quote : from);
    const to = next < 0 || next > end ? end : next;
    const cell = text.slice(from, to).replace(/^"|"\s*$/g, ' ');
    const name = wanted[column] && cell.length < 80 ? wholeName(cell) : undefined;
    const isName = name && /^\p{Lu}/u.test(cell.slice(name.start));
    if (isName) found.push({ type: 'Name', start: from + name.start, end: from + name.end, score: 0.7 });
    from = to + 1;
  }
  return found;
}
