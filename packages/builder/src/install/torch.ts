import { existsSync } from 'node:fs';
import type { HostRegistry } from '../registry/host-registry.ts';

/** Device files of the graphics processors that PyTorch has builds for. */
const devices = ['/dev/nvidiactl', '/dev/nvidia0', '/dev/kfd'];

export const hasGraphicsProcessor = (): boolean => devices.some((path) => existsSync(path));

/**
 * The builds of PyTorch that uv installs: CPU-only builds, a tenth of the size, if the machine has no graphics processor. Undefined if the
 * operator set an index of their own, which then decides the builds.
 */
export function torchBackend(registry: HostRegistry): 'cpu' | undefined {
  const hasOwnIndex = registry.install.env.UV_DEFAULT_INDEX !== undefined;
  return hasOwnIndex || hasGraphicsProcessor() ? undefined : 'cpu';
}

/** Whether a line of uv's output is about the index of those builds. */
export const isOfTorchIndex = (line: string) => line.length < 2000 && /\/whl\/cpu\b/.test(line);
