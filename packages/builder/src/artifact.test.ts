import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { digestCode } from './artifact.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-rules-'));
after(() => rmSync(home, { recursive: true, force: true }));

test('an update of the builder’s code invalidates earlier artifacts, an update of its tests does not', async () => {
  cpSync(new URL('./detect/', import.meta.url), join(home, 'detect'), { recursive: true });
  const before = await digestCode(home);
  writeFileSync(join(home, 'detect/new.test.ts'), '1');
  assert.equal(await digestCode(home), before);
  writeFileSync(join(home, 'detect/procfile.ts'), '// other');
  assert.notEqual(await digestCode(home), before);
});
