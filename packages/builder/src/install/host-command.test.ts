import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostCommand } from './host-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'paddock-host-command-'));
after(() => rmSync(folder, { recursive: true }));

test('an abort of a command is reported after the command has ended, even if the command ignores signals', async () => {
  const note = join(folder, 'pid');
  const stubborn = `process.on('SIGTERM', () => {}); require('fs').writeFileSync(${JSON.stringify(note)}, String(process.pid)); setInterval(() => 1, 1000)`;
  const abort = new AbortController();
  const running = hostCommand(process.execPath, ['-e', stubborn], { signal: abort.signal });
  while (!existsSync(note) || readFileSync(note, 'utf8') === '') await sleep(10);
  abort.abort(new Error('nobody wants it any more'));
  await assert.rejects(running, /nobody wants it any more/);
  assert.throws(() => process.kill(Number(readFileSync(note, 'utf8')), 0), { code: 'ESRCH' });
});

test('a command that fails says why', async () => {
  const failing = hostCommand(process.execPath, ['-e', 'console.error("Error: no such package"); process.exit(2)'], {
    signal: new AbortController().signal,
  });
  await assert.rejects(failing, /failed: .*no such package/s);
});
