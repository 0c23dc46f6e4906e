const FREE = 'Free some space and try again.';

/** Also true for the error output of a program that we ran. */
export const isDiskFull = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ENOSPC' || /No space left on device/.test((error as Error).message);

/** A full disk as a sentence; other errors have their own message. */
export function reason(error: unknown): string {
  if (isDiskFull(error)) return `the disk is full. ${FREE}`;
  if ((error as NodeJS.ErrnoException).code === 'EDQUOT') return `the disk quota is used up. ${FREE}`;
  return (error as Error).message;
}
