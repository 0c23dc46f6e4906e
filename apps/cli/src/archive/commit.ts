import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAsIndexed } from './commit-date.ts';
import type { Git, IndexEntry } from './git.ts';

const maxMessage = 500;
const maxBranch = 255;

/** The commit of a folder, as the API takes it. Empty if git does not know the folder. */
export interface Commit {
  commit_sha?: string;
  /** Missing for a detached commit. */
  commit_branch?: string;
  /** Whether the packed files differ from the commit's. */
  commit_dirty?: 'true' | 'false';
  /** The first line of the commit message. */
  message?: string;
}

interface Packed {
  path: string;
  name: string;
  size: number;
  mtime: Date;
}

/** The commit that files are packed from. Files that the ignore files leave out do not count as changed. */
export async function readCommit(git: Git, files: readonly Packed[], index: Map<string, IndexEntry> | undefined): Promise<Commit> {
  const log = await git(['log', '-1', '--no-show-signature', '--format=%H%n%s']);
  if (!log || index === undefined) return {};
  const [commit_sha = '', message = ''] = log.split('\n');
  const branch = (await git(['symbolic-ref', '--short', '--quiet', 'HEAD']))?.trim();
  return {
    commit_sha,
    ...(branch ? { commit_branch: branch.slice(0, maxBranch) } : {}),
    ...(message.trim() ? { message: shorten(message.trim()) } : {}),
    commit_dirty: (await isDirty(git, files, index)) ? 'true' : 'false',
  };
}

const shorten = (text: string) => (text.length > maxMessage ? `${text.slice(0, maxMessage - 1).trimEnd()}…` : text);

/** `diff-index --cached` compares the index with the commit, `ls-files --deleted` the folder's names with the index; neither reads contents. */
async function isDirty(git: Git, files: readonly Packed[], index: Map<string, IndexEntry>): Promise<boolean> {
  const staged = await git(['diff-index', '--cached', '--name-only', '--relative', '--no-ext-diff', 'HEAD', '--', '.']);
  const deleted = await git(['ls-files', '--deleted', '-z']);
  if (staged !== '' || deleted !== '') return true;
  for (const file of files) {
    const entry = index.get(file.name);
    if (entry === undefined || !(entry.isLink || isAsIndexed(file, entry) || (await hashFile(file, entry)) === entry.id)) return true;
  }
  return false;
}

/** The object id that git gives a file: SHA-1, or SHA-256 in repositories that use it. */
async function hashFile({ path, size }: Packed, { id }: IndexEntry): Promise<string> {
  const hash = createHash(id.length === 64 ? 'sha256' : 'sha1');
  return hash
    .update(`blob ${size}\0`)
    .update(await readFile(path))
    .digest('hex');
}

/** The branch that a CI system says it checked out, where git has only a detached commit: of GitHub, GitLab and Jenkins. */
export const branchInCi = (env: Record<string, string | undefined>) =>
  env['GITHUB_HEAD_REF'] || env['GITHUB_REF_NAME'] || env['CI_COMMIT_REF_NAME'] || env['BRANCH_NAME'];
