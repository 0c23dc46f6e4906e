// The builds of PyTorch that are requested. The index of the CPU-only builds is behind a proxy that does not answer, and an index of the
// test has a package called torch.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { linkRunTools } from '../../../../scripts/test/run-tools.ts';
import { trialRunner } from '../../test/step-runner.ts';
import { writeWheel } from '../../test/write-wheel.ts';
import { writeZip } from '../../test/write-zip.ts';
import { build } from '../build.ts';
import type { StepSpec } from '../step.ts';
import { findToolchains } from './toolchain.ts';
import { toolStore } from './tools.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-torch-'));
const dataDir = join(home, 'data');
mkdirSync(dataDir);
linkRunTools(dataDir);
after(() => rmSync(home, { recursive: true, force: true }));
const signal = AbortSignal.timeout(600_000);
const toolchains = await findToolchains(signal);
const hasDevice = ['/dev/nvidiactl', '/dev/nvidia0', '/dev/kfd'].some((path) => existsSync(path));

const index = createServer(({ url = '' }, answer) => {
  const name = /^\/(?:f|simple)\/([a-z]+)/.exec(url)?.[1] ?? 'none';
  if (url.startsWith('/f/')) return answer.end(writeWheel({ name, version: '2.0' }));
  return answer.writeHead(200, { 'content-type': 'text/html' }).end(`<a href="/f/${name}-2.0-py3-none-any.whl">${name}</a>`);
});
const address = () => `http://127.0.0.1:${(index.address() as AddressInfo).port}/simple/`;

before(async () => {
  await toolStore(dataDir, toolchains, signal).uv();
  await new Promise<void>((done) => index.listen(0, '127.0.0.1', done));
  for (const name of ['UV_DEFAULT_INDEX', 'UV_INDEX_URL', 'PIP_INDEX_URL']) delete process.env[name];
  Object.assign(process.env, {
    PIP_CONFIG_FILE: '/dev/null',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    https_proxy: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1',
  });
});
after(() => index.close());

let count = 0;
async function built(files: Record<string, string>) {
  const zipPath = join(home, `${count++}.zip`);
  writeFileSync(zipPath, writeZip(Object.entries(files).map(([name, data]) => ({ name, data }))));
  const lines: string[] = [];
  const steps: StepSpec[] = [];
  const onLine = (_: string, text: string) => lines.push(text);
  await build({ zipPath, settings: {}, teamId: 't', dataDir, run: trialRunner(steps), toolchains, signal, onLine });
  return { lines: lines.join('\n'), backends: steps.filter(({ command }) => command[1] === 'pip').map(({ env }) => env.UV_TORCH_BACKEND) };
}

test('without a graphics processor the small builds are asked for, and those of the usual index where their index is not reached', async () => {
  const { lines, backends } = await built({
    'requirements.txt': `--index-url ${address()}\nsetuptools\ntorch\n`,
    'main.py': 'import torch\n',
  });
  if (hasDevice) return assert.ok(backends.every((one) => one === undefined));
  assert.ok(backends.includes('cpu'));
  assert.equal(backends.at(-1), undefined);
  assert.match(lines, /The index of the builds of PyTorch for processors is not reached; those of the usual index are taken/);
});

test('an index of the operator’s own decides by itself, as a lock file does', async (t) => {
  process.env.UV_DEFAULT_INDEX = address();
  t.after(() => delete process.env.UV_DEFAULT_INDEX);
  const { lines, backends } = await built({ 'requirements.txt': 'torch\n', 'main.py': 'import torch\n' });
  assert.ok(backends.length > 0 && backends.every((one) => one === undefined));
  assert.doesNotMatch(lines, /PyTorch/);
});
