import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../scripts/test/size.ts';
import { faults } from './cases/databases-kept.ts';
import { perform } from './perform.ts';

// An agent's databases survive every kind of stop. The long size adds the examples with their libraries; databases.spec.ts has an example's
// databases in the short size.
for (const fault of sized({ short: faults.slice(0, 1), long: faults }))
  test(`${fault.fault}: ${fault.expected}`, {
    skip: process.getuid?.() !== 0 && 'needs networks of its own, which only root has',
  }, async (t) => {
    const { passed, seen, ms } = await perform(fault, 1);
    t.diagnostic(`${ms} ms: ${seen}`);
    assert.ok(passed, seen);
  });
