import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOT } from '../../program.ts';
import { allTestFiles } from '../files.ts';
import { readChanges, UndecidedError } from './changes.ts';
import { namesIn } from './names.ts';
import { reachOf, readRepository } from './reach.ts';
import { namedFiles } from './rules.ts';

/** A server and a console over a package, with files that are reached by other ways than imports. */
const SMALL = {
  'package.json': '{ "name": "small" }',
  'packages/contract/package.json': '{ "name": "@paddock/contract", "exports": { ".": "./src/index.ts", "./rules": "./src/rules.ts" } }',
  'packages/contract/src/index.ts': `export * from './routes.ts'; export * from './rules.ts';`,
  'packages/contract/src/routes.ts': `export const routes = [];`,
  'packages/contract/src/rules.ts': `export const rule = 1; export type Rule = number;`,
  'packages/contract/src/rules.test.ts': `import './rules.ts';`,
  'packages/contract/src/shapes.ts': `export type Shape = { size: number };`,
  'packages/leaf/src/leaf.ts': `import type { Shape } from '../../contract/src/shapes.ts'; export const leaf = (one: Shape) => one;`,
  'packages/leaf/src/leaf.test.ts': `const { leaf } = await import('./leaf.ts');`,
  'apps/server/src/main.ts': `import { routes } from '@paddock/contract'; import './db/migrate.ts'; new Worker(new URL('./thread.ts', import.meta.url));`,
  'apps/server/src/thread.ts': `export {};`,
  'apps/server/src/db/migrate.ts': `const folder = join(import.meta.dirname, 'migrations');`,
  'apps/server/src/db/migrations/0001-first.sql': 'CREATE TABLE people ();',
  'apps/server/src/kinds/web.ts': `export {};`,
  'apps/server/src/kinds.test.ts': 'for (const kind of kinds) await import(`./kinds/${kind}.ts`);',
  'apps/server/test/platform.ts': `const main = join(import.meta.dirname, '../src/main.ts'); const step = script('enter.sh');`,
  'apps/server/test/enter.sh': 'exit 0',
  'apps/server/src/server.test.ts': `import { start } from '../test/platform.ts';`,
  'apps/console/index.html': '<html></html>',
  'apps/console/src/app/main.tsx': `import { Page } from '../Page.tsx'; export const main = <Page />;`,
  'apps/console/src/Page.tsx': `import type { Rule } from '@paddock/contract/rules'; export const Page = () => <p>/no/path</p>;`,
  'apps/console/src/Page.test.tsx': `import { Page } from './Page.tsx';`,
  'e2e/build-console.ts': `export {};`,
  'e2e/playwright.config.ts': `export default { globalSetup: ['./build-console.ts', './platform/start-platform.ts'] };`,
  'e2e/demo/screens.spec.ts': `test('screens');`,
  'e2e/platform/start-platform.ts': `const main = join(import.meta.dirname, '../../apps/server/src/main.ts');`,
  'e2e/platform/accounts.spec.ts': `test('accounts');`,
  'docs/api.md': '# API',
  'apps/server/src/http/docs/docs.test.ts': `readFileSync('docs/api.md');`,
  'bench/rows/api.ts': `import '../../apps/server/src/main.ts';`,
  'scripts/alone.ts': `export {};`,
};
const DOCS = 'apps/server/src/http/docs/docs.test.ts';
const CONSOLE = ['apps/console/src/Page.test.tsx', 'e2e/demo/screens.spec.ts', 'e2e/platform/accounts.spec.ts'];
const SERVER = ['apps/server/src/server.test.ts', 'e2e/platform/accounts.spec.ts'];

function smallRepository(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'paddock-since-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(SMALL)) write(root, path, text);
  git(root, 'init', '-q');
  git(root, 'add', '.');
  commit(root);
  return root;
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function git(cwd: string, ...args: string[]): void {
  const { status, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8', timeout: 60_000 });
  assert.equal(status, 0, stderr);
}

const commit = (root: string) => git(root, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', 'All');

const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path);

function reachSince(root: string) {
  const { files, changed } = readChanges(root, 'HEAD');
  return reachOf(readRepository(root, files, files.filter(isTest)), changed);
}

/** The tests that a change of one file reaches, without the one that any change reaches. */
function reached(root: string, path: string): string[] {
  git(root, 'checkout', '-q', '.');
  write(root, path, `${SMALL[path as keyof typeof SMALL]}\n`);
  return [...reachSince(root).because.keys()].filter((one) => one !== DOCS).sort();
}

test('a change reaches the tests that import the file, directly, through others and through packages', (t) => {
  const root = smallRepository(t);
  assert.deepEqual(reached(root, 'packages/leaf/src/leaf.ts'), ['packages/leaf/src/leaf.test.ts']);
  assert.deepEqual(reached(root, 'packages/leaf/src/leaf.test.ts'), ['packages/leaf/src/leaf.test.ts']);
  assert.deepEqual(reached(root, 'apps/console/src/Page.tsx'), CONSOLE);
  assert.deepEqual(reached(root, 'packages/contract/src/routes.ts'), SERVER);
  assert.deepEqual(reached(root, 'packages/contract/src/rules.ts'), [...SERVER, 'packages/contract/src/rules.test.ts']);
});

test('a change reaches the tests that run or read the file: programs, threads, scripts, folders, and modules by a pattern', (t) => {
  const root = smallRepository(t);
  for (const path of ['apps/server/src/main.ts', 'apps/server/src/thread.ts', 'apps/server/src/db/migrations/0001-first.sql'])
    assert.deepEqual(reached(root, path), SERVER, path);
  assert.deepEqual(reached(root, 'apps/server/test/enter.sh'), ['apps/server/src/server.test.ts']);
  assert.deepEqual(reached(root, 'apps/server/src/kinds/web.ts'), ['apps/server/src/kinds.test.ts']);
});

test('a change of one part reaches, of the tests that run all parts together, those that name it', (t) => {
  const root = smallRepository(t);
  const server = {
    'apps/server/src/features/api-keys/feature.ts': `import './store.ts'; export const apiKeys = 1;`,
    'apps/server/src/features/api-keys/store.ts': `export {};`,
    'apps/server/src/features/api-keys/keys.test.ts': `import '../../../test/server.ts';`,
    'apps/server/src/features/logs/feature.ts': `import '@paddock/contract'; export {};`,
    'apps/server/src/features/logs/logs.test.ts': `import '../../../test/server.ts'; test('a log');`,
    'apps/server/src/features.ts': `import './features/api-keys/feature.ts'; import './features/logs/feature.ts';`,
    'apps/server/test/server.ts': `import '../src/features.ts'; import '@paddock/contract';`,
    'apps/server/src/revoked.test.ts': `import '../test/server.ts'; test('revokes ownApiKey');`,
    'apps/server/src/login.test.ts': `import '../test/server.ts'; test('login');`,
    'packages/contract/src/routes.ts': `import './logs.ts';`,
    'packages/contract/src/logs.ts': `import './route.ts'; export {};`,
    'packages/contract/src/route.ts': `export {};`,
  };
  for (const [path, text] of Object.entries(server)) write(root, path, text);
  git(root, 'add', '.');
  commit(root);
  const reachedBy = (path: keyof typeof server) => {
    git(root, 'checkout', '-q', '.');
    write(root, path, `${server[path]}\n`);
    return [...reachSince(root).because.keys()].filter((one) => one !== DOCS && one.startsWith('apps/server/src/')).sort();
  };
  const ofKeys = ['apps/server/src/features/api-keys/keys.test.ts', 'apps/server/src/revoked.test.ts'];
  assert.deepEqual(reachedBy('apps/server/src/features/api-keys/store.ts'), ofKeys);
  assert.deepEqual(reachedBy('packages/contract/src/logs.ts'), ['apps/server/src/features/logs/logs.test.ts'], '“login” names no logs');
  const every = [...ofKeys, 'apps/server/src/features/logs/logs.test.ts', 'apps/server/src/login.test.ts'].sort();
  assert.deepEqual(
    reachedBy('packages/contract/src/route.ts'),
    every.filter((path) => !/api-keys|revoked|login/.test(path)),
    'what only one part is made of',
  );
  assert.deepEqual(reachedBy('apps/server/src/features.ts'), every);
});

test('rules say what is reached by files that no import names', (t) => {
  const root = smallRepository(t);
  assert.deepEqual(reached(root, 'apps/console/index.html'), CONSOLE);
  assert.deepEqual(reached(root, 'e2e/playwright.config.ts'), ['e2e/demo/screens.spec.ts', 'e2e/platform/accounts.spec.ts']);
  assert.deepEqual(reached(root, 'docs/api.md'), []);
  assert.deepEqual(reached(root, 'bench/rows/api.ts'), [], 'no test measures');
  assert.deepEqual(reached(root, 'packages/contract/src/shapes.ts'), [], 'types are gone when a test runs');
  assert.ok(reachSince(root).because.has(DOCS), 'it reads the texts of all files');
});

test('a new file that nothing names, one that every test needs, and one that is read in an unknown way reach everything', (t) => {
  const root = smallRepository(t);
  const all = Object.keys(SMALL).filter(isTest);
  for (const path of ['package.json', 'packages/contract/package.json', 'scripts/alone.ts', 'new.bin']) {
    git(root, 'checkout', '-q', '.');
    write(root, path, `${SMALL[path as keyof typeof SMALL] ?? ''}\n`);
    const { because, everything } = reachSince(root);
    assert.equal(because.size, all.length, path);
    assert.ok(everything?.includes(path), everything);
    git(root, 'clean', '-q', '-f');
  }
});

test('a file that is gone reaches those that import it still', (t) => {
  const root = smallRepository(t);
  rmSync(join(root, 'packages/contract/src/rules.ts'));
  assert.deepEqual([...reachSince(root).because.keys()].sort(), [DOCS, ...SERVER, 'packages/contract/src/rules.test.ts'].sort());
});

test('commits, files that are not committed and files that git does not know count as changes', (t) => {
  const root = smallRepository(t);
  write(root, 'packages/leaf/src/leaf.ts', 'export {};');
  git(root, 'add', '.');
  commit(root);
  write(root, 'docs/api.md', '# Calls');
  write(root, 'packages/leaf/src/new name.ts', 'export {};');
  write(root, 'packages/leaf/src/ä.ts', 'export {};');
  assert.deepEqual(readChanges(root, 'HEAD~1').changed, [
    'docs/api.md',
    'packages/leaf/src/leaf.ts',
    'packages/leaf/src/new name.ts',
    'packages/leaf/src/ä.ts',
  ]);
});

test('where nothing can be decided, that is an error', (t) => {
  const root = smallRepository(t);
  const refused = (ref: string, said: RegExp) =>
    assert.throws(
      () => readChanges(root, ref),
      (error) => error instanceof UndecidedError && said.test(error.message),
    );
  refused('nonsense', /nonsense: this clone has no such commit/);
  refused('', /no such commit/);
  refused('--help', /no such commit/);
  refused('HEAD', /Nothing differs from HEAD/);
  write(root, 'apps/server/src/main.ts', 'import {');
  assert.throws(() => reachSince(root), /Unexpected token/);

  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/test.ts'), '--since', 'no-such-commit'], {
    encoding: 'utf8',
  });
  assert.equal(status, 2);
  assert.match(stderr, /--since no-such-commit: this clone has no such commit, branch or tag\.\n\nUsage:/);
  assert.doesNotMatch(stdout, /passed/);
});

test('types are not loaded, templates leave gaps, and texts that are no paths are left out', () => {
  const text = `import type { A } from './a.ts'; import { type B } from './b.ts'; export { c } from './c.ts'; const d = import('./d.ts');
    const e = \`../e/\${name}.ts\`; type F = './f.ts'; const g = join(here, 'folder'); say('word', '/absolute', 'two words.ts');`;
  assert.deepEqual(namesIn('x.ts', text), { modules: ['./b.ts', './c.ts', './d.ts'], types: ['./a.ts'], paths: ['../e/*.ts', 'folder'] });
});

test('in this repository a leaf reaches its own tests, the contract most of those of server and command line, and nothing is unknown', () => {
  const tests = allTestFiles();
  const files = listFiles();
  const repository = readRepository(ROOT, files, tests);
  const reachedBy = (path: string) => [...reachOf(repository, [path]).because.keys()];

  const leaf = reachedBy('packages/builder/fixtures/agents/procfile/Procfile');
  assert.ok(leaf.includes('packages/builder/src/detect/golden.test.ts'));
  assert.ok(leaf.length < 10, leaf.join('\n'));
  const page = reachedBy('apps/console/src/ui/text/time.ts');
  assert.ok(page.includes('apps/console/src/ui/text/time.test.ts'));
  assert.ok(page.some((test) => test.startsWith('e2e/demo/')));
  assert.ok(page.length < tests.length / 4, page.join('\n'));
  const contract = reachedBy('packages/contract/src/routes.ts');
  const ofApps = (paths: string[]) => paths.filter((path) => /^apps\/(server|cli)\//.test(path)).length;
  assert.ok(ofApps(contract) > 0.6 * ofApps(tests), `${ofApps(contract)} of ${ofApps(tests)}`);
  assert.equal(reachedBy('package-lock.json').length, tests.length);

  const unknown = files.filter((path) => reachOf(repository, [path]).everything?.startsWith('nothing is known'));
  assert.deepEqual(unknown, [], 'each needs a rule in scripts/test/since/rules.ts, or a test');
  const idle = namedFiles.filter((pattern) => !files.some((path) => matchesGlob(path, pattern)));
  assert.deepEqual(idle, [], 'scripts/test/since/rules.ts names them, and they are not there');
});

/** Lists files as git would. The tests also run in copies without git. */
function listFiles(): string[] {
  const made = /(^|\/)(node_modules|dist|results|test-results|playwright-report)(\/|$)/;
  const folders = '{apps,packages,e2e,bench,scripts,faults,attacks,docs,examples}/**';
  const found = globSync([folders, '*.*', '.ci/run', '.*rc*', '.node-version', '.gitignore'], {
    cwd: ROOT,
    exclude: (path) => made.test(path),
  });
  return found.filter((path) => !path.endsWith('.log') && statSync(join(ROOT, path)).isFile());
}
