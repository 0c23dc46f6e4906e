import type { Deployment } from './deployments.ts';

type Commit = Pick<Deployment, 'commit_sha' | 'commit_branch' | 'commit_dirty'>;

/** `a1b2c3d, main, with uncommitted changes`; empty without a commit. The branch is the sender's text. */
export const commitText = ({ commit_sha, commit_branch, commit_dirty }: Commit): string =>
  [commit_sha?.slice(0, 7), commit_branch, commit_sha && commit_dirty ? 'with uncommitted changes' : undefined].filter(Boolean).join(', ');
