import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readCounts } from './counts.ts';
import type { FileTime } from './times.ts';

/** Runs files with these texts as one group. */
async function runTogether(t: TestContext, texts: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-group-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const imports = "import { after, before, beforeEach, test } from 'node:test'; import fs from 'node:fs';";
  const note = `const note = (text) => fs.appendFileSync(${JSON.stringify(join(folder, 'notes'))}, text + ' ');`;
  const files = Object.entries(texts).map(([name, text]) => {
    const path = join(folder, `${name}.test.mjs`);
    writeFileSync(path, `${imports} ${note}\n${text}`);
    return path;
  });
  const [report, times] = [join(folder, 'report.json'), join(folder, 'times.json')];
  const reporter = ['--test-reporter', join(import.meta.dirname, 'count-reporter.ts'), '--test-reporter-destination', report];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const output = await new Promise<{ code: number; stderr: string }>((done) => {
    const child = execFile(
      process.execPath,
      [...reporter, join(import.meta.dirname, 'group.ts'), times, ...files],
      { env },
      (_error, _out, stderr) => done({ code: child.exitCode ?? -1, stderr }),
    );
  });
  const notes = join(folder, 'notes');
  return {
    ...output,
    counts: readCounts('node', report, output.code),
    times: existsSync(times) ? (JSON.parse(readFileSync(times, 'utf8')) as FileTime[]) : [],
    notes: existsSync(notes) ? readFileSync(notes, 'utf8').trim().split(' ') : [],
    files,
  };
}

test('files of a group run one after the other, each with its own hooks, and each has its time', async (t) => {
  const hooked = (name: string) => `
    before(async () => { await 1; note('before-${name}'); }); beforeEach(() => note('each-${name}')); after(() => note('after-${name}'));
    test('one', () => note('one-${name}')); test('two', async () => { await new Promise((r) => setTimeout(r, 30)); });`;
  const { code, counts, times, notes, files } = await runTogether(t, { a: hooked('a'), b: hooked('b') });
  assert.equal(code, 0);
  assert.partialDeepStrictEqual(counts, { passed: 4, failed: 0 });
  const ofOne = (name: string) => ['before', 'each', 'one', 'each', 'after'].map((what) => `${what}-${name}`);
  assert.deepEqual(notes, [...ofOne('a'), ...ofOne('b')]);
  assert.deepEqual(
    times.map(({ file }) => file),
    files,
  );
  assert.ok(times.every(({ seconds, cpu_seconds = 0 }) => seconds > 0.03 && cpu_seconds > 0));
});

test('a file has the environment of the run, whatever the files before it did to theirs', async (t) => {
  const changes = "process.env.DESK = 'lamp'; delete process.env.HOME;";
  const { counts, notes } = await runTogether(t, {
    changes: `${changes} test('changes', () => {});`,
    breaks: `${changes} throw new Error('at its top');`,
    reads: "test('reads', () => note([process.env.DESK ?? 'none', process.env.HOME ? 'home' : 'none'].join()));",
  });
  assert.deepEqual(notes, ['none,home']);
  assert.equal(counts.failed, 1);
});

test('a test that fails, and a file that cannot be loaded, take none of the other files with them', async (t) => {
  const { counts, code } = await runTogether(t, {
    fails: `test('breaks', () => { throw new Error('because of this'); });`,
    broken: `throw new Error('at its top');`,
    passes: `test('holds', () => {});`,
  });
  assert.equal(code, 1);
  assert.equal(counts.passed, 1);
  assert.ok(counts.failed > 0);
  assert.match(counts.failures.join('\n'), /breaks \(.*fails\.test\.mjs:2\)[^]*because of this/);
  assert.match(counts.failures.join('\n'), /broken\.test\.mjs[^]*at its top/);
});

test('what is still open when all tests are over is told and ends the group, which then has failed', async (t) => {
  const { counts, stderr } = await runTogether(t, { leaves: `test('holds', () => { setInterval(() => {}, 1000); });` });
  assert.equal(counts.failed, 1);
  assert.match(stderr, /something is still open: .*Timeout/);
});
