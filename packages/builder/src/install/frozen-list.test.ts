// A list that was frozen from an environment whose packages exclude each other by what they declare, from an index of the test.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
import { findToolchains } from './toolchain.ts';
import { toolStore } from './tools.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-frozen-'));
const dataDir = join(home, 'data');
mkdirSync(dataDir);
linkRunTools(dataDir);
after(() => rmSync(home, { recursive: true, force: true }));
const signal = AbortSignal.timeout(600_000);
const toolchains = await findToolchains(signal);

/** Packages that each ask for something, by name. All others ask for nothing. Each exists as version 2.0. */
const needs: Record<string, string[]> = { cup: ['saucer<2'], pot: ['lid'], lid: ['saucer'] };
const index = createServer(({ url = '' }, answer) => {
  const name = /^\/(?:f|simple)\/([a-z]+)/.exec(url)?.[1] ?? 'none';
  if (url.startsWith('/f/')) return answer.end(writeWheel({ name, version: '2.0', needs: needs[name] ?? [] }));
  return answer.writeHead(200, { 'content-type': 'text/html' }).end(`<a href="/f/${name}-2.0-py3-none-any.whl">${name}</a>`);
});

before(async () => {
  await toolStore(dataDir, toolchains, signal).uv();
  await new Promise<void>((done) => index.listen(0, '127.0.0.1', done));
  for (const name of ['UV_INDEX_URL', 'PIP_INDEX_URL']) delete process.env[name];
  process.env.UV_DEFAULT_INDEX = `http://127.0.0.1:${(index.address() as AddressInfo).port}/simple/`;
  process.env.PIP_CONFIG_FILE = '/dev/null';
});
after(() => index.close());

let count = 0;
const others = 'abcdefghijklm'.split('').map((letter) => `plain${letter}==2.0\n`);
function built(requirements: string[]) {
  const zipPath = join(home, `${count++}.zip`);
  const files = { 'requirements.txt': requirements.join(''), 'main.py': 'import cup, pot, lid, saucer\n' };
  writeFileSync(zipPath, writeZip(Object.entries(files).map(([name, data]) => ({ name, data }))));
  return build({ zipPath, settings: {}, teamId: 't', dataDir, run: trialRunner(), toolchains, signal, onLine: () => undefined });
}
const excluded = /cup needs saucer<2, but the dependencies ask for saucer==2\.0\./;

test('a frozen list whose versions exclude each other is installed as it is listed, with what it leaves out, and the build says so', async () => {
  const { plan } = await built([...others, 'cup==2.0\n', 'pot==2.0\n', 'saucer==2.0\n']);
  const said = plan.warnings.find((one) => one.startsWith('The listed versions exclude each other'));
  assert.match(said ?? plan.warnings.join('\n'), excluded);
});

test('a list that was frozen in a conda environment is installed as it is listed, too', async () => {
  const ofConda = 'lid @ file:///home/conda/feedstock_root/build_artifacts/lid_1/work\n';
  const { plan } = await built([...others, 'cup==2.0\n', 'pot==2.0\n', 'saucer==2.0\n', ofConda]);
  assert.ok(
    plan.warnings.some((one) => one.startsWith('The listed versions exclude each other')),
    plan.warnings.join('\n'),
  );
  assert.ok(
    plan.warnings.some((one) => one.endsWith('in a version that fits: lid.')),
    plan.warnings.join('\n'),
  );
});

test('a list that was written by hand and excludes itself is refused with both sides', async () => {
  const short = ['cup==2.0\n', 'pot==2.0\n', 'saucer==2.0\n'];
  await assert.rejects(built(short), excluded);
  await assert.rejects(built([...others.map((line) => line.replace('==', '>=')), ...short]), excluded);
});

test('a frozen list with a version that does not exist is refused for that version', async () => {
  await assert.rejects(built([...others, 'cup==2.0\n', 'pot==9.0\n', 'saucer==1.0\n']), /pot==9\.0|saucer==1\.0/);
});
