import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hostCommand } from './host-command.ts';

export interface Wheel {
  python: string;
  /** A requirement that names a version, such as `uv==0.8.1`. */
  spec: string;
  /** Folder within the draft. */
  target: string;
  signal: AbortSignal;
}

/** Downloads a wheel with pip, from the machine's own index, and unpacks it. */
export async function fetchWheel(draft: string, { python, spec, target, signal }: Wheel): Promise<void> {
  await hostCommand(python, ['-m', 'venv', '--', join(draft, 'venv')], { signal });
  const quick = ['--quiet', '--retries', '1', '--timeout', '30'];
  const args = ['-m', 'pip', 'install', ...quick, '--no-deps', '--only-binary', ':all:', '--target', join(draft, target), spec];
  await hostCommand(join(draft, 'venv/bin/python'), args, { signal });
  await rm(join(draft, 'venv'), { recursive: true });
}
