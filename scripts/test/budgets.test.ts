import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Budgets, fileCounts, overBudget, readBudgets, refusedFiles } from './budgets.ts';

const budgets = (measured_s: number): Budgets => ({ 'Node tests': { budget_s: 100, measured_s, files: 10, reason: 'what it took' } });

test('a run tells by how much a stage is over its budget, and its files that cost most', () => {
  const files = [
    { file: 'cheap.test.ts', seconds: 90, cpu_seconds: 1 },
    { file: 'dear.test.ts', seconds: 9, cpu_seconds: 60 },
    { file: 'unknown.test.ts', seconds: 9 },
  ];
  const stage = (cpu_seconds: number) => [{ name: 'Node tests', seconds: 10, cpu_seconds }];
  assert.equal(overBudget(budgets(0), stage(110), files), '');
  const [first, ...rest] = overBudget(budgets(0), stage(111), files).split('\n');
  assert.equal(first, 'Node tests took 111 s of CPU, 11 more than its budget in scripts/test/budget.json.');
  assert.deepEqual(
    rest.map((line) => line.trim()),
    ['60.0 s of CPU  dear.test.ts', '1.0 s of CPU  cheap.test.ts'],
  );
});

test('a stage that is over its budget by more than a tenth takes no further test file', () => {
  assert.deepEqual(refusedFiles(budgets(110), { 'Node tests': 11 }), []);
  assert.deepEqual(refusedFiles(budgets(111), { 'Node tests': 10 }), []);
  assert.match(refusedFiles(budgets(111), { 'Node tests': 11 })[0] ?? '', /^Node tests took 111 s of CPU of 100 and has 1 more files/);
});

test('each stage with test files has a budget', () => {
  assert.deepEqual(Object.keys(readBudgets()).toSorted(), Object.keys(fileCounts()).toSorted());
});
