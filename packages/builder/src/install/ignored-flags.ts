import { readBelow, writeBelow } from '@paddock/safe-files';

const MAX_BYTES = 1024 ** 2;
/** pip accepts and ignores these after a requirement; uv refuses the file. */
const IGNORED = new Set(['--pre', '--prefer-binary']);

/** Removes from the given requirement files the options that pip ignores and uv refuses. Returns the original lines. */
export async function dropIgnoredFlags(folder: string, lists: string[]): Promise<string[]> {
  const all: string[] = [];
  for (const list of lists) {
    const text = (await readBelow(folder, list, MAX_BYTES))?.toString('utf8') ?? '';
    if (!text.includes(' --pre')) continue;
    const before = all.length;
    const lines = text.split('\n').map((line) => {
      const kept = withoutIgnored(line);
      if (kept !== line) all.push(line.trim());
      return kept;
    });
    if (all.length > before) writeBelow(folder, list, lines.join('\n'));
  }
  return all;
}

function withoutIgnored(line: string): string {
  const [statement = ''] = line.split(/[ \t]#/, 1);
  const words = statement.trim().split(/[ \t]+/);
  if (words[0] === undefined || /^[-#]/.test(words[0])) return line;
  let { length } = words;
  while (length > 1 && IGNORED.has(words[length - 1]!)) length -= 1;
  return length === words.length ? line : words.slice(0, length).join(' ');
}
