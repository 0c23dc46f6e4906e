import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentEnvironment } from './agent-environment.ts';

const environment = (plan: Record<string, string>, variables: { key: string; value: string }[] = []) =>
  agentEnvironment({
    plan,
    variables,
    databases: {},
    deployment: { id: 'dep_1', project_name: 'p', environment: 'production', url: 'http://p.localhost' },
    memory_mb: 512,
  });

test('Node is told three quarters of the memory limit as its heap, unless archive or project set its options themselves', () => {
  assert.equal(environment({}).env.NODE_OPTIONS, '--max-old-space-size=384');
  assert.equal(environment({ NODE_OPTIONS: '--enable-source-maps' }).env.NODE_OPTIONS, '--enable-source-maps');
  const own = environment({}, [{ key: 'NODE_OPTIONS', value: '' }]);
  assert.deepEqual([own.env.NODE_OPTIONS, own.clashes], ['', []]);
});
