import { StrangeFile } from '@paddock/safe-files';
import { BuildError } from '../build-error.ts';
import { freeBytes } from './limit-failure.ts';
import { inUnits } from './units.ts';

/** The error with a readable cause if it is a full disk, or a file that no honest tool leaves; otherwise the error itself. */
export async function named(error: unknown, dataDir: string): Promise<unknown> {
  if (error instanceof StrangeFile) return strange(error);
  const code = (error as { code?: string }).code;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new BuildError('install', 'disk_full', {
    message: `The disk of the server is full (${inUnits(await freeBytes(dataDir))} free), so the build could not go on.`,
    hint: 'Free space on the server’s disk, then deploy again.',
    cause: error,
  });
}

/** Honest tools leave plain files at the paths that Paddock reads. Anything else was put there on purpose or by mistake. */
function strange(error: StrangeFile): BuildError {
  return new BuildError('build', 'strange_file', {
    message: `What the build left can’t be used: ${error.message}`,
    hint: 'Look for the script or package that puts something else in the place of that file.',
    cause: error,
  });
}
