import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { branchInCi } from './commit.ts';
import { listFiles } from './list-files.ts';

const who = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};
const git = (folder: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: folder, stdio: 'pipe', encoding: 'utf8', env: { ...process.env, ...who } });
const commit = async (folder: string) => (await listFiles(folder, AbortSignal.timeout(30_000))).commit;

/** A repository with one commit of `message` on the branch `feature/router`. */
function repository(t: TestContext, message = 'Route refunds\n\nThey went to nobody.', format = 'sha1'): { folder: string; sha: string } {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-commit-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  git(folder, 'init', '--quiet', `--object-format=${format}`, '--initial-branch=feature/router');
  mkdirSync(join(folder, 'agent'));
  writeFileSync(join(folder, '.gitignore'), 'notes.txt\n');
  writeFileSync(join(folder, 'agent/main.py'), 'print("hello")\n');
  writeFileSync(join(folder, 'README.md'), 'It routes.\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', message);
  return { folder, sha: git(folder, 'rev-parse', 'HEAD').trim() };
}

test('a deployed folder names its commit, branch and the first line of the message, in a folder below the top too', async (t) => {
  const { folder, sha } = repository(t);
  const expected = { commit_sha: sha, commit_branch: 'feature/router', message: 'Route refunds', commit_dirty: 'false' };
  assert.deepEqual(await commit(folder), expected);
  assert.deepEqual(await commit(join(folder, 'agent')), expected);
});

test('a repository with SHA-256 is read like others', async (t) => {
  const { folder, sha } = repository(t, 'First', 'sha256');
  utimesSync(join(folder, 'README.md'), new Date(), new Date('2025-01-01T00:00:00Z'));
  assert.deepEqual(await commit(folder), { commit_sha: sha, commit_branch: 'feature/router', message: 'First', commit_dirty: 'false' });
});

test('changes since the commit are said: contents, new files, deleted files, staged files; ignored files and new times are none', async (t) => {
  const changes: [string, (folder: string) => void, 'true' | 'false'][] = [
    ['contents', (folder) => appendFileSync(join(folder, 'agent/main.py'), '#\n'), 'true'],
    ['a new file', (folder) => writeFileSync(join(folder, 'agent/tool.py'), ''), 'true'],
    ['a deleted file', (folder) => rmSync(join(folder, 'agent/main.py')), 'true'],
    [
      'a staged file',
      (folder) => {
        writeFileSync(join(folder, 'agent/tool.py'), '');
        git(folder, 'add', '.');
      },
      'true',
    ],
    ['an ignored file', (folder) => writeFileSync(join(folder, 'notes.txt'), ''), 'false'],
    ['a new time', (folder) => utimesSync(join(folder, 'README.md'), new Date(), new Date('2025-01-01T00:00:00Z')), 'false'],
  ];
  for (const [name, change, expected] of changes) {
    const { folder } = repository(t);
    change(folder);
    assert.equal((await commit(folder)).commit_dirty, expected, name);
  }
});

test('a committed link is no change', async (t) => {
  const { folder } = repository(t);
  symlinkSync('README.md', join(folder, 'agent.md'));
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'Link');
  assert.equal((await commit(folder)).commit_dirty, 'false');
});

test('what changed beside the deployed folder does not count', async (t) => {
  const { folder } = repository(t);
  appendFileSync(join(folder, 'README.md'), 'more\n');
  git(folder, 'add', '.');
  assert.equal((await commit(join(folder, 'agent'))).commit_dirty, 'false');
  assert.equal((await commit(folder)).commit_dirty, 'true');
});

test('a detached commit has no branch, a long first line is cut, and a folder without git or without a commit names nothing', async (t) => {
  const { folder, sha } = repository(t, 'x'.repeat(600));
  git(folder, 'checkout', '--quiet', '--detach');
  const { message, ...rest } = await commit(folder);
  assert.deepEqual(rest, { commit_sha: sha, commit_dirty: 'false' });
  assert.equal(message, `${'x'.repeat(499)}…`);
  rmSync(join(folder, '.git'), { recursive: true });
  assert.deepEqual(await commit(folder), {});
  git(folder, 'init', '--quiet');
  assert.deepEqual(await commit(folder), {});
});

test('programs that the settings of a repository name are not run', async (t) => {
  const { folder } = repository(t);
  const mark = join(folder, '.git/was-run');
  const script = join(folder, '.git/program.sh');
  writeFileSync(script, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 });
  writeFileSync(join(folder, '.git/info/attributes'), '* filter=own diff=own\n');
  for (const [key, value] of Object.entries({
    'filter.own.clean': script,
    'filter.own.process': script,
    'diff.own.command': script,
    'diff.own.textconv': script,
    'diff.external': script,
    'core.fsmonitor': script,
    'core.pager': script,
    'gpg.program': script,
    'log.showSignature': 'true',
  }))
    git(folder, 'config', key, value);
  appendFileSync(join(folder, 'agent/main.py'), '#\n');
  utimesSync(join(folder, 'README.md'), new Date(), new Date('2025-01-01T00:00:00Z'));
  assert.equal((await commit(folder)).commit_dirty, 'true');
  assert.equal(existsSync(mark), false);
});

test('the branch of a detached commit is what the CI system names', () => {
  assert.equal(branchInCi({ GITHUB_HEAD_REF: 'fix', GITHUB_REF_NAME: '12/merge' }), 'fix');
  assert.equal(branchInCi({ GITHUB_HEAD_REF: '', GITHUB_REF_NAME: 'main' }), 'main');
  assert.equal(branchInCi({ CI_COMMIT_REF_NAME: 'main' }), 'main');
  assert.equal(branchInCi({}), undefined);
});
