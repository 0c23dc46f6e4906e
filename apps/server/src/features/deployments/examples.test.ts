import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { protocolText } from '@paddock/contract';
import { type Platform, reaches, startPlatform, until } from '../../../test/platform.ts';

/** These are deployed by the tests of traces: their dependencies take long to install. */
const elsewhere = ['traced-node', 'traced-python'];

/** Expected status and type of each example, and the response at its address. */
const expected: Record<
  string,
  { status: 'active' | 'completed'; type: 'web' | 'worker' | 'job'; path?: string; answers?: RegExp; logs?: RegExp; speaks?: RegExp }
> = {
  chat: { status: 'active', type: 'web', path: '/', answers: /<html|<!doctype html/i, speaks: /^OpenAI: 1 model$/ },
  fastapi: { status: 'active', type: 'web', path: '/ping', answers: /Healthy/i, speaks: /^AgentCore, OpenAPI: 2 routes$/ },
  tools: { status: 'active', type: 'web', path: '/', answers: /./, speaks: /^AgentCore$/ },
  agentcore: { status: 'active', type: 'web', path: '/ping', answers: /Healthy/, speaks: /^AgentCore$/ },
  a2a: { status: 'active', type: 'web', path: '/.well-known/agent-card.json', answers: /Word counter/, speaks: /^A2A: 1 skill$/ },
  mcp: { status: 'active', type: 'web', speaks: /^MCP: 2 tools$/ },
  stream: { status: 'active', type: 'web', path: '/', answers: /./ },
  // Deployed without databases, these report null for both.
  'counter-node': { status: 'active', type: 'web', path: '/', answers: /^\{"postgresql":null,"redis":null\}$/m },
  'counter-python': { status: 'active', type: 'web', path: '/', answers: /^\{"postgresql": null, "redis": null\}$/m },
  static: { status: 'active', type: 'web', path: '/', answers: /<html|<!doctype html/i },
  worker: { status: 'active', type: 'worker', logs: /./ },
  job: { status: 'completed', type: 'job', logs: /./ },
};

test('every example has its expectation here', () => {
  const folders = readdirSync(join(import.meta.dirname, '../../../../../examples'), { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  );
  assert.deepEqual(folders.map((one) => one.name).sort(), [...Object.keys(expected), ...elsewhere].sort());
});

test('every example, deployed as it is, reaches its state and answers; deployed again with unchanged dependencies nothing is installed', async (t) => {
  const paddock: Platform = await startPlatform(t);
  const { api } = await paddock.person();
  const made = new Map<string, string>();
  for (const sample of Object.keys(expected)) {
    const { id } = await api.projects.create({ name: `ex-${sample}` });
    made.set(sample, (await api.deployments.sample({ project_id: id, sample })).id);
  }
  for (const [sample, { status, type, path, answers, logs, speaks }] of Object.entries(expected)) {
    const id = made.get(sample)!;
    const seen = await reaches(api, id, [status]);
    assert.equal(seen.agent_type, type, sample);
    if (path && answers) assert.match((await paddock.visit(`ex-${sample}.localhost`, path)).body, answers, sample);
    if (speaks)
      await until(`${sample} is recognised`, async () => {
        const { protocols } = await api.deployments.get({ id });
        return protocols !== null && speaks.test(protocols.map(protocolText).join(', '));
      });
    if (logs)
      await until(`${sample} logs`, async () =>
        (await api.logs.list({ id })).logs.some((line) => line.source === 'agent' && logs.test(line.message)),
      );
  }

  // Another source with the same requirements: its build reuses the dependency layer.
  const source = { 'requirements.txt': '', 'main.py': '' };
  const { readFileSync } = await import('node:fs');
  const folder = join(import.meta.dirname, '../../../../../examples/fastapi');
  for (const name of Object.keys(source) as (keyof typeof source)[]) source[name] = readFileSync(join(folder, name), 'utf8');
  source['main.py'] += '\n# changed\n';
  const { deploy } = await import('../../../test/platform.ts');
  const { project_id } = await api.deployments.get({ id: made.get('fastapi')! });
  const again = await deploy(api, project_id, source);
  await reaches(api, again.id, ['active']);
  const lines = (await api.logs.list({ id: again.id })).logs.filter((line) => line.source === 'build').map((line) => line.message);
  assert.ok(
    lines.some((line) => /unchanged|reused/i.test(line)),
    lines.join('\n'),
  );
  assert.ok(!lines.some((line) => /^Installing|Downloading/i.test(line)), lines.join('\n'));
});
