import { findSystemParts } from './install/system-parts.ts';
import { prepareUnpacking } from './unpack/unpack.ts';

const pauseMs = 1000;

/** Prepares what the first build would wait for, once the start is over. */
export function prepareBuilds(): void {
  prepareUnpacking();
  // A failure is reported by the build, which searches again.
  setTimeout(() => void findSystemParts(AbortSignal.timeout(10_000)).catch(() => undefined), pauseMs).unref();
}
