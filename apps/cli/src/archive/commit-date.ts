import type { Git, IndexEntry } from './git.ts';

interface Dated {
  /** Relative to the folder, with slashes. */
  name: string;
  size: number;
  mtime: Date;
}

/** Whether a file has the size and time that git's index has for it, so that its contents are those of the index. */
export const isAsIndexed = ({ size, mtime }: Dated, entry: IndexEntry | undefined) =>
  entry?.size === size && entry.seconds === Math.floor(mtime.getTime() / 1000);

/**
 * Gives unchanged files the date of the commit. A clone dates all files with the moment of cloning, and the platform tries packages as of the
 * archive's newest date when the newest ones break it. Files that were changed since, or that git does not track, keep their date. So do
 * all files if git is missing or does not know the folder.
 */
export async function withCommitDate<File extends Dated>(
  git: Git,
  files: File[],
  index: Map<string, IndexEntry> | undefined,
): Promise<File[]> {
  const date = await git(['log', '-1', '--no-show-signature', '--format=%ct']);
  if (!date || index === undefined) return files;
  const commit = new Date(Number(date) * 1000);
  return files.map((file) => (isAsIndexed(file, index.get(file.name)) && commit < file.mtime ? { ...file, mtime: commit } : file));
}
