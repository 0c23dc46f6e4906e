import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zip } from '../../../../test/archives.ts';
import { deploy, reaches, startPlatform, until } from '../../../../test/platform.ts';
import { startApi } from '../../../../test/server.ts';
import { connect } from '../../../db/connect.ts';
import { transitions } from '../transitions.ts';

const echo = { 'server.js': `require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT)` };

test('a deployment during whose build the server died twice fails with what to do, and the one beside it goes on', async (t) => {
  const paddock = await startPlatform(t);
  const { api } = await paddock.person();
  const [hurt, fine] = [await api.projects.create({ name: 'hurt' }), await api.projects.create({ name: 'fine' })];
  // Slow enough to be interrupted during its build.
  const slow = { ...echo, 'package.json': JSON.stringify({ name: 'slow', scripts: { build: 'sleep 600', start: 'node server.js' } }) };
  const made = await deploy(api, hurt.id, slow);
  const sql = connect(paddock.databaseUrl, { max: 1 });
  t.after(() => sql.end());
  for (const tries of [1, 2]) {
    await until(`it is built for the ${tries}. time`, async () => {
      const [row] = await sql<{ cut_short: number; status: string }[]>`select cut_short, status from deployments where id = ${made.id}`;
      return row?.status === 'building' && row.cut_short === tries;
    });
    await paddock.kill();
    await paddock.boot();
  }
  const beside = await deploy(api, fine.id, echo);
  const failed = await reaches(api, made.id, ['failed']);
  assert.match(
    failed.error_message ?? '',
    /^Build failed: the server ended or hung 2 times while it worked on this deployment, .*Redeploy to try once more\./,
  );
  await reaches(api, beside.id, ['active']);
});

test('a try that ends in order does not count as cut short, and one that a dead server left behind does', async (t) => {
  const { sql, person } = await startApi(t);
  const { api } = await person();
  const { id: project_id } = await api.projects.create({ name: 'counted' });
  const { id } = await api.deployments.create({ project_id, file: zip(echo), file_name: 'a.zip' });
  const one = transitions(sql, { owner: 'one', node: 'here' });
  const counted = async () => (await sql<[{ cut_short: number }]>`select cut_short from deployments where id = ${id}`)[0].cut_short;
  for (const end of [one.handBack, one.brokeOff] as const) {
    const mine = (await one.claim('all'))!;
    assert.equal(await counted(), 1, 'before anything is done');
    await end(mine);
    assert.equal(await counted(), 0);
    await one.releaseLeases(['one']);
  }
  await one.claim('all');
  await one.releaseLeases(['one']); // as a new server does for a dead one
  assert.equal((await one.claim('all'))?.cut_short, 2);
});

test('what was cut short before is tried alone among such, while new deployments go on beside it', async (t) => {
  const { sql, person } = await startApi(t);
  const { api } = await person();
  const { id: project_id } = await api.projects.create({ name: 'alone' });
  const queue = async () => (await api.deployments.create({ project_id, file: zip(echo), file_name: 'a.zip' })).id;
  const [poisoned, innocent] = [await queue(), await queue()];
  const one = transitions(sql, { owner: 'one', node: 'here' });
  for (const _ of [poisoned, innocent]) await one.claim('all');
  await one.releaseLeases(['one']);
  assert.equal((await one.claim('all'))?.id, poisoned);
  assert.equal(await one.claim('all', { held: [poisoned], alone: true }), undefined, 'the second waits until the first is over');
  const fresh = await queue();
  assert.equal((await one.claim('all', { held: [poisoned], alone: true }))?.id, fresh);
  assert.equal((await one.claim('all', { held: [poisoned, fresh] }))?.id, innocent);
});
