// Packages that exist for another system only, from an index of the test.
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

const home = mkdtempSync(join(tmpdir(), 'paddock-systems-'));
const dataDir = join(home, 'data');
mkdirSync(dataDir);
linkRunTools(dataDir);
after(() => rmSync(home, { recursive: true, force: true }));
const signal = AbortSignal.timeout(600_000);
const toolchains = await findToolchains(signal);

/** The wheels of the index: each name's tag. */
const tags: Record<string, string> = {
  setuptools: 'py3-none-any',
  plain: 'py3-none-any',
  pywin32: 'cp31-cp31-win_amd64',
  winonly: 'py3-none-win32',
  both: 'py3-none-macosx_12_0_arm64',
};
const index = createServer(({ url = '' }, answer) => {
  const name = /^\/(?:f|simple)\/([a-z0-9]+)/.exec(url)?.[1] ?? 'none';
  if (!Object.hasOwn(tags, name)) return answer.writeHead(404).end();
  if (url.startsWith('/f/')) return answer.end(writeWheel({ name, version: '2.0', tag: tags[name]! }));
  const others = name === 'both' ? [`<a href="/f/both-2.0-py3-none-win32.whl">w</a>`] : [];
  const page = [`<a href="/f/${name}-2.0-${tags[name]}.whl">${name}</a>`, ...others].join('\n');
  return answer.writeHead(200, { 'content-type': 'text/html' }).end(page);
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
function built(requirements: string) {
  const zipPath = join(home, `${count++}.zip`);
  const files = { 'requirements.txt': requirements, 'main.py': 'import plain\n' };
  writeFileSync(zipPath, writeZip(Object.entries(files).map(([name, data]) => ({ name, data }))));
  return build({ zipPath, settings: {}, teamId: 't', dataDir, run: trialRunner(), toolchains, signal, onLine: () => undefined });
}

test('packages that exist for Windows only are left out of a list that was frozen there, and the build says so', async () => {
  const { plan } = await built('plain==2.0\npywin32==2.0\nwinonly==2.0\n');
  assert.ok(
    plan.warnings.includes(
      'Left out: pywin32, winonly (for Windows only). A condition says so in the list: `pywin32; sys_platform == "win32"`.',
    ),
    plan.warnings.join('\n'),
  );
});

test('nothing is said of packages whose condition keeps them out already', async () => {
  const { plan } = await built('plain==2.0\npywin32==2.0; sys_platform == "win32"\n');
  assert.deepEqual(plan.warnings, []);
});

test('a package that several other systems have is not left out', async () => {
  await assert.rejects(built('plain==2.0\nboth==2.0\n'), (error: Error) => {
    assert.match(error.message, /^both==2\.0 has no prebuilt package for this machine\./);
    return true;
  });
});
