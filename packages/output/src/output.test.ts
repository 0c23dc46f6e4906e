import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { outputTo } from './output.ts';
import type { Sink } from './sink.ts';

/** A disk with the given number of free bytes. */
function disk(bytes: number) {
  let written = '';
  const state = { left: bytes, text: () => written };
  const sink: Sink = {
    write(piece) {
      if (state.left === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      const part = piece.subarray(0, state.left);
      state.left -= part.length;
      written += part.toString();
      return part.length;
    },
  };
  return Object.assign(state, { sink });
}

/** A program that writes through the standard output and exits. */
const writing = (body: string) =>
  `import { standardOutput } from ${JSON.stringify(`${import.meta.dirname}/output.ts`)};
const output = standardOutput();
${body}`;
const run = (body: string, stdout: 'pipe' | number) =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', writing(body)], {
    stdio: ['ignore', stdout, 'inherit'],
  });

test('lines that a full disk does not take are counted, and told when it takes lines again', async () => {
  const full = disk(25);
  const output = outputTo(full.sink);
  for (let n = 1; n <= 5; n++) output.write(`line ${n} of ten\n`);
  assert.equal(full.text(), 'line 1 of ten\nline 2 of t');
  full.left = Infinity;
  output.write('line 6 of ten\n');
  const [first, torn, notice, last] = full.text().split('\n');
  assert.deepEqual([first, torn, last], ['line 1 of ten', 'line 2 of t', 'line 6 of ten']);
  const { msg, lines_lost, cause } = JSON.parse(notice ?? '') as Record<string, unknown>;
  assert.deepEqual([msg, lines_lost, cause], ['4 lines were not written', 4, 'ENOSPC']);
});

test('the count is told without waiting for the next line', async () => {
  const full = disk(0);
  const output = outputTo(full.sink);
  output.write('unheard\n');
  const keepAlive = setInterval(() => undefined, 1000);
  full.left = Infinity;
  for (let tries = 0; tries < 200 && full.text() === ''; tries++) await sleep(50);
  clearInterval(keepAlive);
  assert.match(full.text(), /"1 line was not written"/);
});

test('a notice that cannot be written changes no count', () => {
  const full = disk(0);
  const output = outputTo(full.sink);
  output.write('one\ntwo\n');
  full.left = 30;
  output.write('three\n');
  full.left = Infinity;
  output.write('four\n');
  assert.match(full.text(), /"3 lines were not written"\}\nfour\n$/);
});

test('a process with a full disk as its output ends by itself, at once and without an error', async () => {
  const full = openSync('/dev/full', 'w');
  const child = run(`for (let n = 0; n < 1000; n++) output.write('line\\n');`, full);
  closeSync(full);
  const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(60_000) })) as [number];
  assert.equal(code, 0);
});

test('a process whose output nobody reads goes on, keeps some lines, and counts the others', async () => {
  const child = run(
    `for (let n = 0; n < 60_000; n++) output.write('x'.repeat(99) + '\\n');
process.stderr.write('');
await new Promise((done) => setTimeout(done, 1500));
for (let n = 0; n < 100; n++) { output.write('late\\n'); await new Promise((done) => setTimeout(done, 50)); }`,
    'pipe',
  );
  await sleep(1000); // it has written everything by then, and is not asked to exit
  let text = '';
  child.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
  const [code] = (await once(child, 'close', { signal: AbortSignal.timeout(60_000) })) as [number];
  assert.equal(code, 0);
  const notices = [...text.matchAll(/"lines_lost":(\d+)/g)].map((match) => Number(match[1]));
  const kept = text.match(/^x{99}$/gm)?.length ?? 0;
  const lost = notices.reduce((sum, one) => sum + one, 0);
  const late = text.match(/^late$/gm)?.length ?? 0;
  assert.ok(kept > 1000, `${kept} were kept`);
  assert.equal(kept + lost + late, 60_100, 'each line is there or counted');
});

test('a process whose output is closed goes on and ends with its own exit code', async () => {
  const child = run(
    `for (let n = 0; n < 100; n++) { output.write('line\\n'); await new Promise((done) => setTimeout(done, 5)); }
process.exit(7);`,
    'pipe',
  );
  child.stdout?.once('data', () => child.stdout?.destroy());
  const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(60_000) })) as [number];
  assert.equal(code, 7);
});

test('a process that ends waits only for a moment for a reader that does not read', async () => {
  const child = run(`for (let n = 0; n < 5000; n++) output.write('x'.repeat(99) + '\\n'); process.exit(3);`, 'pipe');
  const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(60_000) })) as [number];
  child.stdout?.destroy();
  assert.equal(code, 3);
});
