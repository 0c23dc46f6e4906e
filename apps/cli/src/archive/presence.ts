import { lstat, stat } from 'node:fs/promises';

/** Whether the error means that there is no readable entry of that kind. */
export const isAbsence = (error: unknown) =>
  ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');

export const isThere = (path: string): Promise<boolean> => lstat(path).then(() => true, absent);
export const isFolder = (path: string): Promise<boolean> => stat(path).then((found) => found.isDirectory(), absent);

function absent(error: unknown): false {
  if (isAbsence(error)) return false;
  throw error;
}
