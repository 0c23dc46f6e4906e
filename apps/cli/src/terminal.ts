import { colouredText, plainText } from '@paddock/contract/terminal-text';

export interface Terminal {
  /** From --json: stdout carries only the machine form. */
  json: boolean;
  /** A person can be asked. */
  isInteractive: boolean;
  colours: boolean;
  /** Columns of the terminal that the result goes to; null for a pipe, which gets lines of any length. */
  width: number | null;
  /** Prints the result, in both forms. */
  result(value: unknown, human: string): void;
  /** Prints a line of a result that arrives in parts; JSON Lines for machines. */
  line(value: unknown, human: string): void;
  /** Prints a piece of foreign output: unchanged to a pipe, as harmless text to a terminal. */
  bytes(piece: Buffer): void;
  /** Prints to stderr, only for people. */
  note(text: string): void;
  /** Prints a line that the next one overwrites, only on a terminal. */
  progress(text: string): void;
  paint: Paint;
  notePaint: Paint;
}

const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34 } as const;
export type Paint = Record<keyof typeof styles, (text: string) => string>;

interface Options {
  json: boolean;
  env: NodeJS.ProcessEnv;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  stdin: NodeJS.ReadStream;
}

/** Results go to stdout, everything else to stderr. Colours and progress are for terminals; NO_COLOR and TERM=dumb switch colours off. */
export function openTerminal({ json, env, stdout, stderr, stdin }: Options): Terminal {
  const allowed = !env['NO_COLOR'] && env['TERM'] !== 'dumb' && !json;
  const colours = allowed && stdout.isTTY;
  const noteColours = allowed && stderr.isTTY;
  let shown = false;
  const decoder = new TextDecoder();
  const clear = () => {
    if (shown) stderr.write('\r\x1b[K');
    shown = false;
  };
  // A terminal gets only the colours among a server's control sequences, a pipe gets none.
  const safe = (text: string, coloured: boolean) =>
    text
      .split('\n')
      .map(coloured ? colouredText : plainText)
      .join('\n');
  const line = (value: unknown, human: string) => {
    clear();
    stdout.write(`${json ? JSON.stringify(value) : safe(human, colours)}\n`);
  };
  return {
    json,
    isInteractive: stdin.isTTY && stderr.isTTY && !json,
    colours,
    width: stdout.isTTY && !json ? (stdout.columns ?? null) : null,
    line,
    result(value, human) {
      if (!json && human === '') return;
      clear();
      stdout.write(`${json ? JSON.stringify(value, null, 2) : safe(human, colours)}\n`);
    },
    bytes(piece) {
      clear();
      stdout.write(stdout.isTTY ? safe(decoder.decode(piece, { stream: true }), colours) : piece);
    },
    note(text) {
      if (json) return;
      clear();
      stderr.write(`${safe(text, noteColours)}\n`);
    },
    progress(text) {
      if (json || !stderr.isTTY) return;
      clear();
      if (text === '') return;
      stderr.write(cut(plainText(text), (stderr.columns || 80) - 1));
      shown = true;
    },
    paint: painter(colours),
    notePaint: painter(noteColours),
  };
}

const painter = (on: boolean) =>
  Object.fromEntries(
    Object.entries(styles).map(([name, code]) => [name, (text: string) => (on ? `\x1b[${code}m${text}\x1b[0m` : text)]),
  ) as Paint;

const cut = (text: string, width: number) => (text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text);

/** Makes a server's text safe to print: line by line without control sequences. */
export const clean = (text: string) => text.split('\n').map(plainText).join('\n');

/** Properties of the terminal that tables are printed for. */
export type Shown = { paint: Pick<Paint, 'bold'>; width: number | null };

/**
 * Columns under their headings; the last one is never padded. Cells are cleaned here, since they may contain a server's text. Columns that do
 * not fit into the terminal go to a further, indented line of their row.
 */
export function table(headings: string[], rows: string[][], { paint, width }: Shown): string {
  const cleaned = rows.map((row) => row.map((cell) => plainText(cell)));
  const widths = headings.map((heading, at) => Math.max(heading.length, ...cleaned.map((row) => row[at]?.length ?? 0)));
  const groups = groupColumns(widths, width ?? Number.POSITIVE_INFINITY);
  const join = (row: string[]) =>
    groups
      .map((group) => group.map((at, n) => (n === group.length - 1 ? (row[at] ?? '') : (row[at] ?? '').padEnd(widths[at] ?? 0))).join(gap))
      .filter((line, n) => n === 0 || line.trim() !== '')
      .join(`\n${gap}`);
  return [paint.bold(join(headings)), ...cleaned.map(join)].join('\n');
}

const gap = '  ';

/** Indices of the columns of each line. */
function groupColumns(widths: number[], width: number): number[][] {
  const groups: number[][] = [[]];
  let used = 0;
  for (const [at, own] of widths.entries()) {
    const group = groups.at(-1)!;
    if (group.length > 0 && used + gap.length + own > width) {
      groups.push([at]);
      used = gap.length + own;
      continue;
    }
    used += (group.length > 0 ? gap.length : 0) + own;
    group.push(at);
  }
  return groups;
}
