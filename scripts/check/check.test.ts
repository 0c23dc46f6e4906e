import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runChecks } from '../check.ts';
import { inputsOf } from './inputs.ts';

/** A clone with one check, which records each of its runs and fails when a file says so. */
function smallClone(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-check-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const root = join(folder, 'clone');
  for (const name of ['src', 'node_modules']) mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, 'src/a.ts'), 'passes');
  const runs = join(folder, 'runs');
  const script = `const fs = require('fs'); fs.appendFileSync(${JSON.stringify(runs)}, 'x');
    const file = ${JSON.stringify(join(root, 'src/a.ts'))}; const text = fs.readFileSync(file, 'utf8');
    if (text === 'changes itself') fs.writeFileSync(file, 'passes by now');
    process.exit(text === 'fails' ? 1 : 0);`;
  const check = async (...more: string[]) => {
    const before = count(runs);
    const checks = [{ name: 'small', program: process.execPath, args: ['-e', script, ...more] }];
    const options = { checks, inputs: () => inputsOf(root), file: join(folder, 'checks.json'), signal: AbortSignal.timeout(60_000) };
    const [result] = await runChecks(options);
    return { passed: result?.passed, ran: count(runs) > before };
  };
  return { root, file: join(root, 'src/a.ts'), check };
}

const count = (runs: string) => (existsSync(runs) ? readFileSync(runs, 'utf8').length : 0);

const RAN = { passed: true, ran: true };
const KNOWN = { passed: true, ran: false };

test('a check that passed runs again only when a file, its arguments or the installed packages have changed', async (t) => {
  const { root, file, check } = smallClone(t);
  assert.deepEqual(await check(), RAN);
  assert.deepEqual(await check(), KNOWN);
  const changes: [string, () => void][] = [
    ['a change', () => writeFileSync(file, 'passes, too')],
    ['a new file', () => writeFileSync(join(root, 'src/b'), '')],
    ['another name', () => renameSync(join(root, 'src/b'), join(root, 'src/c'))],
    ['bytes that move from one file to another', () => writeFileSync(file, 'passes, to')],
    ['a link', () => symlinkSync('a.ts', join(root, 'src/link'))],
    ['one file less', () => rmSync(join(root, 'src/c'))],
    ['a package', () => writeFileSync(join(root, 'node_modules/.package-lock.json'), '{}')],
    ['a hidden file', () => writeFileSync(join(root, '.settings'), '{}')],
  ];
  for (const [name, change] of changes) {
    change();
    assert.deepEqual(await check(), RAN, name);
    assert.deepEqual(await check(), KNOWN, name);
  }
  assert.deepEqual(await check('strictly'), RAN);
  writeFileSync(join(root, 'check.log'), 'what a run leaves');
  assert.deepEqual(await check('strictly'), KNOWN);
});

test('a failure is never remembered, and passes once more when what was wrong is undone', async (t) => {
  const { file, check } = smallClone(t);
  assert.deepEqual(await check(), RAN);
  writeFileSync(file, 'fails');
  for (const _ of ['once', 'twice']) assert.deepEqual(await check(), { passed: false, ran: true });
  writeFileSync(file, 'passes');
  assert.deepEqual(await check(), KNOWN, 'the files with which it passed');
});

test('a pass is not remembered when a file changed meanwhile', async (t) => {
  const { file, check } = smallClone(t);
  writeFileSync(file, 'changes itself');
  assert.deepEqual(await check(), RAN);
  writeFileSync(file, 'changes itself');
  assert.deepEqual(await check(), RAN);
});
