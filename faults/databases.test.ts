import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './cases/databases.ts';
import { perform } from './perform.ts';

// What is promised of databases, with a whole platform, real servers and agents; in a file of its own, since they share a world.
for (const fault of faults)
  test(`${fault.fault}: ${fault.expected}`, { skip: process.getuid?.() !== 0 && 'needs a file system that can be filled' }, async (t) => {
    const { passed, seen, ms } = await perform(fault, 1);
    t.diagnostic(`${ms} ms: ${seen}`);
    assert.ok(passed, seen);
  });
