import { closeSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { BuildError } from '../build-error.ts';
import { bounded, messageWaiting, type Refusal, type Unpacked, type WorkerInput, type WorkerOutput } from './messages.ts';
import { newestDate } from './newest-date.ts';
import { normalise } from './normalise.ts';
import { writeEntries } from './write-entries.ts';
import { readDirectory } from './zip-directory.ts';

/** Loading the rules takes as long as starting the thread, so a thread that only unpacks does not load them. */
const rules = () => import('./plan-folder.ts');

// The server sends the next archive after the result of the last.
parentPort?.on('message', (input: WorkerInput) => void serve(input));
// A spare thread loads the rules while it waits for an archive.
if (workerData === messageWaiting) await rules();

/** Does all work on one archive that grows with its bytes, so that the server's own thread does none of it. */
async function serve({ zipPath, destDir, limits, plan }: WorkerInput): Promise<void> {
  try {
    answer({ unpacked: await unpackOnce(zipPath, destDir, limits) });
    if (plan === undefined) return;
    const { planFolder } = await rules();
    answer({ planned: await planFolder(destDir, plan) });
  } catch (error) {
    answer({ refused: toRefusal(error) });
  }
}

async function unpackOnce(zipPath: string, destDir: string, limits: WorkerInput['limits']): Promise<Unpacked> {
  const fd = openSync(zipPath, 'r');
  try {
    const { entries, directoryOffset } = await readDirectory(fd, limits);
    const kept = normalise(entries);
    if (kept.entries.length === 0)
      throw new BuildError('unpack', 'archive_empty', {
        message: 'The archive holds no files.',
        hint: 'Zip the folder that holds your agent.',
      });
    const written = await writeEntries(fd, { all: entries, kept: kept.entries, directoryOffset, destDir, limits });
    return {
      files: written.files,
      bytes: written.bytes,
      stripped: kept.stripped,
      warnings: [...kept.warnings, ...written.warnings],
      newest: newestDate(kept.entries, Date.now()),
    };
  } finally {
    closeSync(fd);
  }
}

/** The refusal for an error. Rethrows faults of our own, which end the thread and are reported as such. */
function toRefusal(error: unknown): Refusal {
  if (error instanceof BuildError) return bounded(error);
  const { code } = error as { code?: string };
  if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
  return {
    step: 'unpack',
    code: 'disk_full',
    message: 'The disk is full, so the archive could not be unpacked.',
    hint: 'Ask the operator to free disk space, then deploy again.',
    choices: [],
  };
}

function answer(output: WorkerOutput): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
  parentPort?.postMessage(output);
}
