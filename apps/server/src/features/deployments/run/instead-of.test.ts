import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { insteadOf } from './instead-of.ts';
import { missingPart } from './missing.ts';

function archive(t: TestContext, ...paths: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-instead-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of paths) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  return folder;
}
const python = (path: string) => [`FileNotFoundError: [Errno 2] No such file or directory: '${path}'`];
const node = (path: string) => [`Error: ENOENT: no such file or directory, open '${path}'`];

test('a file that is not there is told with the template beside it', (t) => {
  const app_dir = archive(t, 'config/desk.example.yml', 'config/other.yml', 'desk.yml');
  const instead = insteadOf(python('/app/config/desk.yml'), { app_dir, cwd: '' });
  assert.equal(instead, 'The archive has config/desk.example.yml: copy it to desk.yml and fill it in.');
  assert.match(
    missingPart(python('/app/config/desk.yml'), { instead }) ?? '',
    /^It opens config\/desk\.yml, which is not there\. The archive has config\/desk\.example\.yml: .* Then deploy again\.$/,
  );
  assert.equal(insteadOf(python('desk.yml'), { app_dir, cwd: 'config' }), instead, 'from the folder in which the agent runs');
  assert.equal(insteadOf(python('/app/config/lamp.yml'), { app_dir, cwd: '' }), undefined);
});

test('a file that a build leaves in its source is told with its place', (t) => {
  const app_dir = archive(t, 'src/public/lamp.jpg', 'views/page.html');
  assert.match(
    insteadOf(node('/app/dist/public/lamp.jpg'), { app_dir, cwd: '' }) ?? '',
    /^The archive has src\/public\/lamp\.jpg, which the build does not copy to dist\/public/,
  );
  assert.match(insteadOf(node('/app/build/views/page.html'), { app_dir, cwd: '' }) ?? '', /has views\/page\.html/);
});

test('nothing outside of the archive is looked at, and what cannot be listed is no failure', (t) => {
  const app_dir = archive(t, 'main.py');
  symlinkSync('/etc', join(app_dir, 'linked'));
  for (const path of ['/etc/passwd', '../../etc/passwd', '/app/../etc/passwd', '/app/linked/passwd', '/app/main.py/x', '/app/none/x'])
    assert.equal(insteadOf(python(path), { app_dir, cwd: '' }), undefined, path);
  for (let n = 0; n < 600; n++) writeFileSync(join(app_dir, `f${n}`), '');
  assert.equal(insteadOf(python('/app/lamp.yml'), { app_dir, cwd: '' }), undefined, 'too many neighbours');
});
