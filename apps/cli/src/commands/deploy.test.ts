import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { run, scriptedApi } from '../databases/scripted-api.ts';

const id = `dep_${'1'.repeat(16)}`;
const project = { id: `prj_${'1'.repeat(16)}`, name: 'desk', url: 'http://desk.localhost:4001' };
const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

/** A folder of an agent, with a commit of this message unless it is empty. */
function folder(t: TestContext, message: string): string {
  const path = mkdtempSync(join(tmpdir(), 'paddock-deploy-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  writeFileSync(join(path, 'server.js'), 'listen();\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: path, stdio: 'pipe' });
  if (message === '') return path;
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git(...author, 'commit', '--quiet', '--message', message);
  return path;
}

async function deploy(t: TestContext, path: string, ...args: string[]): Promise<Record<string, unknown>> {
  const sent: Record<string, unknown>[] = [];
  const { url } = await scriptedApi(t, {
    'GET /projects': () => ({ projects: [project], next_cursor: null }),
    'POST /deployments': (input) => (sent.push(input), { id, project_name: 'desk' }),
  });
  const { code, notes } = await run(url, ['deploy', path, '--project', 'desk', '--no-wait', ...args]);
  assert.equal(code, 0, notes);
  const [{ message, commit_sha, commit_branch, commit_dirty } = {}] = sent;
  return { message, commit_sha: typeof commit_sha === 'string' ? commit_sha.length : undefined, commit_branch, commit_dirty };
}

test('deploy names the commit of the folder, and --message replaces its first line', async (t) => {
  const path = folder(t, 'Route refunds\n\nThey went to nobody.');
  const expected = { message: 'Route refunds', commit_sha: 40, commit_branch: 'main', commit_dirty: 'false' };
  assert.deepEqual(await deploy(t, path), expected);
  writeFileSync(join(path, 'server.js'), 'listen(80);\n');
  assert.deepEqual(await deploy(t, path, '-m', 'Try port 80'), { ...expected, message: 'Try port 80', commit_dirty: 'true' });
});

test('deploy of a folder without git has the message that is given, and no commit', async (t) => {
  const none = { message: undefined, commit_sha: undefined, commit_branch: undefined, commit_dirty: undefined };
  const path = folder(t, '');
  assert.deepEqual(await deploy(t, path), none);
  assert.deepEqual(await deploy(t, path, '--message', 'By hand'), { ...none, message: 'By hand' });
});
