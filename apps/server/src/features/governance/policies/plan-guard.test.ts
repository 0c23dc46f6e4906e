import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy, reaches, startPlatform } from '../../../../test/platform.ts';

const server = `require('http').createServer((_, res) => res.end('ok')).listen(process.env.PORT)`;

test('a deployment without a health path fails before its agent is started while a policy wants one, and says which', async (t) => {
  const platform = await startPlatform(t);
  const { api } = await platform.person();
  const { id: project_id } = await api.projects.create({ name: 'healthy' });
  const rule = 'Require health path';
  const policy = await api.policies.create({ name: 'Strict', status: 'active', rules: [rule] });
  const without = await deploy(api, project_id, { 'server.js': server });
  const failed = await reaches(api, without.id, ['failed']);
  assert.equal(
    failed.error_message,
    `The policy "Strict" does not allow this: Require health path. Name the path in paddock.yaml, as in 'health: /healthz', and deploy again.`,
  );
  const withPath = await deploy(api, project_id, { 'server.js': server, 'paddock.yaml': 'health: /' });
  await reaches(api, withPath.id, ['active']);
  const { logs } = await api.governance.auditLogs({ limit: 100 });
  const enforced = logs.filter(({ action }) => action === 'policy.enforce').map(({ output_data }) => output_data);
  assert.deepEqual(enforced, [{ policy: 'Strict', rule, deployment_id: without.id }]);
  assert.deepEqual((await api.policies.dryRun({ rules: [rule] })).refused, 1);
  await api.policies.update({ id: policy.id, name: 'Strict', status: 'archived', rules: [rule] });
  const after = await deploy(api, project_id, { 'server.js': server });
  await reaches(api, after.id, ['active']);
});
