import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBrowser } from './open-browser.ts';

const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';

test('the address goes to the program that opens browsers, as one argument and past any shell', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-open-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, opener), `#!/bin/sh\nprintf '%s|' "$#" "$@" > ${folder}/got.part && mv ${folder}/got.part ${folder}/got\n`, {
    mode: 0o755,
  });
  const address = 'http://localhost:4000/login?cli=true&callback=$(id)';
  assert.equal(await openBrowser(address, { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ':0' }), true);
  let got = '';
  for (let tries = 0; tries < 200 && got === ''; tries++) {
    await sleep(25);
    got = await Promise.resolve()
      .then(() => readFileSync(join(folder, 'got'), 'utf8'))
      .catch(() => '');
  }
  assert.equal(got, `1|${address}|`);
});

test('without a display or without the program nothing is opened, and that is said', async () => {
  if (opener === 'xdg-open') assert.equal(await openBrowser('http://localhost', { PATH: '/usr/bin:/bin' }), false);
  assert.equal(await openBrowser('http://localhost', { PATH: '/nonexistent', DISPLAY: ':0' }), false);
});
