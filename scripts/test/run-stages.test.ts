import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NONE } from './counts.ts';
import { nodeTests } from './node-tests.ts';
import { runStages } from './run-stages.ts';
import type { Stage } from './stage.ts';

const MAX_MS = 60_000;

/** A folder for test files and reports. No context of the surrounding test runner reaches the files. */
function workshop(t: TestContext) {
  const reports = mkdtempSync(join(tmpdir(), 'paddock-stages-'));
  t.after(() => rmSync(reports, { recursive: true, force: true }));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const file = (name: string, text: string) => {
    const path = join(reports, `${name}.test.mjs`);
    writeFileSync(path, `import { describe, test } from 'node:test'; import fs from 'node:fs';\n${text}`);
    return path;
  };
  return { reports, file, options: { reports, env, slots: 2, signal: AbortSignal.timeout(MAX_MS) } };
}

/** Keeps the output of a test that runs stages out of the test's own output. */
function silence(t: TestContext): () => string {
  const log = t.mock.method(console, 'log', () => undefined);
  return () => log.mock.calls.map(({ arguments: [text] }) => String(text)).join('\n');
}

test('counts of files and stages beside each other add up, and a planted failing file is counted and named', async (t) => {
  const { file, options } = workshop(t);
  const output = silence(t);
  const passes = file('passes', `test('one', () => {}); test('two', () => {}); test('later', { skip: true }, () => {});`);
  const fails = file(
    'fails',
    `describe('a group', () => { test('holds', () => {}); test('breaks', () => { throw new Error('because of this'); }); });`,
  );
  const checks: Stage = { name: 'Check', run: async () => ({ ...NONE, passed: 9 }) };
  const broken: Stage = { name: 'Broken', run: () => Promise.reject(new Error('no such browser')) };
  t.mock.method(console, 'error', () => undefined);
  const [first, second, node] = await runStages([checks, broken, nodeTests([passes, fails], { durations: {} })], options);
  assert.equal(first?.counts.passed, 9);
  assert.deepEqual(second?.counts, { ...NONE, failed: 1, failures: ['Broken could not run: Error: no such browser'] });
  const { counts, time } = node!;
  assert.partialDeepStrictEqual(counts, { passed: 3, failed: 1, skipped: 1 });
  assert.equal(counts.failures.length, 1, 'the group fails with its test and is not named by itself');
  assert.match(counts.failures[0] ?? '', /^breaks \(.*fails\.test\.mjs:2\), after 0 s\nError: because of this/);
  assert.deepEqual(counts.files.map((one) => one.file).sort(), [fails, passes]);
  assert.ok(counts.files.every(({ seconds }) => seconds > 0));
  const spent = counts.files.reduce((sum, { cpu_seconds = 0 }) => sum + cpu_seconds, 0);
  if (process.platform === 'linux') assert.ok(spent > 0 && Math.abs(spent - (time.cpu_seconds ?? 0)) < 0.001, `${spent} s of CPU`);
  assert.match(output(), /✖ .*fails\.test\.mjs \(.* s\): 1 of 2 passed[^]*✖ breaks[^]*because of this/);
  assert.doesNotMatch(output(), /ℹ tests/, 'totals of a single file are left out');
});

test('a file runs in its long size where that is asked for, and in its short one beside it', async (t) => {
  const { reports, file, options } = workshop(t);
  silence(t);
  const size = join(import.meta.dirname, 'size.ts');
  const writes = (name: string) =>
    file(
      name,
      `import { sized } from ${JSON.stringify(size)};
       test('writes', () => fs.writeFileSync(${JSON.stringify(join(reports, name))}, sized({ short: 'short', long: 'long' })));`,
    );
  const [one, other] = [writes('one'), writes('other')];
  await runStages([nodeTests([one, other], { durations: {}, isLong: (path) => path === other })], options);
  assert.deepEqual(
    ['one', 'other'].map((name) => readFileSync(join(reports, name), 'utf8')),
    ['short', 'long'],
  );
});

test('a file that breaks before its first test, or ends without a word, counts as failed with what it printed', async (t) => {
  const { file, options } = workshop(t);
  silence(t);
  const broken = file('broken', `throw new Error('at its top');`);
  const killed = file(
    'killed',
    `test('breaks first', () => { throw new Error('long before the end'); });
     test('ends', () => new Promise((resolve) => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300)));`,
  );
  const late = file('late', `test('passes', () => {}); process.on('exit', () => { process.exitCode = 3; });`);
  const [result] = await runStages([nodeTests([broken, killed, late], { durations: {} })], options);
  const { counts } = result!;
  assert.partialDeepStrictEqual(counts, { passed: 1, failed: 3 });
  const failures = counts.failures.join('\n');
  assert.match(failures, /broken\.test\.mjs: the node runner left no report\n[^]*at its top/);
  assert.match(failures, /killed\.test\.mjs: the node runner left no report\n[^]*long before the end/);
  assert.match(failures, /late\.test\.mjs: the node runner ended with 3 although its tests passed/);
});

test('stages share one bound: never do more files run than there are slots, and they start longest first', async (t) => {
  const { reports, file, options } = workshop(t);
  silence(t);
  const notes = join(reports, 'notes');
  const noting = (name: string) =>
    file(
      name,
      `const note = (what) => fs.appendFileSync(${JSON.stringify(notes)}, what + ' ${name}\\n');
       note('begins'); test('waits', async () => { await new Promise((r) => setTimeout(r, 300)); }); process.on('exit', () => note('ends'));`,
    );
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map(noting) as [string, string, string, string, string];
  // A single slot makes the order visible.
  await runStages([nodeTests([a, b, c], { durations: { [c]: 30, [b]: 9 } })], { ...options, slots: 1 });
  assert.deepEqual(readFileSync(notes, 'utf8').match(/(?<=begins )./g), ['c', 'b', 'a']);
  rmSync(notes);
  await runStages([nodeTests([a, b, c], { durations: {} }), nodeTests([d, e], { durations: {} })], options);
  let running = 0;
  let max = 0;
  for (const line of readFileSync(notes, 'utf8').trim().split('\n')) {
    running += line.startsWith('begins') ? 1 : -1;
    max = Math.max(max, running);
  }
  assert.equal(max, 2);
});

test('an abort ends the files that run, starts no other, and what did not run counts as failed', async (t) => {
  const { reports, file, options } = workshop(t);
  silence(t);
  const endless = (name: string) =>
    file(
      name,
      `fs.writeFileSync(${JSON.stringify(reports)} + '/pid-${name}', String(process.pid)); test('waits', () => new Promise(() => setInterval(() => {}, 1000)));`,
    );
  const interrupted = new AbortController();
  const signal = AbortSignal.any([interrupted.signal, options.signal]);
  const running = runStages(
    [nodeTests(['a', 'b', 'c', 'd'].map(endless), { durations: {} }), nodeTests([endless('e')], { durations: {} })],
    {
      ...options,
      signal,
    },
  );
  const pids = () => readdirSync(reports).filter((name) => name.startsWith('pid-'));
  while (pids().length < 2 && !options.signal.aborted) await sleep(20);
  interrupted.abort();
  const results = await running;
  const failed = results.map(({ counts }) => counts.failed);
  assert.deepEqual(failed, [3, 1], 'two that were ended, and one line for those that did not run, in each stage');
  assert.equal(pids().length, 2, 'no other one started');
  // A killed process is in the list until the kernel has ended it, which takes its time on a busy machine.
  const isThere = (name: string) => existsSync(`/proc/${readFileSync(join(reports, name), 'utf8')}`);
  while (pids().some(isThere) && !options.signal.aborted) await sleep(20);
  assert.deepEqual(pids().filter(isThere), []);
});

test('a process that a file leaves behind does not hold up the run, even if it keeps the output open', async (t) => {
  const { reports, file, options } = workshop(t);
  silence(t);
  const [pidFile, ended] = [join(reports, 'pid'), join(reports, 'ended')];
  const leaves = file(
    'leaves',
    `import { spawn } from 'node:child_process';
     const left = 'setTimeout(() => fs.writeFileSync(process.argv[1], ""), ${MAX_MS / 2})';
     test('leaves one', () => {
       const child = spawn(process.execPath, ['-e', left, ${JSON.stringify(ended)}], { stdio: 'inherit', detached: true });
       fs.writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
       child.unref();
     });`,
  );
  const [result] = await runStages([nodeTests([leaves], { durations: {} })], options);
  const hasWaited = existsSync(ended);
  process.kill(Number(readFileSync(pidFile, 'utf8')));
  assert.equal(hasWaited, false);
  assert.partialDeepStrictEqual(result?.counts, { passed: 1, failed: 0 });
});
