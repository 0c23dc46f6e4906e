import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Origin } from '@paddock/contract';
import { zip } from '../../../test/archives.ts';
import { atEnd } from '../../../test/postgres.ts';
import { startApi } from '../../../test/server.ts';
import { commitInComment } from './archive-commit.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

const file = { file: zip({ 'server.js': '1' }), file_name: 'agent.zip' };
const sha = '9f3c1e7ab2d84460c1f7e0a95b6d2c8841e7f3a2';
const origin = { message: 'Route refunds', commit_sha: sha, commit_branch: 'main', commit_dirty: true };
const none = { message: null, commit_sha: null, commit_branch: null, commit_dirty: null };
const pick = ({ message, commit_sha, commit_branch, commit_dirty }: Origin) => ({
  message,
  commit_sha,
  commit_branch,
  commit_dirty,
});

/** An archive as `git archive` writes it: with a comment at its end. */
async function withComment(comment: string): Promise<Blob> {
  const bytes = Buffer.from(await file.file.arrayBuffer());
  bytes.writeUInt16LE(comment.length, bytes.length - 2);
  return new Blob([bytes, comment]);
}

test('a deployment has the message and commit that its sender named, in lists, by itself, in its provenance and in the audit trail', async () => {
  const { api } = await world.person();
  const made = await api.deployments.create({
    project_name: 'desk',
    ...file,
    ...origin,
    message: '  Route refunds ',
    commit_dirty: 'true',
  });
  assert.deepEqual(pick(made), origin);
  const { deployments } = await api.deployments.list({});
  assert.deepEqual(deployments.map(pick), [origin]);
  assert.deepEqual(pick(await api.deployments.get({ id: made.id })), origin);
  assert.deepEqual(pick(await api.deployments.provenance({ id: made.id })), origin);
  const [record] = await world.sql`select event from audit_intake where event::text like ${`%${made.id}%`}`;
  assert.equal(JSON.stringify(record).includes(sha), true);
  assert.equal(JSON.stringify(record).includes('Route refunds'), false);
});

test('a redeploy and a rollback have the commit of the code that they run', async () => {
  const { api } = await world.person();
  const { id } = await api.deployments.create({ project_name: 'desk', ...file, ...origin, commit_dirty: 'true' });
  await world.sql`update deployments set status = 'stopped' where id = ${id}`;
  assert.deepEqual(pick(await api.deployments.redeploy({ id })), origin);
  assert.deepEqual(pick(await api.deployments.rollback({ id })), origin);
});

test('an archive that git made names its commit itself; a commit that the sender names wins', async () => {
  const { api } = await world.person();
  const archive = { file: await withComment(sha), file_name: 'repository.zip' };
  assert.deepEqual(pick(await api.deployments.create({ project_name: 'desk', ...archive })), { ...none, commit_sha: sha });
  assert.equal((await api.deployments.create({ project_name: 'desk', ...archive, commit_sha: 'abc1234' })).commit_sha, 'abc1234');
  const other = { file: await withComment('made by hand'), file_name: 'other.zip' };
  assert.deepEqual(pick(await api.deployments.create({ project_name: 'desk', ...other })), none);
});

test('a commit that is none, and a message that is too long, are refused at their field, and nothing is deployed', async () => {
  const { api } = await world.person();
  for (const [path, value] of [
    ['commit_sha', 'HEAD'],
    ['commit_sha', 'ABCDEF1'],
    ['commit_dirty', 'maybe'],
    ['message', 'x'.repeat(501)],
    ['commit_branch', 'x'.repeat(256)],
  ] as const)
    await assert.rejects(
      api.deployments.create({ project_name: 'desk', ...file, [path]: value }),
      (error: { errors?: { path: string }[] }) => {
        assert.deepEqual(
          error.errors?.map((each) => each.path),
          [path],
        );
        return true;
      },
    );
  assert.equal((await api.deployments.list({})).total, 0);
});

test('only a comment of 40 or 64 hexadecimal digits at the very end of a ZIP is a commit', () => {
  const end = (comment: string, length = comment.length) => {
    const bytes = Buffer.alloc(22);
    bytes.writeUInt32LE(0x06054b50, 0);
    bytes.writeUInt16LE(length, 20);
    return Buffer.concat([Buffer.alloc(30), bytes, Buffer.from(comment)]);
  };
  assert.equal(commitInComment(end(sha)), sha);
  assert.equal(commitInComment(end('a'.repeat(64))), 'a'.repeat(64));
  for (const wrong of [end(''), end('a'.repeat(39)), end('g'.repeat(40)), end(sha, 39), Buffer.from(sha), Buffer.alloc(0)])
    assert.equal(commitInComment(wrong), undefined);
});
