import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Probe } from '@paddock/runtime';
import { until } from '../../test/platform.ts';
import type { Log } from '../log.ts';
import { watchRuntime } from './runtime-probe.ts';

const noRoute: Probe = { ok: false, reason: 'No route.', remedy: 'Connect it.' };
const good: Probe = { ok: true, isolated: true, details: {}, warnings: [] };

function logOf(lines: string[]): Log {
  const note = (fields: { reason?: string }, text: string) => void lines.push(`${text}: ${fields.reason ?? ''}`);
  return { error: note, warn: note } as unknown as Log;
}

test('a machine on which agents cannot run yet is looked at again until they can, and each cause is told once', async () => {
  const answers: Probe[] = [noRoute, noRoute, { ...noRoute, reason: 'No tool.' }, good];
  const lines: string[] = [];
  let looks = 0;
  const watch = await watchRuntime(() => Promise.resolve(answers[Math.min(looks++, 3)]!), { log: logOf(lines), pauseMs: 5 });
  assert.equal(watch.now().ok, false);
  await until('agents can run', async () => watch.now().ok);
  await watch.close();
  assert.equal(looks, 4, 'and not looked at any more');
  assert.deepEqual(lines, ['agents cannot run on this machine: No route.', 'agents cannot run on this machine: No tool.']);
});

test('a server that ends stops looking', async () => {
  let looks = 0;
  const watch = await watchRuntime(() => Promise.resolve(looks++ === 0 ? noRoute : good), { log: logOf([]), pauseMs: 60_000 });
  await watch.close();
  assert.equal(looks, 1);
});
