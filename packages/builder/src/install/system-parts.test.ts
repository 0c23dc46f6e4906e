import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemSearch } from './system-parts.ts';

const never = new AbortController().signal;

test('a program that the operator installs or removes later is noticed by the next build, and nothing is searched in between', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-programs-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'ffmpeg'), '');
  const find = systemSearch([folder]);
  const first = await find(never);
  assert.deepEqual(first.programs, ['ffmpeg']);
  assert.equal(await find(never), first);
  writeFileSync(join(folder, 'chromium'), '');
  assert.deepEqual((await find(never)).programs, ['chromium', 'ffmpeg']);
  rmSync(join(folder, 'ffmpeg'));
  assert.deepEqual((await find(never)).programs, ['chromium']);
});
