import { findSystemParts } from './install/system-parts.ts';
import { prepareUnpacking } from './unpack/unpack.ts';

const pauseMs = 1000;

/** Prepares what builds would wait for. `whenReceiving` calls its listener whenever an archive begins to arrive. */
export function prepareBuilds(whenReceiving: (listener: () => void) => void): void {
  whenReceiving(() => prepareUnpacking());
  // A failure is reported by the build, which searches again.
  setTimeout(() => void findSystemParts(AbortSignal.timeout(10_000)).catch(() => undefined), pauseMs).unref();
}
