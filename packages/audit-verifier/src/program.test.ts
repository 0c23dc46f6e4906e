import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportWhole, makeKeys, makeLog } from '../test/make-log.ts';
import { textOf, verifier } from '../test/verify-lines.ts';

const bin = join(import.meta.dirname, '../bin/verify-audit.mjs');
const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8', timeout: 60_000 });
  return { status, stdout, stderr };
};

test('the verifier is a program of its own, whose exit code is 0 for valid, 1 for broken, 2 for unproven and 64 for wrong usage', (t) => {
  const { write, folder } = verifier(t);
  const log = makeLog({ count: 9 });
  const valid = write(textOf(exportWhole(log)));
  const kept = write(textOf(log.checkpoints));
  const told = run(valid, '--key', log.keys.public, '--checkpoints', kept);
  assert.deepEqual(told, {
    status: 0,
    stdout: `Valid: signed checkpoints cover all records.\nRecords   9\nCovered   up to record 9 by signed checkpoints\nKey       ${log.keys.id} (given)\n`,
    stderr: '',
  });
  const changed = write(textOf(exportWhole(log)).replace('Question 5', 'Question \u202e'));
  const broken = run(changed);
  assert.equal(broken.status, 1);
  assert.match(broken.stdout, /^Broken from record 5 \(aud_5, line 7\): The payload does not match/);
  const unproven = run('--json', write(textOf(exportWhole(makeLog({ count: 10 })))));
  const { verdict, covered_to } = JSON.parse(unproven.stdout) as { verdict: string; covered_to: number };
  assert.deepEqual([unproven.status, verdict, covered_to], [2, 'unproven', 9]);
  for (const wrong of [[], [valid, valid], [valid, '--bogus'], [join(folder, 'none')], [valid, '--key', 'x']]) {
    const { status, stdout, stderr } = run(...wrong);
    assert.deepEqual([status, stdout], [64, ''], wrong.join(' '));
    assert.doesNotMatch(stderr, /^ +at /m);
  }
  assert.match(run('--help').stdout, /0 valid, 1 broken, 2 unproven, 64/);
});

test('an export in a format without signatures has no verdict, and the way to one is told', (t) => {
  const { write } = verifier(t);
  for (const [format, text] of [
    ['JSON that an older Paddock or the demo made', '{"logs":[\n{"id":"aud_1","seq":1}\n]}\n'],
    ['CSV', 'timestamp,seq,id,agent_id\n2026-01-01T00:00:00.000Z,1,aud_1,\n'],
    ['OCSF', '{"class_uid":6003,"class_name":"API Activity"}\n'],
  ] as const) {
    const { status, stdout, stderr } = run(write(text));
    assert.deepEqual([status, stdout], [64, ''], format);
    assert.match(stderr, new RegExp(`in ${format}, which has no signatures.* Export it as JSON or JSON Lines`));
  }
});

test('a key that begins with a dash is a key, not an option', (t) => {
  const { write } = verifier(t);
  let keys = makeKeys();
  while (!keys.public.startsWith('-')) keys = makeKeys();
  const file = write(textOf(exportWhole(makeLog({ count: 9, keys }))));
  for (const args of [
    ['--key', keys.public, file],
    [file, `--key=${keys.public}`],
  ]) {
    const { status, stdout, stderr } = run(...args);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, new RegExp(`${keys.id} \\(given\\)`));
  }
});

test('the verifier imports nothing but Node and itself', () => {
  const source = join(import.meta.dirname);
  const files = readdirSync(source).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  assert.ok(files.length > 10);
  for (const name of files)
    for (const [, from = ''] of readFileSync(join(source, name), 'utf8').matchAll(/ from '([^']+)'/g))
      assert.ok(/^\.\/[\w-]+\.ts$/.test(from) || (from.startsWith('node:') && isBuiltin(from)), `${name} imports ${from}`);
});

test('nothing in an export or a name turns, moves or colours what the verifier prints, and JSON holds it as escapes', (t) => {
  const { write } = verifier(t);
  const hostile = '\u202e\u2066\u200f\u061c\u009b31m\u0085';
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  const acting = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
  const file = write(textOf(exportWhole(makeLog({ count: 9 }))).replace('"id":', `"be${hostile}fore":1,"id":`));
  const broken = run(file);
  assert.equal(broken.status, 1);
  assert.match(broken.stdout, /be31mfore/);
  const json = run('--json', file);
  assert.match((JSON.parse(json.stdout) as { first_bad: { reason: string } }).first_bad.reason, new RegExp(`be${hostile}fore`));
  const missing = run(`none-${hostile}\x1b[2J`);
  assert.equal(missing.status, 64);
  assert.match(missing.stderr, /none-/);
  for (const { stdout, stderr } of [broken, json, missing]) assert.doesNotMatch(stdout + stderr, acting);
});
