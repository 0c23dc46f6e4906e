import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlatform } from '../apps/server/test/platform.ts';
import { siege } from './http/siege.ts';
import { notHeld, tableText } from './http/table.ts';

test('while one address is slow in every way it can be, others are answered by the gateway and by the API', {
  timeout: 600_000,
}, async (t) => {
  const rows = await siege(await startPlatform(t), {
    one: 400,
    idle: 1_000,
    visits: 5,
    only: ['slow body', 'requests sent ahead, answers unread', 'idle connections'],
  });
  console.log(tableText('Slow clients of the gateway (E 69, R44)', rows.gateway));
  console.log(tableText('Slow clients of the API (E 69, R44)', rows.api));
  assert.deepEqual(notHeld([...rows.gateway, ...rows.api]), []);
});
