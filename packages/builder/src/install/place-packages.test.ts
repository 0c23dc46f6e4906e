// npm's lock files with real steps. Packages placed without npm are placed as npm does it, and npm installs the rest.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { linkRunTools } from '../../../../scripts/test/run-tools.ts';
import { trialRunner } from '../../test/step-runner.ts';
import { type TarEntry, tarball } from '../../test/tarball.ts';
import { writeZip } from '../../test/write-zip.ts';
import { build } from '../build.ts';
import { BuildError } from '../build-error.ts';
import { findToolchains } from './toolchain.ts';

// The public registry, regardless of this machine's settings: the archives name the server of this test.
for (const name of Object.keys(process.env)) if (/^npm_config_|_proxy$/i.test(name)) delete process.env[name];
Object.assign(process.env, { npm_config_registry: 'https://registry.npmjs.org/', npm_config_userconfig: '/dev/null' });

const home = mkdtempSync(join(tmpdir(), 'paddock-place-'));
const dataDir = join(home, 'data');
mkdirSync(dataDir);
linkRunTools(dataDir);
after(() => rmSync(home, { recursive: true, force: true }));
const toolchains = await findToolchains(AbortSignal.timeout(60_000));
const served = new Map<string, Buffer>();
let asked = 0;
const registry = createServer((request, answer) => {
  asked++;
  const bytes = served.get(request.url ?? '');
  if (bytes === undefined) answer.writeHead(404).end();
  else answer.end(bytes);
});
before(() => new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve)));
after(() => registry.close());

interface Shipped {
  entries?: TarEntry[];
  /** Fields of the lock's entry. */
  lock?: Record<string, unknown>;
}

/** Makes the registry serve a package. Returns its entry in the lock. */
function publish(name: string, { entries = [], lock = {} }: Shipped = {}) {
  const manifest = { name, version: '1.0.0', ...lock };
  const { bytes, integrity } = tarball([{ name: 'package/package.json', text: JSON.stringify(manifest) }, ...entries]);
  const path = `/${name}/-/${name.split('/').at(-1)}-1.0.0.tgz`;
  served.set(path, bytes);
  const { scripts: _, ...fields } = lock;
  return { version: '1.0.0', resolved: `http://127.0.0.1:${(registry.address() as AddressInfo).port}${path}`, integrity, ...fields };
}

let count = 0;
async function built(
  packages: Record<string, object>,
  { dependencies, files = {} }: { dependencies: object; files?: Record<string, string> },
) {
  const said: string[] = [];
  const project = { name: 'p', version: '1.0.0', dependencies };
  const lock = { name: 'p', version: '1.0.0', lockfileVersion: 3, requires: true, packages: { '': project, ...packages } };
  const all = { 'package.json': JSON.stringify(project), 'package-lock.json': JSON.stringify(lock, null, 2), 'index.js': '', ...files };
  const zipPath = join(home, `${count++}.zip`);
  writeFileSync(zipPath, writeZip(Object.entries(all).map(([name, data]) => ({ name, data }))));
  const result = await build({
    ...{ zipPath, settings: {}, teamId: 't', dataDir, run: trialRunner(), toolchains },
    signal: AbortSignal.timeout(180_000),
    onLine: (_, line) => void said.push(line),
  });
  const folder = result.mounts.find(({ at }) => at === '/app/node_modules')?.from ?? '';
  return { folder, placed: said.some((line) => /^added \d+ packages by the lock file/.test(line)), said: said.join('\n') };
}

/** Everything in a folder: links with their targets, files with mode and content. */
const seen = (root: string, path = ''): string[] =>
  readdirSync(join(root, path))
    .sort()
    .flatMap((name) => {
      const below = join(path, name);
      const info = lstatSync(join(root, below));
      if (info.isSymbolicLink()) return [`${below} -> ${readlinkSync(join(root, below))}`];
      if (info.isDirectory()) return [`${below}/ ${info.mode.toString(8)}`, ...seen(root, below)];
      return [`${below} ${info.mode.toString(8)} ${readFileSync(join(root, below), 'latin1')}`];
    });

/** A setting without effect that only npm reads. */
const byNpm = { '.npmrc': 'engine-strict=false\n' };

function manyKinds() {
  const tool = {
    entries: [
      { name: 'package/bin/tool.js', text: '#!/usr/bin/env node\r\nconsole.log("tool")\r\n' },
      { name: 'package/.gitignore', text: 'dist' },
      { name: 'package/lib/.npmignore', text: 'own' },
      { name: 'package/lib/.gitignore', text: 'not this one' },
      { name: 'package/run.sh', text: '#!/bin/sh\n', mode: '0000755' },
      { name: 'package/closed.txt', text: 'closed', mode: '0000600' },
      { name: 'package/empty', type: '5', mode: '0000700' },
      { name: `package/${'deep/'.repeat(15)}file.js`, text: 'deep' },
    ],
    // The keys are in npm's own order.
    lock: { dependencies: { '@s/low': '^1.0.0' }, bin: { gone: 'bin/gone.js', tool: 'bin/tool.js' } },
  };
  return {
    'node_modules/@s/low': publish('@s/low', { entries: [{ name: 'other-folder/index.js', text: 'low' }] }),
    'node_modules/tool': publish('tool', tool),
    'node_modules/win': { ...publish('win', { lock: { os: ['win32'] } }), optional: true },
  };
}

test('the packages of a lock file are placed as npm places them: names, modes, programs, line ends, and its list of them', async () => {
  const packages = manyKinds();
  packages['node_modules/tool'] = {
    ...packages['node_modules/tool'],
    optionalDependencies: { win: '1.0.0' },
  } as (typeof packages)['node_modules/tool'];
  const dependencies = { tool: '^1.0.0' };
  const ours = await built(packages, { dependencies });
  assert.ok(ours.placed, ours.said);
  const npms = await built(packages, { dependencies, files: byNpm });
  assert.ok(!npms.placed, npms.said);
  assert.deepEqual(seen(ours.folder), seen(npms.folder));
  assert.equal(execFileSync(join(ours.folder, '.bin/tool'), { encoding: 'utf8' }), 'tool\n');
});

test('a package that was fetched once is not asked for again', async () => {
  const [one, two] = [publish('kept-one'), publish('kept-two')];
  await built({ 'node_modules/kept-one': one }, { dependencies: { 'kept-one': '1.0.0' } });
  const before = asked;
  const again = await built(
    { 'node_modules/kept-one': one, 'node_modules/kept-two': two },
    { dependencies: { 'kept-one': '1.0.0', 'kept-two': '1.0.0' } },
  );
  assert.ok(again.placed, again.said);
  assert.equal(asked - before, 1);
  assert.match(again.said, /added 2 packages by the lock file in [\d.]+ s, 1 of them fetched/);
});

test('the install script of a package runs when all packages are in their places', async () => {
  const scripts = {
    postinstall: "node -e \"require('fs').writeFileSync('made', String(require('fs').existsSync('../zz-last/package.json')))\"",
  };
  const packages = {
    'node_modules/scripted': publish('scripted', { lock: { scripts, hasInstallScript: true } }),
    'node_modules/zz-last': publish('zz-last'),
  };
  const result = await built(packages, { dependencies: { scripted: '1.0.0', 'zz-last': '1.0.0' } });
  assert.ok(result.placed, result.said);
  assert.equal(readFileSync(join(result.folder, 'scripted/made'), 'utf8'), 'true');
});

test('a package that is not what the lock file says is refused, by npm and in its words', async () => {
  const wanted = publish('changed');
  served.set(
    '/changed/-/changed-1.0.0.tgz',
    tarball([{ name: 'package/package.json', text: '{"name":"changed","version":"1.0.0","evil":1}' }]).bytes,
  );
  await assert.rejects(built({ 'node_modules/changed': wanted }, { dependencies: { changed: '1.0.0' } }), (error: unknown) => {
    assert.ok(error instanceof BuildError, String(error));
    assert.match(`${error.message}\n${error.tail.join('\n')}`, /EINTEGRITY|integrity/i);
    return true;
  });
});

test('an archive of a package reaches nothing out of its folder, and brings no links', async () => {
  const entries: TarEntry[] = [
    { name: 'package/index.js', text: 'mine' },
    { name: 'package/../../../index.js', text: 'theirs' },
    { name: 'package/../victim/index.js', text: 'theirs' },
    { name: '/tmp/paddock-absolute', text: 'theirs' },
    { name: 'package/link', type: '2', link: '../victim' },
    { name: 'package/link/index.js', text: 'through' },
    { name: 'package/hard', type: '1', link: 'package/index.js' },
  ];
  const packages = {
    'node_modules/hostile': publish('hostile', { entries }),
    'node_modules/victim': publish('victim', { entries: [{ name: 'package/index.js', text: 'victim' }] }),
  };
  const { folder, placed, said } = await built(packages, { dependencies: { hostile: '1.0.0', victim: '1.0.0' } });
  assert.ok(placed, said);
  assert.equal(readFileSync(join(folder, 'victim/index.js'), 'utf8'), 'victim');
  assert.equal(readFileSync(join(folder, 'hostile/index.js'), 'utf8'), 'mine');
  assert.ok(lstatSync(join(folder, 'hostile/link')).isDirectory(), 'a file below the name of a link makes a folder');
  for (const path of [join(folder, 'hostile/hard'), join(folder, 'index.js'), '/tmp/paddock-absolute']) assert.ok(!existsSync(path), path);
});

test('where the registry does not have a package, npm says so, and nothing is kept of the try', async () => {
  const wanted = publish('missing');
  served.delete('/missing/-/missing-1.0.0.tgz');
  await assert.rejects(built({ 'node_modules/missing': wanted }, { dependencies: { missing: '1.0.0' } }), (error: unknown) => {
    assert.ok(error instanceof BuildError, String(error));
    assert.match(`${error.message}\n${error.tail.join('\n')}`, /404|missing/);
    return true;
  });
});
