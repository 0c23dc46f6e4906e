import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckpointStore } from './checkpoint-store.ts';

/** Checkpoints per query while catching up. */
const page = 1_000;
/** Maximum size of a file that is read whole; a checkpoint has about 500 bytes, so that is some 130,000. */
const maxFileBytes = 64 * 1024 ** 2;

export const checkpointFolder = (dataDir: string): string => join(dataDir, 'audit-checkpoints');
const fileOf = (folder: string, team_id: string) => join(folder, `${team_id.replaceAll(/[^\w-]/g, '_')}.jsonl`);

/** The lines of a team's file; none if there is no file. */
export async function readCheckpointLines(folder: string, team_id: string): Promise<string[]> {
  try {
    const file = await open(fileOf(folder, team_id));
    try {
      if ((await file.stat()).size > maxFileBytes)
        throw new Error(`the file of checkpoints of ${team_id} is larger than ${maxFileBytes} bytes`);
      return (await readFile(file, 'utf8')).split('\n').filter(Boolean);
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Keeps a copy of all checkpoints in files of this node, outside the database. An attacker who can rewrite the database cannot remove a line that is
 * already in a file.
 */
export function checkpointFiles(folder: string, store: CheckpointStore) {
  const lastOf = new Map<string, number>();
  let since = new Date(0).toISOString();

  return async function catchUp(): Promise<void> {
    const changed = await store.changedSince(since);
    for (const { team_id } of changed) await append(team_id);
    since = changed.reduce((latest, { created_at }) => (created_at > latest ? created_at : latest), since);
  };

  async function append(team_id: string): Promise<void> {
    let last = lastOf.get(team_id) ?? (await lastInFile(team_id));
    for (;;) {
      const rows = (await store.of(team_id, { from_seq: last + 1, to_seq: Number.MAX_SAFE_INTEGER })).slice(0, page);
      if (rows.length === 0) break;
      await write(team_id, rows.map(({ line }) => `${line}\n`).join(''));
      last = rows.at(-1)!.seq;
      lastOf.set(team_id, last);
    }
    lastOf.set(team_id, last);
  }

  /** A line truncated by a full disk is left alone; the next one starts on a new line. */
  async function lastInFile(team_id: string): Promise<number> {
    const lines = await readCheckpointLines(folder, team_id);
    return lines.reduce((last, line) => Math.max(last, parseSeq(line)), 0);
  }

  async function write(team_id: string, text: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(fileOf(folder, team_id), 'a+', 0o600);
    try {
      const { size } = await file.stat();
      const isWhole = size === 0 || (await endsWithNewline(file, size));
      await file.write(isWhole ? text : `\n${text}`);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

function parseSeq(line: string): number {
  try {
    const { seq } = JSON.parse(line) as { seq?: unknown };
    return Number.isSafeInteger(seq) ? (seq as number) : 0;
  } catch {
    return 0;
  }
}

async function endsWithNewline(file: Awaited<ReturnType<typeof open>>, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 0x0a;
}
