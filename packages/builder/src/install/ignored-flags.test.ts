import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dropIgnoredFlags } from './ignored-flags.ts';

test('flags that pip ignores behind a requirement are left out of the list, and nothing else', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-flags-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const kept = ['--pre', 'flask>=3', '# six --pre', 'six==1.17.0 --hash=sha256:ab', '-r more.txt', 'desk --pre \\', 'lamp'];
  writeFileSync(
    join(folder, 'requirements.txt'),
    [...kept, 'agents-search --pre', 'agents --pre --prefer-binary  # newest', ''].join('\n'),
  );
  const dropped = await dropIgnoredFlags(folder, ['requirements.txt', 'absent.txt']);
  assert.deepEqual(dropped, ['agents-search --pre', 'agents --pre --prefer-binary  # newest']);
  assert.deepEqual(readFileSync(join(folder, 'requirements.txt'), 'utf8').split('\n'), [...kept, 'agents-search', 'agents', '']);
});
