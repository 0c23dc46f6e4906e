import { closeSync, openSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { BuildError } from '../build-error.ts';
import type { ArchiveLimits } from './entry-rules.ts';
import { normalise } from './normalise.ts';
import { writeEntries } from './write-entries.ts';
import { readDirectory } from './zip-directory.ts';

export interface WorkerInput {
  zipPath: string;
  destDir: string;
  limits: ArchiveLimits;
}

/** What an unpacked archive turned out to be. */
export interface Unpacked {
  files: number;
  bytes: number;
  /** The single folder that everything lay in, if there was one. */
  stripped: string | null;
  warnings: string[];
}

export type WorkerOutput = { ok: Unpacked } | { refused: { code: string; message: string; hint: string } };

parentPort?.once('message', (input: WorkerInput) => void unpackOnce(input));

async function unpackOnce({ zipPath, destDir, limits }: WorkerInput): Promise<void> {
  const fd = openSync(zipPath, 'r');
  try {
    const { entries, directoryOffset } = await readDirectory(fd, limits);
    const kept = normalise(entries);
    if (kept.entries.length === 0)
      throw new BuildError('unpack', 'archive_empty', 'The archive holds no files.', { hint: 'Zip the folder that holds your agent.' });
    const bytes = await writeEntries(fd, entries, kept.entries, directoryOffset, destDir, limits);
    answer({ ok: { files: kept.entries.length, bytes, stripped: kept.stripped, warnings: kept.warnings } });
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (error instanceof BuildError) answer({ refused: { code: error.code, message: error.message, hint: error.hint } });
    else if (code === 'ENOSPC' || code === 'EDQUOT') {
      answer({
        refused: {
          code: 'disk_full',
          message: 'The disk is full, so the archive could not be unpacked.',
          hint: 'Ask the operator to free disk space, then deploy again.',
        },
      });
    } else throw error;
  } finally {
    closeSync(fd);
  }
}

function answer(output: WorkerOutput): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
  parentPort?.postMessage(output);
}
