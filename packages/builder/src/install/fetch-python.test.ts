// A Python that this machine does not have: a copy of the installed one, served under another version by a mirror of the test.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { trialRunner } from '../../test/step-runner.ts';
import { writeZip } from '../../test/write-zip.ts';
import { build } from '../build.ts';
import { BuildError } from '../build-error.ts';
import type { Toolchains } from '../detect/toolchains.ts';
import { findToolchains } from './toolchain.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-python-'));
after(() => rmSync(home, { recursive: true, force: true }));
const here = await findToolchains(AbortSignal.timeout(20_000));
const own = here.python.find(({ path }) => path.startsWith('/usr/bin/'));
const [major = '3', minor = '11', patch = '0'] = own?.version.split('.') ?? [];
/** The Python of this machine under a minor version that nobody requests. */
const toolchains: Toolchains = { ...here, python: [{ version: '3.1.0', path: own?.path ?? '' }], pythonMinors: [Number(minor)] };

let archive = Buffer.alloc(0);
let served = archive;
let asked = 0;
const mirror = createServer((_, answer) => {
  asked++;
  answer.end(served);
});

before(async () => {
  await new Promise<void>((done) => mirror.listen(0, '127.0.0.1', done));
  const python = join(home, 'python');
  mkdirSync(join(python, 'bin'), { recursive: true });
  cpSync(own?.path ?? '', join(python, `bin/python${major}.${minor}`));
  symlinkSync(`python${major}.${minor}`, join(python, 'bin/python3'));
  const lib = execFileSync(own?.path ?? '', ['-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))'])
    .toString()
    .trim();
  // Debian's Python has links to /etc, which no archive may have, and megabytes that no agent here uses.
  const skipped = /\/(test|idlelib|tkinter|__pycache__|config-[^/]+|sitecustomize\.py|dist-packages)$/;
  cpSync(lib, join(python, `lib/python${major}.${minor}`), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !skipped.test(path),
  });
  archive = execFileSync('tar', ['-cz', '-C', home, 'python'], { maxBuffer: 256 * 1024 ** 2 });
  served = archive;
  list(createHash('sha256').update(archive).digest('hex'));
  process.env.UV_PYTHON_DOWNLOADS_JSON_URL = join(home, 'downloads.json');
});
after(() => mirror.close());

/** The mirror's list: the URL and the expected hash. */
function list(sha256: string): void {
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const url = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/python.tar.gz`;
  const entry = {
    name: 'cpython',
    arch: { family: machine, variant: null },
    os: 'linux',
    libc: 'gnu',
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    prerelease: '',
    url,
    sha256,
    variant: null,
    build: '20260101',
  };
  writeFileSync(join(home, 'downloads.json'), JSON.stringify({ [`cpython-${major}.${minor}.${patch}-linux-${machine}-gnu`]: entry }));
}

let count = 0;
async function run(dataDir: string, files: Record<string, string> = {}) {
  mkdirSync(dataDir, { recursive: true });
  const entries = {
    'main.py': 'import sys\nprint(sys.version.split()[0], sys.base_prefix)\n',
    '.python-version': `3.${minor}\n`,
    ...files,
  };
  const zipPath = join(home, `${count++}.zip`);
  writeFileSync(zipPath, writeZip(Object.entries(entries).map(([name, data]) => ({ name, data }))));
  const lines: string[] = [];
  const onLine = (_: string, text: string) => lines.push(text);
  const request = {
    zipPath,
    settings: {},
    teamId: 'team_a',
    dataDir,
    run: trialRunner(),
    toolchains,
    signal: AbortSignal.timeout(120_000),
    onLine,
  };
  return { lines, result: await build(request) };
}

async function start({ result }: Awaited<ReturnType<typeof run>>): Promise<string> {
  const app = join(home, `app-${count++}`);
  spawnSync('cp', ['-a', '--', result.app_dir, app]);
  const printed: string[] = [];
  const step = {
    name: 'agent',
    command: result.command,
    cwd: '/app',
    env: result.env,
    mounts: [{ from: app, at: '/app', writable: true }, ...result.mounts],
    limits: { memory_mb: 512, cpus: 1, processes: 64, disk_mb: 512, open_files: 1024 },
    timeout_ms: 20_000,
    egress: { allow: [] },
    registries: [],
  };
  await trialRunner().run(step, (_, line) => printed.push(line), AbortSignal.timeout(30_000));
  return printed.join('\n');
}

test('a Python that is not on the machine is fetched once, and serves the second agent without any network', async () => {
  const dataDir = join(home, 'data');
  const first = await run(dataDir);
  assert.ok(
    first.lines.some((line) => line.startsWith(`Fetching Python 3.${minor}`)),
    first.lines.join('\n'),
  );
  assert.equal(await start(first), `3.${minor}.${patch} /opt/paddock/python`);
  const before = asked;
  served = Buffer.from('gone');
  const second = await run(dataDir, { 'requirements.txt': '', 'other.txt': 'x' });
  assert.equal(await start(second), `3.${minor}.${patch} /opt/paddock/python`);
  assert.ok(!second.lines.some((line) => line.startsWith('Fetching Python')));
  assert.equal(asked, before);
});

test('a mirror that serves something else is refused, and nothing of it stays', async () => {
  list('0'.repeat(64));
  served = archive;
  const project = { 'pyproject.toml': `[project]\nname = "a"\nversion = "1"\nrequires-python = "==3.${minor}.*"\n`, '.python-version': '' };
  const error = await run(join(home, 'fooled'), project).then(
    () => assert.fail('it was built'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof BuildError, String(error));
  assert.equal(error.code, 'python_unavailable');
  assert.match(error.message, /could not be fetched: .*[Hh]ash mismatch/s);
});
