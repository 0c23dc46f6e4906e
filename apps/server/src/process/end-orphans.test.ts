import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startPlatform, until } from '../../test/platform.ts';

test('what a killed server leaves is ended: its gateway lets go of its port', async (t) => {
  const paddock = await startPlatform(t);
  const gateway = await paddock.gatewayPid();
  await paddock.kill();
  assert.ok(existsSync(`/proc/${gateway}`), 'the gateway outlives its server');
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'end-orphans.ts')], {
    env: paddock.env(),
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(status, 0, stderr);
  await until('the gateway has ended', async () => !existsSync(`/proc/${gateway}`));
});
