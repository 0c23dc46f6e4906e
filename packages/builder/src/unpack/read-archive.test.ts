import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeZip } from '../../test/write-zip.ts';
import { BuildError } from '../build-error.ts';
import type { Toolchains } from '../detect/toolchains.ts';
import { prepareUnpacking, type ThreadLimits, threadLimits } from './thread.ts';
import { type ReadArchive, readArchive } from './unpack.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-read-'));
after(() => rmSync(home, { recursive: true, force: true }));
const toolchains: Toolchains = {
  python: [{ version: '3.11.2', path: '/usr/bin/python3.11' }],
  pythonMinors: [],
  node: { version: '24.21.0', path: '/usr/bin/node' },
  nodeMajors: [18, 20, 22],
};
let count = 0;

async function read(files: Record<string, string>, limits: Partial<ThreadLimits> = {}) {
  const zipPath = join(home, `${count++}.zip`);
  writeFileSync(zipPath, writeZip(Object.entries(files).map(([name, data]) => ({ name, data }))));
  const destDir = `${zipPath}.out`;
  const signal = AbortSignal.timeout(120_000);
  const result = await readArchive({ zipPath, destDir, settings: {}, toolchains, signal, limits: { ...threadLimits, ...limits } }).catch(
    (error: unknown) => error,
  );
  return { result, left: existsSync(destDir) };
}

async function refused(files: Record<string, string>, limits: Partial<ThreadLimits> = {}): Promise<BuildError> {
  const { result, left } = await read(files, limits);
  assert.ok(result instanceof BuildError, `expected a refusal, got ${result}`);
  assert.equal(left, false, 'nothing of it stays');
  return result;
}

const blanks = ' '.repeat(200);
/** Archives that once hung the server. Each is small enough to be sent by anybody. */
const hostile: Record<string, Record<string, string>> = {
  'requirements.txt with a line of blanks and a U+2028': {
    'requirements.txt': `a ${' '.repeat(100_000)}x\u2028y\n`.repeat(4),
    'main.py': '',
  },
  'Procfile with a line of blanks': { Procfile: `web: a${' '.repeat(200_000)}\u2028`, 'main.py': '' },
  'Dockerfile with a line of blanks': { Dockerfile: `CMD a${' '.repeat(200_000)}\u2028`, 'main.py': '' },
  '.env.example with a line of blanks': { '.env.example': `A_KEY=a${' '.repeat(200_000)}\u2028`, 'main.py': '' },
  'paddock.yaml with 20,000 keys': {
    'paddock.yaml': `env:\n${Array.from({ length: 20_000 }, (_, n) => `  A${n}: 1\n`).join('')}`,
    'main.py': '',
  },
  'pnpm-workspace.yaml with 20,000 keys': {
    'pnpm-workspace.yaml': Array.from({ length: 20_000 }, (_, n) => `a${n}: 1\n`).join(''),
    'package.json': '{"dependencies":{"a":"1"}}',
    'index.js': '',
  },
  'a Python file that opens 20,000 calls': { 'main.py': 'f('.repeat(200_000) },
  'a Python file of one long name': { 'main.py': 'a.'.repeat(400_000) },
  'a Python file with 100,000 imports': { 'odd.py': Array.from({ length: 50_000 }, (_, n) => `import m${n}\n`).join('') },
  'a lock of Poetry that depends on 100,000 others': {
    'poetry.lock': `[[package]]\nname = "a"\nversion = "1"\n[package.dependencies]\n${Array.from({ length: 80_000 }, (_, n) => `d${n}=1\n`).join('')}`,
    'pyproject.toml': '[tool.poetry.dependencies]\na = "1"\n',
    'main.py': '',
  },
  'a requirements file that includes itself a 100,000 times': { 'requirements.txt': '-r requirements.txt\n'.repeat(50_000), 'main.py': '' },
  'a range of versions of 1 MB': { 'package.json': JSON.stringify({ engines: { node: '1 || '.repeat(200_000) } }), 'index.js': '' },
  'a package.json of 400,000 brackets': { 'package.json': '['.repeat(400_000), 'index.js': '' },
  'a paddock.yaml of 30,000 brackets': { 'paddock.yaml': `start: ${'[\n'.repeat(30_000)}`, 'main.py': '' },
};

for (const [what, files] of Object.entries(hostile))
  test(`${what} is read or refused, and whoever waits for it goes on meanwhile`, async () => {
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);
    const begun = performance.now();
    const { result } = await read(files);
    clearInterval(turning);
    // A thread that is ready reads most of them within some milliseconds; these archives once held the server for seconds.
    assert.ok(turns > 3 || performance.now() - begun < 100, `the event loop turned ${turns} times`);
    if (result instanceof Error) {
      assert.ok(result instanceof BuildError, String(result.stack));
      assert.ok(!/timed_out|out_of_memory/.test(result.code), `${result.code}: ${result.message}`);
      assert.ok(result.message.length < 3000 && result.hint.length < 3000);
    }
  });

const slow = {
  ...Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`m${n}.py`, 'x = f(1)\n'.repeat(11_000)])),
  'requirements.txt': blanks,
};

test('reading that takes too long is ended, and the failure names the file and what to do', async () => {
  const error = await refused(slow, { planMs: 30 });
  assert.deepEqual([error.step, error.code], ['detect', 'detect_timed_out']);
  assert.match(
    error.message,
    /^Reading "(m\d+\.py|requirements\.txt)" took longer than 1 s and was ended\.$|^Reading the archive’s files took/,
  );
  assert.match(error.hint, /deploy again/);
});

test('unpacking that takes too long is ended too', async () => {
  const many = Object.fromEntries(Array.from({ length: 8000 }, (_, n) => [`f${n}/a`, 'x']));
  const error = await refused(many, { unpackMs: 30 });
  assert.deepEqual([error.step, error.code], ['unpack', 'unpack_timed_out']);
});

test('reading that takes too much memory is ended, and the process that asked for it lives on', async () => {
  const error = await refused({ 'package.json': `{"a": [${'{},'.repeat(330_000)}{}]}`, 'index.js': '' }, { memoryMb: 15 });
  assert.deepEqual([error.step, error.code], ['detect', 'detect_out_of_memory']);
  assert.match(error.message, /^Reading "package\.json" took more than 15 MB of memory and was ended\.$/);
});

test('after a pause of the whole process an honest archive is not taken for a slow one', async () => {
  const reading = read({ 'main.py': 'print(1)\n', 'requirements.txt': '' }, { planMs: 3000, unpackMs: 3000 });
  await sleep(20);
  // The event loop is blocked, as after SIGSTOP: its timers run late, and the thread's result arrives late, too.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000);
  const { result } = await reading;
  assert.ok(!(result instanceof Error), String(result));
});

test('a plan that nothing could carry is refused, with what makes it long', async () => {
  const error = await refused({ 'package.json': JSON.stringify({ scripts: { start: 'a '.repeat(300_000) } }) });
  assert.deepEqual([error.step, error.code], ['detect', 'plan_too_large']);
  assert.match(error.hint, /very long command/);
});

test('the place of an error in a long paddock.yaml is told', async () => {
  const error = await refused({ 'paddock.yaml': `start: a\nbuild: ${'b'.repeat(5000)}\n`, 'main.py': '' });
  assert.match(error.message, /^paddock\.yaml:2:4097: the line is longer than 4096 characters\.$/);
});

test('one thread reads small archives one after the other; a refused or a large one ends its thread, and none is told of another’s files', async (t) => {
  // A thread is made ahead a second after another one ended: on a busy machine that is while the next archive is read.
  await sleep(1_001);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let started = 0;
  const count = () => (started += 1);
  process.on('worker', count);
  try {
    const agent = (name: string) => ({ [`${name}.py`]: 'import http.server\n' });
    const startOf = async (name: string) => ((await read(agent(name))).result as ReadArchive).plan.start?.join(' ');
    assert.match((await startOf('main')) ?? '', /main\.py/);
    const before = started;
    for (const name of ['app', 'agent', 'bot']) assert.match((await startOf(name)) ?? '', new RegExp(`${name}\\.py`));
    assert.equal(started, before, 'no further thread');
    const large = { ...agent('main'), 'data.bin': 'x'.repeat(17 * 1024 ** 2) };
    await read(large);
    assert.match((await startOf('server')) ?? '', /server\.py/);
    assert.equal(started, before + 1, 'the large archive’s thread ended');
    await refused({ 'requirements.txt': 'flask\n', 'notes.md': 'nothing to start' });
    assert.match((await startOf('main')) ?? '', /main\.py/);
    assert.equal(started, before + 2, 'the refused archive’s thread ended');
  } finally {
    process.off('worker', count);
  }
});

test('the thread that waits for archives is there as one begins to arrive, and ends after a while without any', async (t) => {
  let started = 0;
  const note = () => (started += 1);
  process.on('worker', note);
  t.after(() => process.off('worker', note));
  const startedBy = async (prepare: () => void) => {
    const before = started;
    prepare();
    await new Promise((resolve) => setImmediate(resolve));
    return started - before;
  };
  prepareUnpacking(60_000);
  assert.equal(await startedBy(() => prepareUnpacking(60_000)), 0, 'it waits');
  prepareUnpacking(1);
  for (let tries = 0; tries < 50; tries++) {
    await sleep(100);
    if ((await startedBy(() => prepareUnpacking(1))) === 1) return;
  }
  assert.fail('it never ended');
});
