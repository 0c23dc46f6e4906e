import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles } from '../../test/plan-files.ts';

const json = JSON.stringify;
const project = (bin: unknown) => ({
  'package.json': json({ name: '@desk/agent', bin, scripts: { build: 'tsc' }, devDependencies: { typescript: '5' } }),
  'src/server.ts': '',
  'src/cli.ts': '',
});
const image = (cmd: string) => `FROM node:22\nWORKDIR /app\nCOPY . .\nRUN npm i -g .\nCMD ${cmd}\n`;

test('an image that runs a program which package.json declares runs the file of that program, which the build makes', async () => {
  const files = project({ desk: './dist/cli.js', 'desk-server': './dist/server.js' });
  const plan = await planFiles({ ...files, Dockerfile: image('["desk-server", "--quiet"]') });
  assert.deepEqual(plan.start, ['node', 'dist/server.js', '--quiet']);
  assert.deepEqual(plan.build, ['npm', 'run', 'build']);
  const one = await planFiles({ ...project('bin/agent.mjs'), Dockerfile: image('["npx", "agent"]') });
  assert.deepEqual(one.start, ['node', 'bin/agent.mjs']);
});

test('programs of others, and files that Node does not run, are left as the image has them', async () => {
  const files = project({ desk: 'bin/desk.sh', toString: 'dist/a.js' });
  for (const program of ['desk', 'other', 'constructor']) {
    const { start } = await planFiles({ ...files, Dockerfile: image(`["${program}"]`) });
    assert.deepEqual(start, [program], program);
  }
});
