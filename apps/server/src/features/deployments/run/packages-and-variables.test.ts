import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AskedVariable, BuildError } from '@paddock/builder';
import { buildFailure, startFailure } from './failure-messages.ts';

const exit = { code: 1, signal: null, oom: false, disk_full: false, at: '2026-01-01T00:00:00Z' };
const says = (tail: string[], more: { set: string[]; asked: AskedVariable[] }) =>
  startFailure({ kind: 'exited', exit }, { limits: { memory_mb: 512, disk_mb: 1024 }, budgetSeconds: 120, tail, ...more });
const reads = (...names: string[]): AskedVariable[] =>
  names.map((name, at) => ({ name, required: true, secret: true, at: `main.py:${at + 1}` }));

test('who adds a missing package is told in the same message which variables the files ask for', () => {
  const asked = [...reads('DESK_KEY', 'DESK_SET'), { name: 'DESK_MODEL', required: false, secret: false, at: 'main.py:9' }];
  const also = /Its files also ask for DESK_KEY \(main\.py:1\), which is not set\./;
  const tail = ["ModuleNotFoundError: No module named 'ddgs'"];
  assert.match(says(tail, { asked, set: ['DESK_SET'] }), also);
  assert.doesNotMatch(says(tail, { asked, set: ['DESK_SET', 'DESK_KEY'] }), /also ask/);
  const lacking = {
    message: 'The source imports ddgs, which no dependency is.',
    hint: 'Add it.',
    choices: [{ packages: 'ddgs', because: 'what failed imports it' }],
  };
  const build = (failure: typeof lacking) => buildFailure(new BuildError('build', 'build_failed', failure), { set: ['DESK_SET'], asked });
  assert.match(build(lacking), also);
  assert.doesNotMatch(build({ ...lacking, choices: [] }), /also ask/);
});
