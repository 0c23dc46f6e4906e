import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { listFiles } from './list-files.ts';

const committed = new Date('2024-03-01T12:00:00Z');
const who = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-commit-date-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', args, {
    cwd: folder,
    stdio: 'pipe',
    env: { ...process.env, ...who, GIT_AUTHOR_DATE: committed.toISOString(), GIT_COMMITTER_DATE: committed.toISOString() },
  });

/** A clone of a repository with an agent in a subfolder. */
function clone(t: TestContext): string {
  const [from, to] = [temporary(t), temporary(t)];
  git(from, 'init', '--quiet');
  mkdirSync(join(from, 'agent'));
  for (const name of ['README.md', 'agent/main.py', 'agent/requirements.txt', 'agent/ünï ☃.txt'])
    writeFileSync(join(from, name), `${name}\n`);
  git(from, 'add', '.');
  git(from, 'commit', '--quiet', '--message', 'First');
  git(to, 'clone', '--quiet', from, 'it');
  return join(to, 'it');
}

async function dates(folder: string): Promise<Record<string, boolean>> {
  const { files } = await listFiles(folder, AbortSignal.timeout(30_000));
  return Object.fromEntries(files.map(({ name, mtime }) => [name, mtime.getTime() === committed.getTime()]));
}

test('the files of a clone have the date of its commit, in a folder below its top as well', async (t) => {
  const folder = clone(t);
  assert.deepEqual(await dates(folder), {
    'README.md': true,
    'agent/main.py': true,
    'agent/requirements.txt': true,
    'agent/ünï ☃.txt': true,
  });
  assert.deepEqual(await dates(join(folder, 'agent')), { 'main.py': true, 'requirements.txt': true, 'ünï ☃.txt': true });
});

test('what was changed since, what git does not hold, and a folder without git keep their own dates', async (t) => {
  const folder = clone(t);
  appendFileSync(join(folder, 'agent/main.py'), 'changed\n');
  utimesSync(join(folder, 'README.md'), new Date(), new Date('2025-01-01T00:00:00Z'));
  writeFileSync(join(folder, 'new.py'), '');
  assert.deepEqual(await dates(folder), {
    'README.md': false,
    'agent/main.py': false,
    'agent/requirements.txt': true,
    'agent/ünï ☃.txt': true,
    'new.py': false,
  });
  rmSync(join(folder, '.git'), { recursive: true });
  assert.ok(!Object.values(await dates(folder)).includes(true));
});

test('settings of the folder that name programs run none of them', async (t) => {
  const folder = clone(t);
  const mark = join(folder, '..', 'ran');
  writeFileSync(join(folder, '..', 'program'), `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 });
  const program = join(folder, '..', 'program');
  for (const [name, value] of Object.entries({
    'core.fsmonitor': program,
    'core.pager': program,
    'pager.log': program,
    'filter.planted.clean': program,
    'gpg.program': program,
    'log.showSignature': 'true',
    'diff.external': program,
  }))
    git(folder, 'config', name, value);
  writeFileSync(join(folder, '.git/info/attributes'), '* filter=planted\n');
  rmSync(mark, { force: true });
  assert.equal((await dates(folder))['README.md'], true);
  assert.equal(existsSync(mark), false);
});
