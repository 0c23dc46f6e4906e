import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLongSize } from '../../scripts/test/size.ts';
import type { Fault } from '../fault.ts';
import { perform } from '../perform.ts';

/** FAULT_SEED repeats a run. */
const seed = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Makes a test of each `short` fault, and in the long size of each `long` one. `npm run test:faults` performs all of them. */
export function testFaults(faults: readonly Fault[]): void {
  for (const fault of faults.filter(({ short, long }) => short || (long && isLongSize())))
    test(`${fault.fault}: ${fault.expected}`, async (t) => {
      const { passed, seen, ms } = await perform(fault, seed);
      t.diagnostic(`${ms} ms, seed ${seed}: ${seen}`);
      assert.ok(passed, `seed ${seed}: ${seen}`);
    });
}
