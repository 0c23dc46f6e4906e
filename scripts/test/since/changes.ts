import { spawnSync } from 'node:child_process';

const GIT_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 ** 2;

/** The tests cannot be determined; the message is for the person at the terminal. */
export class UndecidedError extends Error {}

/** Every file of the clone that git does not ignore, and the files that differ from the commit, including deleted ones. */
export function readChanges(root: string, ref: string): { files: string[]; changed: string[] } {
  const commit = findCommit(root, ref);
  const files = paths(root, ['ls-files', '--cached', '--others', '--exclude-standard']);
  const untracked = paths(root, ['ls-files', '--others', '--exclude-standard']);
  const differing = paths(root, ['diff', '--name-only', '--no-renames', '--no-ext-diff', commit]);
  const changed = [...new Set([...differing, ...untracked])].sort();
  if (changed.length === 0) throw new UndecidedError(`Nothing differs from ${ref}: name the commit from which your change starts.`);
  return { files, changed };
}

function findCommit(root: string, ref: string): string {
  const { status, stdout, stderr, error } = git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  if (error) throw new UndecidedError(`--since needs git, which could not be run: ${error.message}`);
  if (status === 0) return stdout.trim();
  throw new UndecidedError(stderr.trim() || `--since ${ref}: this clone has no such commit, branch or tag.`);
}

function paths(root: string, args: string[]): string[] {
  const { status, stdout, stderr } = git(root, [args[0]!, '-z', ...args.slice(1)]);
  if (status !== 0) throw new UndecidedError(`git ${args.join(' ')} failed: ${stderr.trim()}`);
  return stdout.split('\0').filter(Boolean);
}

function git(root: string, args: string[]) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8', timeout: GIT_MS, maxBuffer: MAX_OUTPUT_BYTES });
}
