import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zip } from '../../test/archives.ts';
import { channelWorld } from '../../test/channels.ts';
import { until } from '../../test/platform.ts';
import { receiver } from '../../test/receiver.ts';
import { transitions } from '../features/deployments/transitions.ts';

test('deployments tell that they became active, failed, were stopped, cancelled or ended with their project; restarts and replacements tell nothing', async (t) => {
  const world = await channelWorld(t);
  const { api } = await world.team();
  const { received, url } = await receiver(t);
  await api.channels.create({ name: 'CI', type: 'webhook', url, events: ['deployment.active', 'deployment.failed', 'deployment.stopped'] });
  const { id: project_id } = await api.projects.create({ name: 'moving' });
  const queue = async () => (await api.deployments.create({ project_id, file: zip({ 'server.js': '1' }), file_name: 'a.zip' })).id;
  const worker = transitions(world.sql, { owner: 'one', node: 'here' });
  const plan = { language: 'node', type: 'web', root: '', install: null, build: null, start: ['node'], reasons: [], warnings: [] };
  const target = { host: '127.0.0.1', port: 9, instance_port: 8080 };
  const active = { agent_type: 'web', target, drainSeconds: 30 } as const;
  async function serve() {
    const id = await queue();
    const d = (await worker.claim('all'))!;
    await worker.building(d);
    await worker.deploying(d, { key: 'k', plan, layer_keys: [] } as never);
    await worker.starting(d, { instance_id: `ins-${id}` });
    await worker.active(d, active);
    return id;
  }
  const first = await serve();
  await worker.crashed(first, { instance_id: `ins-${first}`, delaySeconds: 0, how: 'exit code 1' });
  await worker.active((await worker.claim('restarts'))!, active);
  const second = await serve();
  await api.deployments.stop({ id: second });
  const third = await queue();
  await worker.failed((await worker.claim('all'))!, { stage: 'building', message: 'npm ci failed' });
  const fourth = await queue();
  await api.deployments.cancel({ id: fourth });
  const fifth = await serve();
  await api.projects.delete({ id: project_id });
  await worker.endDeleted();
  world.deliver();
  await until('all came', async () => received.length === 7);
  const told = received.map(({ body }) => JSON.parse(body) as { type: string; timestamp: string; data: Record<string, unknown> });
  told.sort((a, b) => a.timestamp.localeCompare(b.timestamp));
  const common = { project_name: 'moving', environment: 'production', url: null, error_message: null };
  const served = { ...common, status: 'active', url: 'http://moving.localhost:4001', reason: 'ready' };
  assert.deepEqual(
    told.map(({ type, data }) => [type, data]),
    [
      ['deployment.active', { ...served, id: first }],
      ['deployment.active', { ...served, id: second }],
      ['deployment.stopped', { ...common, id: second, status: 'stopped', reason: 'stopped' }],
      ['deployment.failed', { ...common, id: third, status: 'failed', reason: 'failed', error_message: 'npm ci failed' }],
      ['deployment.stopped', { ...common, id: fourth, status: 'stopped', reason: 'cancelled' }],
      ['deployment.active', { ...served, id: fifth }],
      ['deployment.stopped', { ...common, id: fifth, status: 'stopped', reason: 'project_deleted' }],
    ],
  );
});
