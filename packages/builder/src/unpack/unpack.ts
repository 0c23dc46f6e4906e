import { mkdir } from 'node:fs/promises';
import { archiveLimits } from '@paddock/contract/limits';
import { removeTree } from '@paddock/safe-files';
import type { PlanSettings } from '../detect/settings.ts';
import type { Toolchains } from '../detect/toolchains.ts';
import type { ArchiveLimits } from './entry-rules.ts';
import { type Planned, readingPlace, readPlanned, type Unpacked } from './messages.ts';
import { runThread, type ThreadLimits, threadLimits } from './thread.ts';

export { prepareUnpacking } from './thread.ts';

/**
 * Unpacks a ZIP into `destDir`, which must not exist yet, in a thread of its own. Every limit holds while unpacking.
 * Fails with a BuildError that names the entry at fault; after a failure or an abort `destDir` is gone.
 */
export async function unpack(
  zipPath: string,
  destDir: string,
  signal: AbortSignal,
  limits: ArchiveLimits = archiveLimits,
): Promise<Unpacked> {
  const { unpacked } = await inFolder(destDir, signal, () => runThread({ zipPath, destDir, limits }, threadLimits, signal));
  return unpacked;
}

export interface ReadRequest {
  zipPath: string;
  destDir: string;
  settings: PlanSettings;
  toolchains: Toolchains;
  signal: AbortSignal;
  limits?: ThreadLimits;
}

export interface ReadArchive extends Planned {
  unpacked: Unpacked;
  durations: { unpack_ms: number; plan_ms: number };
}

/**
 * Unpacks a ZIP like `unpack` and finds out what it is, both in the one thread, which is ended when it takes too long or too
 * much memory. Fails with a BuildError then too, so that a poisoned archive costs its own deployment and nothing else.
 */
export async function readArchive({
  zipPath,
  destDir,
  settings,
  toolchains,
  signal,
  limits = threadLimits,
}: ReadRequest): Promise<ReadArchive> {
  const plan = { settings, toolchains, reading: readingPlace() };
  return inFolder(destDir, signal, async () => {
    const { planned, unpacked, durations } = await runThread({ zipPath, destDir, limits: archiveLimits, plan }, limits, signal);
    return { ...readPlanned(planned), unpacked, durations };
  });
}

async function inFolder<T>(destDir: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  await mkdir(destDir, { mode: 0o755 });
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    await removeTree(destDir);
    throw error;
  }
}
