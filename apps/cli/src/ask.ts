import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Context } from './context.ts';
import { usage } from './failures.ts';
import { clean } from './terminal.ts';

const maxInputBytes = 64 * 1024 * 4;

/** Asks on the terminal; the question goes to stderr, so that the output stays clean. */
export async function ask({ terminal, stdin, signal }: Context, question: string, otherwise = ''): Promise<string> {
  if (!terminal.isInteractive) throw usage(`There is no terminal to ask on: ${question}`);
  const lines = createInterface({ input: stdin, output: process.stderr, terminal: true });
  try {
    return (await lines.question(clean(`${question}${otherwise ? ` (${otherwise})` : ''}: `), { signal })).trim() || otherwise;
  } finally {
    lines.close();
  }
}

/** Asks for a secret, which is not shown while it is typed. */
export async function askSecret({ terminal, stdin, signal }: Context, question: string): Promise<string> {
  if (!terminal.isInteractive) throw usage(`There is no terminal to ask on: ${question}. Give it on stdin with --password-stdin.`);
  process.stderr.write(`${question}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return await lines.question('', { signal });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

interface Confirmation {
  /** The consequence, in a sentence. */
  what: string;
  name: string;
  yes: boolean;
}

/** True if the person types the name, or with `--yes`. Without a terminal `--yes` is required. */
export async function confirmByName(context: Context, { what, name, yes }: Confirmation): Promise<boolean> {
  if (yes) return true;
  if (!context.terminal.isInteractive) throw usage(`${what} Add --yes to do it without being asked.`);
  context.terminal.note(what);
  return (await ask(context, `Type ${name} to confirm`)) === name;
}

/** All of stdin, for values that must not appear in a command line. */
export async function readStdin({ stdin }: Context): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxInputBytes) throw usage(`What comes on stdin is longer than ${maxInputBytes / 1024} KB.`);
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks).toString('utf8');
}
