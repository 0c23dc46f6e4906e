import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, reaches, startPlatform } from '../../../test/platform.ts';
import { findMissingDependency } from './run/diagnose-output.ts';
import { startFailure } from './run/failure-messages.ts';
import { missingVariables } from './run/missing-variables.ts';

const limits = { memory_mb: 256, disk_mb: 256 };

test('archives that hung the server end by themselves, and meanwhile it answers and another deployment goes on', async (t) => {
  const paddock = await startPlatform(t);
  const { api } = await paddock.person();
  const [hostile, honest] = [await api.projects.create({ name: 'hostile' }), await api.projects.create({ name: 'honest' })];
  const blanks = `${' '.repeat(100_000)}\u2028x`;
  const archives: Record<string, string>[] = [
    { 'requirements.txt': `a${' '.repeat(100_000)}x\u2028y`, 'odd.txt': '' },
    { Procfile: `web: sh -c "exit 7"${blanks}`, 'start.sh': '' },
    { 'paddock.yaml': `env:\n${Array.from({ length: 20_000 }, (_, n) => `  A${n}: 1\n`).join('')}`, 'server.js': '' },
    { 'main.py': 'f('.repeat(20_000), Dockerfile: `CMD a${blanks}`, '.env.example': `A_KEY=a${blanks}` },
    {
      'package.json': JSON.stringify({ scripts: { build: 'head -c 64000 /dev/zero | tr "\\0" a; echo; false', start: 'node server.js' } }),
      'server.js': '',
    },
  ];
  let [slowest, watching] = [0, true];
  const watched = (async () => {
    while (watching) {
      const begun = performance.now();
      await fetch(`${paddock.origin}/healthz`, { signal: AbortSignal.timeout(20_000) });
      slowest = Math.max(slowest, performance.now() - begun);
      await sleep(50);
    }
  })();
  const made = [];
  for (const files of archives) made.push(await deploy(api, hostile.id, files));
  const beside = await deploy(api, honest.id, {
    'server.js': `require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT)`,
  });
  await reaches(api, beside.id, ['active']);
  for (const { id } of made) {
    const { error_message } = await reaches(api, id, ['failed']);
    assert.match(error_message ?? '', /^(Build|Start) failed/);
    assert.doesNotMatch(error_message ?? '', /took longer than|server ended|on our side/);
  }
  watching = false;
  await watched;
  assert.ok(slowest < 10_000, `the server took up to ${Math.round(slowest)} ms to answer`);
});

test('what an agent writes last is read in bounded time, however long its lines are, and quoted in bounded length', () => {
  const pieces = [
    'A_',
    'A',
    'lib',
    '.so',
    'liba.so1',
    ' ',
    'exec: ',
    'line 1',
    'must ',
    'error ',
    "KeyError: '",
    'validation error for ',
    'a\n ',
    'No such file or directory: ',
  ];
  for (const piece of [...pieces, 'FileNotFoundError: ', 'Cannot find module ', '\u2028', '_A', 'EOFError: ']) {
    const tail = Array.from({ length: 50 }, () => piece.repeat(16_000 / piece.length));
    const before = process.threadCpuUsage();
    findMissingDependency(tail);
    missingVariables(tail);
    const exit = { code: 1, signal: null, oom: false, disk_full: false, at: '' };
    const message = startFailure({ kind: 'exited', exit }, { limits, budgetSeconds: 1, tail });
    const { user, system } = process.threadCpuUsage(before);
    assert.ok((user + system) / 1000 < 1000, `${JSON.stringify(piece)} took ${(user + system) / 1000} ms`);
    assert.ok(message.length < 60_000, `a message of ${message.length} characters`);
  }
});
