import { mkdir } from 'node:fs/promises';
import { archiveLimits } from '@paddock/contract/limits';
import { removeTree } from '@paddock/safe-files';
import type { PlanSettings } from '../detect/settings.ts';
import type { Toolchains } from '../detect/toolchains.ts';
import type { ArchiveLimits } from './entry-rules.ts';
import { type Planned, readPlanned, readProgress, type Unpacked } from './messages.ts';
import { runThread, type ThreadLimits, threadLimits } from './thread.ts';

export { prepareUnpacking } from './thread.ts';

export interface UnpackRequest {
  zipPath: string;
  /** Must not exist yet. */
  destDir: string;
  limits?: ArchiveLimits;
}

/**
 * Unpacks a ZIP into `destDir` in a separate thread. Every limit is enforced while the thread unpacks. Fails with a BuildError that names
 * the entry at fault. After a failure or an abort `destDir` is removed.
 */
export async function unpack({ zipPath, destDir, limits = archiveLimits }: UnpackRequest, signal: AbortSignal): Promise<Unpacked> {
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
}

/**
 * Unpacks a ZIP like `unpack` and plans its deployment, both in one thread. A thread that takes too long or too much memory is terminated
 * and also fails with a BuildError, so that a hostile archive harms only its own deployment.
 */
export async function readArchive({
  zipPath,
  destDir,
  settings,
  toolchains,
  signal,
  limits = threadLimits,
}: ReadRequest): Promise<ReadArchive> {
  const plan = { settings, toolchains, reading: readProgress() };
  return inFolder(destDir, signal, async () => {
    const { planned, unpacked } = await runThread({ zipPath, destDir, limits: archiveLimits, plan }, limits, signal);
    return { ...readPlanned(planned), unpacked };
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
