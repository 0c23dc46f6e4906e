import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makePlan } from '../detect/make-plan.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-engines-'));
after(() => rmSync(home, { recursive: true, force: true }));
let count = 0;

async function nodeOf(files: Record<string, string>) {
  const dir = join(home, `agent-${count++}`);
  mkdirSync(dir);
  const manifest = '{"dependencies": {"@desk/server": "^5.0.0", "old": "1"}, "devDependencies": {"built": "2"}}';
  const agent = { 'package.json': manifest, 'server.js': '', Dockerfile: 'FROM node:18\nCOPY . .\nCMD ["node", "server.js"]\n' };
  for (const [name, content] of Object.entries({ ...agent, ...files })) writeFileSync(join(dir, name), content);
  const node = { version: '24.21.0', path: '' };
  const { version, warnings } = await makePlan(dir, {}, { python: [], pythonMinors: [], node, nodeMajors: [18, 20, 22] });
  return { version, warnings: warnings.filter((each) => each.includes('made for Node')) };
}

const npm = (engines: Record<string, string>) =>
  JSON.stringify(
    {
      lockfileVersion: 3,
      packages: {
        '': { engines: { node: '>=99' } },
        ...Object.fromEntries(Object.entries(engines).map(([path, node]) => [path, { version: '5.0.1', engines: { npm: '1', node } }])),
      },
    },
    null,
    2,
  );
const pnpm = (engines: Record<string, string>) =>
  `lockfileVersion: '9.0'\n\npackages:\n\n${Object.entries(engines)
    .map(([key, node]) => `  ${key}:\n    resolution: {integrity: sha512-a}\n    engines: {node: '${node}', npm: '>=9'}\n\n`)
    .join('')}snapshots:\n\n  old@1.0.0: {}\n`;

for (const [manager, file, refusing, lock] of [
  ['npm', 'package-lock.json', { 'node_modules/@desk/server': '>= 20' }, npm],
  ['pnpm', 'pnpm-lock.yaml', { "'@desk/server@5.0.1'": '>= 20' }, pnpm],
  ['an older pnpm', 'pnpm-lock.yaml', { '/@desk/server@5.0.1': '>= 20' }, pnpm],
] as const)
  test(`a Dockerfile’s Node that a package in the lock of ${manager} does not run on gives way, and that is said`, async () => {
    assert.deepEqual(await nodeOf({ [file]: lock(refusing) }), {
      version: '24.21.0',
      warnings: [`Dockerfile:1 (FROM) is made for Node 18, which @desk/server in ${file} does not run on (>= 20); 24.21.0 is used.`],
    });
  });

test('a Dockerfile’s Node stands where the lock allows it, or speaks of packages of packages alone', async () => {
  const stays = { version: '18', warnings: [] };
  assert.deepEqual(await nodeOf({}), stays);
  assert.deepEqual(await nodeOf({ 'package-lock.json': npm({ 'node_modules/old': '>=14', 'node_modules/built': '^18 || >=20' }) }), stays);
  assert.deepEqual(
    await nodeOf({ 'package-lock.json': npm({ 'node_modules/old/node_modules/built': '>=20', 'node_modules/deep': '>=20' }) }),
    stays,
  );
  assert.deepEqual(await nodeOf({ 'package-lock.json': npm({ 'node_modules/old': 'any' }) }), stays);
  assert.deepEqual(await nodeOf({ 'pnpm-lock.yaml': pnpm({ 'old@1.0.0': '>=14', 'deep@1.0.0': '>=20' }) }), stays);
  assert.deepEqual(await nodeOf({ 'package-lock.json': '{' }), stays);
});

test('a version that package.json or .nvmrc asks for does not give way', async () => {
  const lock = { 'package-lock.json': npm({ 'node_modules/old': '>=22' }) };
  assert.equal((await nodeOf({ ...lock, '.nvmrc': '20' })).version, '20');
});
