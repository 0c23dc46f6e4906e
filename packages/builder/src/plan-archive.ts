import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { removeTree } from '@paddock/safe-files';
import type { PlanSettings } from './detect/settings.ts';
import type { Toolchains } from './detect/toolchains.ts';
import type { Plan } from './plan.ts';
import { readArchive } from './unpack/unpack.ts';

export interface PlanRequest {
  zipPath: string;
  settings: PlanSettings;
  dataDir: string;
  toolchains: Toolchains;
  signal: AbortSignal;
}

/** The plan that a build of the archive would make first. Fails with the same BuildError as such a build. Leaves no files behind. */
export async function planArchive({ zipPath, settings, dataDir, toolchains, signal }: PlanRequest): Promise<Plan> {
  const drafts = join(resolve(dataDir), 'artifacts');
  await mkdir(drafts, { recursive: true });
  // Named like a build's draft, so that collection removes it after a crash.
  const destDir = join(drafts, `plan.draft-${randomUUID()}`);
  try {
    const { plan, unpacked } = await readArchive({ zipPath, destDir, settings, toolchains, signal });
    return { ...plan, warnings: [...unpacked.warnings, ...plan.warnings] };
  } finally {
    await removeTree(destDir);
  }
}
