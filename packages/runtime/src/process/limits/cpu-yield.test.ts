import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LIMITS, testApp, until } from '../../test/agents.ts';
import { createDriver, log } from '../../test/sandboxed.ts';
import { thisHost } from '../host/host.ts';
import { sandboxFolder } from '../records/records.ts';
import { listCgroups } from './cgroup-root.ts';

const never = new AbortController().signal;
const hasIdle = existsSync('/sys/fs/cgroup/cpu/cpu.idle') || existsSync('/sys/fs/cgroup/cgroup.controllers');

test('an agent that keeps its core busy for seconds yields to all others until it rests; an agent that answers now and then does not', {
  skip: !hasIdle && 'this machine has no control groups that can yield',
}, async () => {
  const root = mkdtempSync(join(tmpdir(), 'paddock-yielding-'));
  const dataDir = join(root, 'data');
  const spec = await testApp(root);
  const driver = createDriver(dataDir);
  try {
    // It keeps the processor busy until it was seen to yield: on a busy machine it gets its core late.
    const burns = `const fs = require('fs');
while (!fs.existsSync('/tmp/rest')) for (let n = 0; n < 1e7; n += 1) Math.sqrt(n);
setInterval(() => 1, 1000);`;
    const [burning, resting] = [
      spec([], { command: ['node', '-e', burns], limits: LIMITS }),
      spec([], { command: ['node', '-e', 'setInterval(() => 1, 100)'], limits: LIMITS }),
    ];
    for (const one of [burning, resting]) await driver.start(one, never);
    const { cgroups } = thisHost({ dataDir, installation: 'test', log });
    assert.ok(cgroups);
    const groups = new Map(listCgroups(cgroups).map(({ name, cgroup }) => [name, cgroup.folders.cpu]));
    // A fair share of a machine with many busy programs would be less than what counts as busy.
    prefer(groups.get(burning.id) ?? '');
    const yields = ({ id }: { id: string }) => readFileSync(join(groups.get(id) ?? '', 'cpu.idle'), 'utf8').trim() === '1';
    await until('it yields', () => yields(burning) || undefined, 120_000);
    assert.equal(yields(resting), false);
    writeFileSync(join(sandboxFolder(join(dataDir, 'instances'), burning.id).tmp, 'rest'), '', { mode: 0o644 });
    await until('it has its turns again', () => !yields(burning) || undefined, 120_000);
    for (const { id } of [burning, resting]) await driver.stop(id, 0);
  } finally {
    for (const { id } of await driver.list()) {
      await driver.stop(id, 0);
      await driver.remove(id);
    }
    await driver.close();
    rmSync(root, { recursive: true, force: true });
  }
});

/** Gives the group nearly all of the processors beside others. */
function prefer(group: string): void {
  for (const [file, most] of [
    ['cpu.weight', '10000'],
    ['cpu.shares', '262144'],
  ] as const)
    if (existsSync(join(group, file))) writeFileSync(join(group, file), most);
}
