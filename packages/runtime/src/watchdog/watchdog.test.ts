import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStallMeter, type Share } from './stall.ts';

const WATCH = new URL('./watch-loop.ts', import.meta.url).href;
const standstillMs = 2_000;

/** A process with a watched loop that runs `work` after a second. */
function startWatched(t: TestContext, work: string, more: string[] = []) {
  const code = `import { watchLoop } from ${JSON.stringify(WATCH)};
    watchLoop('test', ${standstillMs});
    const beats = setInterval(() => console.log('alive'), 200);
    setTimeout(() => { ${work} }, 1000);`;
  const child = spawn(process.execPath, [...more, '--input-type=module-typescript', '-e', code], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  let heardAt = 0;
  child.stdout.on('data', () => (heardAt = performance.now()));
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([code, signal]) => ({ code: code as number | null, signal: signal as string | null }));
  return { child, ended, said: () => said, heardAt: () => heardAt };
}

const hangs: [string, string][] = [
  ['computes', 'const spinning = () => { for (;;); }; spinning();'],
  ['waits for nothing', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);'],
  ['matches a hostile pattern', "/^(?:a+)+$/.test('a'.repeat(60) + '!');"],
];
for (const [what, work] of hangs)
  test(`a process whose loop ${what} for ever is ended, and says so`, { timeout: 120_000 }, async (t) => {
    const watched = startWatched(t, work);
    assert.deepEqual(await watched.ended, { code: null, signal: 'SIGKILL' });
    assert.match(watched.said(), /^The test \(process \d+\) stands still for \d+ s and is ended/m);
  });

test('where the loop hangs is told', { timeout: 120_000 }, async (t) => {
  const watched = startWatched(t, 'const spinning = () => { for (;;); }; spinning();');
  await watched.ended;
  assert.match(watched.said(), /is ended: spinning \(/);
});

test('a process that was stopped for longer than a standstill goes on', { timeout: 120_000 }, async (t) => {
  const watched = startWatched(t, '');
  while (watched.heardAt() === 0) await sleep(50);
  watched.child.kill('SIGSTOP');
  await sleep(3 * standstillMs);
  watched.child.kill('SIGCONT');
  const continued = performance.now();
  await sleep(2 * standstillMs);
  assert.equal(watched.child.signalCode, null, watched.said());
  assert.ok(watched.heardAt() > continued);
  watched.child.kill('SIGKILL');
  await watched.ended;
});

test('a process ends as if nobody watched it, and one that an inspector may stop is left alone', { timeout: 120_000 }, async (t) => {
  const quick = startWatched(t, 'clearInterval(beats);');
  assert.deepEqual(await quick.ended, { code: 0, signal: null });
  const inspected = startWatched(t, 'const until = Date.now() + 6000; while (Date.now() < until); process.exit(3);', [
    '--inspect=127.0.0.1:0',
  ]);
  assert.deepEqual(await inspected.ended, { code: 3, signal: null });
});

test('work counts by the time that it was given, waiting in full, and being stopped or reading from a disk not at all', () => {
  const stood = (shares: Share[]) => {
    const left = [...shares];
    const add = createStallMeter(() => left.shift());
    add(1, 500);
    return shares.map(() => add(1, 500)).at(-1);
  };
  const cpu = (...all: number[]) => all.map((cpuMs) => ({ state: 'R', cpuMs }));
  assert.equal(stood(cpu(0, 500, 1000, 1500)), 2000);
  assert.equal(Math.round(stood(cpu(0, 10, 20, 30)) ?? 0), 1000, 'a machine with little time for it');
  assert.equal(stood(Array.from({ length: 4 }, () => ({ state: 'S', cpuMs: 7 }))), 2000);
  for (const state of ['T', 't', 'D']) assert.equal(stood(Array.from({ length: 4 }, () => ({ state, cpuMs: 7 }))), 0);
  assert.equal(stood([undefined, undefined]), 1000, 'no Linux');
});

test('a beat begins the count anew', () => {
  const add = createStallMeter(() => ({ state: 'S', cpuMs: 0 }));
  assert.deepEqual(
    [1, 1, 1, 2, 2].map((beat) => add(beat, 500)),
    [0, 500, 1000, 0, 500],
  );
});

test('the server and the gateway are watched', () => {
  for (const app of ['server', 'gateway']) {
    const main = readFileSync(new URL(`../../../../apps/${app}/src/main.ts`, import.meta.url), 'utf8');
    assert.match(main, new RegExp(`watchLoop\\('${app}'\\)`));
  }
});
