import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../test/agents.ts';
import { cgroupEntries, createCgroup, removeCgroup } from './cgroup.ts';
import type { Cgroup } from './cgroup-files.ts';
import { cgroupRoot } from './cgroup-root.ts';
import { createCpuYield } from './cpu-yield.ts';

const root = cgroupRoot(`paddock-weights-${randomUUID().slice(0, 8)}`);
const burnMs = 3000;

test('of one core that all want, the platform gets more than an agent, and an agent more than a build', {
  skip: !root && 'this machine has no control groups to use',
}, async () => {
  assert.ok(root);
  const groups: Cgroup[] = [];
  const burning: ChildProcess[] = [];
  try {
    const [agent, build] = [
      createCgroup(root, 'agent', { limits: LIMITS, kind: 'instance' }),
      createCgroup(root, 'build', { limits: LIMITS, kind: 'build' }),
    ];
    groups.push(agent, build);
    const pids = [undefined, agent, build].map((group) => {
      const child = spawn('taskset', ['-c', '0', process.execPath, '-e', 'for (;;) Math.sqrt(Math.random())']);
      burning.push(child);
      for (const entry of group ? cgroupEntries(group) : []) writeFileSync(entry, String(child.pid));
      return child.pid;
    });
    const before = pids.map(ticks);
    await sleep(burnMs);
    const [platform = 0, ofAgent = 0, ofBuild = 0] = pids.map((pid, index) => ticks(pid) - (before[index] ?? 0));
    assert.ok(platform > ofAgent && ofAgent > ofBuild * 2, `ticks of the platform ${platform}, an agent ${ofAgent}, a build ${ofBuild}`);
  } finally {
    for (const child of burning) child.kill('SIGKILL');
    for (const group of groups) await removeCgroup(group);
  }
});

test('a build that lasts long gets more of a contended core than a short one, and less than an agent', {
  skip: !root && 'this machine has no control groups to use',
}, async () => {
  assert.ok(root);
  const groups = (['instance', 'build', 'build'] as const).map((kind, index) =>
    createCgroup(root, `${kind}-${index}`, { limits: LIMITS, kind }),
  );
  try {
    const [agent, short, long] = groups as [Cgroup, Cgroup, Cgroup];
    for (const group of [short, long]) createCpuYield(group, 'build', { cpus: 1, longBuildMs: group === long ? 0 : 60_000 })();
    assert.ok(weightOf(agent) > weightOf(long), `an agent ${weightOf(agent)}, a long build ${weightOf(long)}`);
    assert.ok(weightOf(long) >= weightOf(short) * 2, `a long build ${weightOf(long)}, a short one ${weightOf(short)}`);
  } finally {
    for (const group of groups) await removeCgroup(group);
  }
});

const weightOf = ({ version, folders }: Cgroup) =>
  Number(readFileSync(join(folders.cpu, version === 1 ? 'cpu.shares' : 'cpu.weight'), 'utf8'));

/** CPU time of a process, in ticks of the kernel. */
function ticks(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
