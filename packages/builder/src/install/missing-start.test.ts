// Builds that do not make what the start runs, and builds that fail at types alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBuilds } from '../../test/build-files.ts';
import { planFiles } from '../../test/plan-files.ts';
import { tarball } from '../../test/tarball.ts';

const { buildFiles } = await openBuilds();

/** A build that writes these files. */
const making = (...paths: string[]) => ({
  'make.mjs': `import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
for (const path of ${JSON.stringify(paths)}) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
}
`,
});
const scripts = (own: Record<string, string>) => ({
  'package.json': JSON.stringify({ name: 'a', version: '1.0.0', scripts: { build: 'node make.mjs', start: 'node dist/index.js', ...own } }),
});

test('a start whose file the build does not make runs the source as the development script does, and says so', async () => {
  const files = { ...scripts({ dev: 'tsx watch src/index.ts' }), ...making('dist/server/src/index.js'), 'src/index.ts': '' };
  const { command, plan, warnings } = await buildFiles(files);
  assert.deepEqual(command, ['tsx', 'src/index.ts']);
  const told = warnings.find((one) => one.includes('names dist/index.js, which neither the archive nor the build has'));
  assert.match(told ?? '', /starts with tsx src\/index\.ts instead, by package\.json \(scripts\.dev\)/);
  assert.equal(plan.reasons.find(({ what }) => what === 'start')?.value, 'tsx src/index.ts');

  const chosen = await buildFiles(files, { start: 'node dist/index.js' });
  assert.deepEqual(chosen.command, ['node', 'dist/index.js'], 'a start that the user gave is kept');
});

test('without such a script it runs the only file of that name that the build made', async () => {
  const { command } = await buildFiles({ ...scripts({}), ...making('dist/server/src/index.js') });
  assert.deepEqual(command, ['node', 'dist/server/src/index.js']);
  const made = await buildFiles({ ...scripts({ dev: 'tsx src/index.ts' }), ...making('dist/index.js'), 'src/index.ts': '' });
  assert.deepEqual(made.command, ['node', 'dist/index.js'], 'a start that is there is kept');
  const unclear = await buildFiles({ ...scripts({}), ...making('dist/a/index.js', 'dist/b/index.js') });
  assert.deepEqual(unclear.command, ['node', 'dist/index.js']);
});

/** A compiler that prints these errors and writes the output all the same, as tsc does. */
function compiling(...errors: string[]) {
  const program = `#!/usr/bin/env node
require('node:fs').mkdirSync('dist', { recursive: true });
require('node:fs').writeFileSync('dist/index.js', '');
for (const line of ${JSON.stringify(errors)}) console.log(line);
process.exit(2);
`;
  const own = { 'package.json': JSON.stringify({ name: 'compiler', version: '1.0.0', bin: { tsc: 'tsc.js' } }), 'tsc.js': program };
  return tarball(Object.entries(own).map(([path, text]) => ({ name: `package/${path}`, text, mode: '0000755' }))).bytes;
}
const compiled = (start: string, ...errors: string[]) => ({
  'package.json': JSON.stringify({
    name: 'a',
    version: '1.0.0',
    scripts: { build: 'tsc -p .', start },
    dependencies: { compiler: 'file:./compiler.tgz' },
  }),
  'compiler.tgz': compiling(...errors),
  'src/index.ts': '',
});
const theirs = 'node_modules/@types/node/module.d.ts(290,5): error TS2386: Overload signatures must all be optional or required.';
const own = "src/index.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.";

test('a build that fails at the types of installed packages alone counts if it made what the start runs; at types of the agent it fails', async () => {
  const { command, warnings } = await buildFiles(compiled('node dist/index.js', theirs));
  assert.deepEqual(command, ['node', 'dist/index.js']);
  assert.ok(
    warnings.some((one) => one.startsWith('The build ended with errors of types in installed packages alone') && one.includes(theirs)),
  );
  await assert.rejects(buildFiles(compiled('node dist/index.js', theirs, own)), { code: 'build_failed' });
  await assert.rejects(buildFiles(compiled('node dist/other.js', theirs)), { code: 'build_failed' });
});

test('a build that fails at types counts if the start runs the source', async () => {
  const { command, warnings } = await buildFiles(compiled('tsx src/index.ts', own));
  assert.deepEqual(command, ['tsx', 'src/index.ts']);
  assert.ok(warnings.some((one) => one.startsWith('The build ended with errors of types, and the start runs the source')));
});

test('a start script that names a file which is not in the archive runs the one that package.json names', async () => {
  const own = { name: 'a', module: 'src/main.ts', packageManager: 'bun@1.4.5', scripts: { start: 'bun run index.ts' } };
  const { start, reasons } = await planFiles({ 'package.json': JSON.stringify(own), 'src/main.ts': 'export {};\n' });
  assert.deepEqual(start, ['bun', 'run', 'src/main.ts']);
  assert.match(reasons.find(({ what }) => what === 'start')?.because ?? '', /names index\.ts, which is not there/);
});

test('a start by ts-node logs errors of types, which end nothing at run time', async () => {
  const own = { name: 'a', scripts: { start: 'ts-node index.ts' }, dependencies: { 'ts-node': '10.9.2' } };
  const { env } = await planFiles({ 'package.json': JSON.stringify(own), 'index.ts': 'export {};\n' });
  assert.equal(env.TS_NODE_LOG_ERROR, 'true');
});

test('a start for an archive whose agent is in a folder runs in that folder, unless it names files of the top', async () => {
  const files = { 'backend/package.json': '{"name": "b", "scripts": {"start": "node a.js"}}', 'backend/a.js': '', 'backend/b.js': '' };
  assert.equal((await planFiles(files, { start: 'node b.js' })).root, 'backend');
  assert.equal((await planFiles({ ...files, 'requirements-dev.txt': '' }, { start: 'node backend/b.js' })).root, '');
});
