// A Dockerfile's Node that the packages refuse, with the real clients.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBuilds } from '../../test/build-files.ts';

const { toolchains, buildFiles: built } = await openBuilds();
const own = toolchains.node.version;
const agent = {
  'package.json': '{"dependencies": {"part": "file:./part"}}',
  'part/package.json': '{"name": "part", "version": "1.0.0", "engines": {"node": ">=23"}}',
  'server.js': '',
  Dockerfile: 'FROM node:22\nCOPY . .\nCMD ["node", "server.js"]\n',
};

test('a Node of a Dockerfile that a package refuses gives way to the platform’s own, and that is said', async () => {
  const { plan, warnings } = await built({ ...agent, 'yarn.lock': '# yarn lockfile v1\n' });
  assert.equal(plan.version, own);
  assert.deepEqual(
    plan.reasons.filter(({ what }) => what === 'version'),
    [{ what: 'version', value: `Node ${own}`, because: 'the platform’s own' }],
  );
  assert.match(warnings.join('\n'), /Dockerfile:1 \(FROM\) is made for Node 22, which does not fit: part@?1?\S* needs Node >=23, /);
});

test('a Node that package.json asks for does not give way', async () => {
  const engines = agent['package.json'].replace('{', '{"engines": {"node": "22"}, ');
  await assert.rejects(built({ ...agent, 'package.json': engines, 'yarn.lock': '# yarn lockfile v1\n' }), /needs Node >=23/);
});
