import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, scriptedApi } from '../databases/scripted-api.ts';

const id = `dep_${'1'.repeat(16)}`;
const row = (more: object = {}) => ({
  id,
  project_id: 'prj_desk',
  project_name: 'desk',
  environment: 'production',
  is_current: true,
  status: 'active',
  restarts: 0,
  restart_at: null,
  ...more,
});
const due = { restart_at: '2026-01-31T12:00:00.000Z' };

async function serve(t: Parameters<typeof scriptedApi>[0], after: object[]) {
  const states = [row(), ...after];
  return scriptedApi(t, {
    [`GET /deployments/${id}`]: () => (states.length > 1 ? states.shift() : states[0]),
    [`POST /deployments/${id}/restart`]: () => row(due),
  });
}

test('restart waits until the new process serves', async (t) => {
  const { url, asked } = await serve(t, [row(due), row()]);
  const { code, out, notes } = await run(url, ['restart', id]);
  assert.equal(code, 0, notes);
  assert.equal(out, `Restarted ${id} (desk, production).\n`);
  assert.equal(asked.filter((call) => call === `GET /deployments/${id}`).length, 3);
});

test('a restart after which the agent crashes, or has ended, is a failure that names the log', async (t) => {
  for (const [after, what] of [
    [row({ ...due, restarts: 1 }), /crashed after the restart/],
    [row({ status: 'failed' }), /is failed/],
  ] as const) {
    const { url } = await serve(t, [row(due), after]);
    const { code, notes } = await run(url, ['restart', id]);
    assert.equal(code, 1);
    assert.match(notes, what);
    assert.match(notes, new RegExp(`paddock logs ${id}`));
  }
});

test('without waiting it only tells that the restart has begun', async (t) => {
  const { url } = await serve(t, []);
  const { code, out } = await run(url, ['restart', id, '--no-wait']);
  assert.deepEqual([code, out], [0, `${id} (desk, production) is being restarted.\n`]);
});
