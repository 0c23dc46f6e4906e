import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Answer, verifyExport } from '../src/index.ts';

export interface Asked {
  /** Lines of kept checkpoints, one list for each file. */
  kept?: string[][];
  key?: string;
}

/** Writes exports into a folder of the test and verifies them. */
export function verifier(t: Pick<TestContext, 'after'>) {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-audit-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  let files = 0;
  const write = (content: string | Buffer) => {
    files += 1;
    const file = join(folder, `${files}.jsonl`);
    writeFileSync(file, content);
    return file;
  };
  const verifyBytes = (content: string | Buffer, { kept = [], key }: Asked = {}): Promise<Answer> =>
    verifyExport({ file: write(content), checkpoints: kept.map((lines) => write(textOf(lines))), key });
  return { folder, write, verifyBytes, verify: (lines: string[], asked: Asked = {}) => verifyBytes(textOf(lines), asked) };
}

export const textOf = (lines: string[]) => lines.map((line) => `${line}\n`).join('');

/** The parts of an answer that most tests check. */
export const gist = ({ verdict, covered_to, first_bad }: Answer) =>
  first_bad ? [verdict, first_bad.seq, first_bad.id] : [verdict, covered_to];
