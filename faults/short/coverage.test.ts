import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allFaults } from '../all.ts';
import type { Fault } from '../fault.ts';

test('every fault that npm test has to do is in exactly one test file of this folder', async () => {
  const texts = globSync('*.test.ts', { cwd: import.meta.dirname }).map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
  const tested: string[] = [];
  for (const [, name = ''] of texts.flatMap((text) => [...text.matchAll(/from '\.\.\/cases\/([a-z-]+)\.ts'/g)])) {
    const { faults } = (await import(`../cases/${name}.ts`)) as { faults: Fault[] };
    tested.push(...faults.filter(isInTests).map(({ id }) => id));
  }
  const marked = (await allFaults()).filter(isInTests).map(({ id }) => id);
  assert.deepEqual(tested.sort(), marked.sort());
});

const isInTests = ({ short, long }: Fault) => Boolean(short || long);
