import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileCounts, readBudgets, refusedFiles } from '../test/budgets.ts';

test('no test file is added to a stage that is over its budget of processor time', () => {
  assert.deepEqual(refusedFiles(readBudgets(), fileCounts()), []);
});
