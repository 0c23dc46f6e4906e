import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const SUPERVISE = new URL('./supervise.mjs', import.meta.url).href;
const quick = { restartMs: [50, 100], graceMs: 2_000, atOnceMs: 200, sameSignalMs: 100 };

/** Runs the supervisor with a program given as text; `runs` counts the starts in a file of the test. */
function startSupervised(t: TestContext, program: string, limits: Record<string, unknown> = quick) {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-supervise-'));
  const counter = JSON.stringify(join(folder, 'runs'));
  const counted = `const fs = require('node:fs'); fs.appendFileSync(${counter}, 'x'); const runs = fs.readFileSync(${counter}, 'utf8').length;`;
  const left = JSON.stringify([
    '-e',
    `const fs = require('node:fs'); fs.appendFileSync(${JSON.stringify(join(folder, 'left'))}, 'x'); fs.writeFileSync(${JSON.stringify(join(folder, 'from'))}, process.cwd())`,
  ]);
  const given = JSON.stringify(['-e', `${counted} ${program}`]);
  const code = `import { supervise } from ${JSON.stringify(SUPERVISE)};
    supervise(process.execPath, ${given}, { leftovers: ${left}, limits: ${JSON.stringify(limits)} });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'exit').then(([exit]) => exit as number | null);
  t.after(() => {
    endGroup(child.pid!);
    rmSync(folder, { recursive: true, force: true });
  });
  const lengthOf = (name: string) => {
    try {
      return readFileSync(join(folder, name), 'utf8').length;
    } catch {
      return 0; // not written yet
    }
  };
  const until = async (text: string) => {
    for (let tries = 0; tries < 600 && !said.includes(text); tries++) await sleep(50);
    assert.ok(said.includes(text), said);
  };
  return {
    child,
    ended,
    until,
    said: () => said,
    runs: () => lengthOf('runs'),
    left: () => lengthOf('left'),
    leftFrom: () => readFileSync(join(folder, 'from'), 'utf8'),
  };
}

/** Ends the supervisor and its program. After a failed test, a program that hangs would go on for ever. */
function endGroup(pid: number) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // they have exited
  }
}

const serving = "console.log('ready ' + runs); setInterval(() => undefined, 1000);";

for (const [how, crash] of [
  ['a signal, as the watchdog does', "process.kill(process.pid, 'SIGKILL')"],
  ['an unexpected fault', 'process.exit(70)'],
  ['an abort', 'process.abort()'],
])
  test(`a server that ended by ${how} is started again`, async (t) => {
    const supervised = startSupervised(t, `if (runs < 3) ${crash}; else { ${serving} }`);
    await supervised.until('ready 3');
    assert.match(supervised.said(), /ended unexpectedly \(.*\) and starts again in 0\.05 s[^]*starts again in 0\.1 s/);
    supervised.child.kill('SIGTERM');
    assert.equal(await supervised.ended, 143);
  });

for (const code of [0, 1, 2, 7])
  test(`a server that ended with ${code} is not started again, and the code is passed on`, async (t) => {
    const supervised = startSupervised(t, `process.exit(${code})`);
    assert.equal(await supervised.ended, code);
    assert.equal(supervised.runs(), 1);
  });

test('SIGTERM is passed on once and the orderly end is waited for', async (t) => {
  const supervised = startSupervised(
    t,
    "let heard = 0; process.on('SIGTERM', () => { heard += 1; setTimeout(() => process.exit(10 + heard), 500); }); console.log('ready'); setInterval(() => undefined, 1000);",
  );
  await supervised.until('ready');
  supervised.child.kill('SIGTERM');
  assert.equal(await supervised.ended, 11);
  assert.equal(supervised.left(), 0, 'nothing is left behind by an orderly end');
});

const hung = "process.on('SIGTERM', () => undefined); console.log('ready'); setTimeout(() => { for (;;); }, 200);";

test('SIGTERM ends a server that hears nothing, and what it leaves', async (t) => {
  const supervised = startSupervised(t, hung);
  await supervised.until('ready');
  await sleep(500);
  supervised.child.kill('SIGTERM');
  assert.equal(await supervised.ended, 137);
  assert.match(supervised.said(), /did not end by itself and is ended after its grace/);
  assert.deepEqual([supervised.runs(), supervised.left()], [1, 1]);
});

test('a second SIGTERM ends a server that hears nothing at once', async (t) => {
  const supervised = startSupervised(t, hung, { ...quick, graceMs: 600_000 });
  await supervised.until('ready');
  await sleep(500);
  supervised.child.kill('SIGTERM');
  await sleep(300);
  supervised.child.kill('SIGTERM');
  assert.equal(await supervised.ended, 137);
  assert.match(supervised.said(), /is ended at once, as asked/);
});

test('a server that its watchdog ends after SIGTERM is not started again', async (t) => {
  const supervised = startSupervised(
    t,
    "process.on('SIGTERM', () => process.kill(process.pid, 'SIGKILL')); console.log('ready'); setInterval(() => undefined, 1000);",
  );
  await supervised.until('ready');
  supervised.child.kill('SIGTERM');
  assert.equal(await supervised.ended, 137);
  assert.deepEqual([supervised.runs(), supervised.left()], [1, 1]);
});

test('SIGTERM between two starts ends at once', async (t) => {
  const supervised = startSupervised(t, 'process.exit(70)', { ...quick, restartMs: [600_000] });
  await supervised.until('starts again in 600 s');
  supervised.child.kill('SIGTERM');
  assert.equal(await supervised.ended, 0);
  assert.deepEqual([supervised.runs(), supervised.left()], [1, 1], 'what the crashed one left is ended');
});

test('a start that fails after a crash is tried again, since the disk or the database may come back', async (t) => {
  const supervised = startSupervised(t, `if (runs === 1) process.exit(70); if (runs < 4) process.exit(1); ${serving}`);
  await supervised.until('ready 4');
  assert.match(supervised.said(), /ended unexpectedly \(exit code 70\)[^]*ended unexpectedly \(exit code 1\)/);
});

test('a second crash during an orderly end leaves nothing behind either', async (t) => {
  const supervised = startSupervised(
    t,
    "process.on('SIGTERM', () => process.exit(70)); console.log('ready'); setInterval(() => undefined, 1000);",
  );
  await supervised.until('ready');
  supervised.child.kill('SIGTERM');
  assert.equal(await supervised.ended, 70);
  assert.deepEqual([supervised.runs(), supervised.left()], [1, 1]);
});

test('what is left behind is looked for from the clone, wherever the supervisor was started', async (t) => {
  const supervised = startSupervised(t, 'process.exit(70)', { ...quick, restartMs: [600_000] });
  await supervised.until('starts again in 600 s');
  supervised.child.kill('SIGTERM');
  await supervised.ended;
  assert.equal(supervised.leftFrom(), realpathSync(join(import.meta.dirname, '../..')));
});
