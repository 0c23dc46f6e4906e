import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './cases/databases.ts';
import { perform } from './perform.ts';

// The promises about databases, with a whole platform, real servers and agents. A file of its own, since these faults share a world.
for (const fault of faults)
  test(`${fault.fault}: ${fault.expected}`, { skip: process.getuid?.() !== 0 && 'needs a file system that can be filled' }, async (t) => {
    const { passed, seen, ms } = await perform(fault, 1);
    t.diagnostic(`${ms} ms: ${seen}`);
    assert.ok(passed, seen);
  });
