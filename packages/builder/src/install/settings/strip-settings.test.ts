import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripSettings } from './strip-settings.ts';

test('an archive with many YAML files of settings is refused before they are read', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'paddock-aside-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const add = (name: string) => {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'pnpm-workspace.yaml'), 'scriptShell: x\n');
  };
  for (let n = 0; n < 20; n++) add(`a${n}`);
  const said: string[] = [];
  await stripSettings(root, 'pnpm', (text) => said.push(text));
  assert.equal(said.length, 20);
  add('one-more');
  await assert.rejects(
    stripSettings(root, 'pnpm', (text) => said.push(text)),
    { code: 'too_many_settings', message: /20 YAML files/ },
  );
});
