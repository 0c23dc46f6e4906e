import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allFaults } from './all.ts';
import { perform } from './perform.ts';

// The faults that stand for their kind; `npm run test:faults` does all of them. FAULT_SEED repeats a run.
const seed = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 2 ** 31));

for (const fault of (await allFaults()).filter(({ short }) => short))
  test(`${fault.fault}: ${fault.expected}`, async (t) => {
    const { passed, seen } = await perform(fault, seed);
    t.diagnostic(`seed ${seed}: ${seen}`);
    assert.ok(passed, `seed ${seed}: ${seen}`);
  });
