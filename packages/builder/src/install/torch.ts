import { existsSync } from 'node:fs';
import type { HostRegistry } from '../registry/host-registry.ts';

/** Files of the drivers of graphics processors that PyTorch has builds for. */
const devices = ['/dev/nvidiactl', '/dev/nvidia0', '/dev/kfd'];

/**
 * The builds of PyTorch that uv takes: those for processors alone, a tenth of the size, where the machine has no graphics processor. Undefined with
 * an index of the operator's own, which decides what is had.
 */
export function torchBackend(registry: HostRegistry): 'cpu' | undefined {
  const hasOwnIndex = registry.install.env.UV_DEFAULT_INDEX !== undefined;
  return hasOwnIndex || devices.some((path) => existsSync(path)) ? undefined : 'cpu';
}

/** Whether a line of uv is about the index of those builds. */
export const isOfTorchIndex = (line: string) => line.length < 2000 && /\/whl\/cpu\b/.test(line);
