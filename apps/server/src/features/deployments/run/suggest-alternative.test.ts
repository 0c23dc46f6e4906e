import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findMissingDependency } from './diagnose-output.ts';
import { suggestAlternative } from './suggest-alternative.ts';

function archive(t: TestContext, ...paths: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-instead-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of paths) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  return folder;
}
const built = (app_dir: string, cwd = '') => ({ app_dir, cwd, plan: { start: ['python', 'main.py'] } });
const python = (path: string) => [`FileNotFoundError: [Errno 2] No such file or directory: '${path}'`];
const node = (path: string) => [`Error: ENOENT: no such file or directory, open '${path}'`];

test('a file that is not there is told with the template beside it', (t) => {
  const app_dir = archive(t, 'config/desk.example.yml', 'config/other.yml', 'desk.yml');
  const instead = suggestAlternative(python('/app/config/desk.yml'), built(app_dir));
  assert.equal(instead, 'The archive has config/desk.example.yml: copy it to desk.yml and fill it in.');
  assert.match(
    findMissingDependency(python('/app/config/desk.yml'), { instead }) ?? '',
    /^It opens config\/desk\.yml, which is not there\. The archive has config\/desk\.example\.yml: .* Then deploy again\.$/,
  );
  assert.equal(suggestAlternative(python('desk.yml'), built(app_dir, 'config')), instead, 'from the folder in which the agent runs');
  assert.equal(suggestAlternative(python('/app/config/lamp.yml'), built(app_dir)), undefined);
});

test('a file that a build leaves in its source is told with its place', (t) => {
  const app_dir = archive(t, 'src/public/lamp.jpg', 'views/page.html');
  assert.match(
    suggestAlternative(node('/app/dist/public/lamp.jpg'), built(app_dir)) ?? '',
    /^The archive has src\/public\/lamp\.jpg, which the build does not copy to dist\/public/,
  );
  assert.match(suggestAlternative(node('/app/build/views/page.html'), built(app_dir)) ?? '', /has views\/page\.html/);
});

test('a program that asks on a terminal and reads its command line is told how to give it there', (t) => {
  const app_dir = archive(t);
  const asks = (path: string) => [`  File "/app/${path}", line 9, in <module>`, '    a = input()', 'EOFError: EOF when reading a line'];
  writeFileSync(join(app_dir, 'main.py'), 'import sys\na = sys.argv[1] if len(sys.argv) > 1 else input()\n');
  writeFileSync(join(app_dir, 'plain.py'), 'a = input()\n');
  symlinkSync(join(app_dir, 'main.py'), join(app_dir, 'linked.py'));
  const instead = suggestAlternative(asks('main.py'), built(app_dir));
  assert.equal(
    instead,
    'Or give it as an argument, since main.py reads them (sys.argv): the start command `python main.py "…"` in the build settings.',
  );
  assert.match(
    findMissingDependency(asks('main.py'), { instead }) ?? '',
    /^It asks for input on a terminal, .*variables\. Or give it as an argument, /,
  );
  for (const path of ['plain.py', 'none.py', 'linked.py', '../main.py'])
    assert.equal(suggestAlternative(asks(path), built(app_dir)), undefined, path);
});

test('a file that the build made deeper than the start looks for it is told with the command that starts it', (t) => {
  const app_dir = archive(
    t,
    'backend/dist/backend/src/index.js',
    'backend/dist/node_modules/a/index.js',
    'two/dist/a/index.js',
    'two/dist/b/index.js',
  );
  const absent = (path: string) => [`Error: Cannot find module '/app/${path}'`];
  const start = { app_dir, cwd: 'backend', plan: { start: ['node', './dist/index.js'] } };
  const instead = suggestAlternative(absent('backend/dist/index.js'), start);
  assert.match(
    findMissingDependency(absent('backend/dist/index.js'), { instead }) ?? '',
    /The file \/app\/backend\/dist\/index\.js is not there: the build made backend\/dist\/backend\/src\/index\.js\. Give the start command `node dist\/backend\/src\/index\.js`/,
  );
  for (const path of ['two/dist/index.js', 'none/index.js', '../a/index.js'])
    assert.equal(suggestAlternative(absent(path), start), undefined, path);
});

test('nothing outside of the archive is looked at, and what cannot be listed is no failure', (t) => {
  const app_dir = archive(t, 'main.py');
  symlinkSync('/etc', join(app_dir, 'linked'));
  for (const path of ['/etc/passwd', '../../etc/passwd', '/app/../etc/passwd', '/app/linked/passwd', '/app/main.py/x', '/app/none/x'])
    assert.equal(suggestAlternative(python(path), built(app_dir)), undefined, path);
  for (let n = 0; n < 600; n++) writeFileSync(join(app_dir, `f${n}`), '');
  assert.equal(suggestAlternative(python('/app/lamp.yml'), built(app_dir)), undefined, 'too many neighbours');
});
