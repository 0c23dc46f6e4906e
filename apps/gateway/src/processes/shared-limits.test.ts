import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Limits, limits } from '../limits.ts';
import { sharedLimits } from './shared-limits.ts';

/** Names of caps per visitor, per agent, or in total. */
const counted = /^connections$|Per(Address|Visitor|Deployment|Target)$/;
const names = Object.keys(limits) as (keyof Limits)[];

test('together, processes allow no less than one process, and at most a rounding more', () => {
  for (const processes of [1, 2, 3, 7, 64]) {
    const share = sharedLimits(limits, processes);
    for (const name of names.filter((name) => counted.test(name))) {
      const together = share[name] * processes;
      assert.ok(together >= limits[name] && together < limits[name] + processes, `${name}: ${share[name]} for each of ${processes}`);
    }
  }
});

test('what holds for one request or one connection is not shared out', () => {
  const share = sharedLimits(limits, 4);
  for (const name of names.filter((name) => !counted.test(name))) assert.equal(share[name], limits[name], name);
});

test('nobody is left without any', () => {
  const share = sharedLimits({ ...limits, socketsPerVisitor: 1 }, 64);
  assert.equal(share.socketsPerVisitor, 1);
});
