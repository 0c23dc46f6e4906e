import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { changeConfig, configPath, readConfig } from './config-file.ts';
import { serverUrl } from './context.ts';

function newPath(t: TestContext): string {
  const home = mkdtempSync(join(tmpdir(), 'paddock-config-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  return configPath({ XDG_CONFIG_HOME: home });
}
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('the file is for its owner alone, whatever it and its folder were before', async (t) => {
  const path = newPath(t);
  mkdirSync(dirname(path), { mode: 0o755 });
  await changeConfig(path, (config) => void (config.servers['http://a'] = { api_key: 'pk_live_a' }));
  assert.deepEqual([mode(dirname(path)), mode(path)], ['700', '600']);
  chmodSync(path, 0o644);
  await readConfig(path);
  assert.equal(mode(path), '600');
});

test('the configuration file is replaced whole, keeps several servers, and leaves no drafts', async (t) => {
  const path = newPath(t);
  for (const url of ['http://a', 'https://b'])
    await changeConfig(path, (config) => {
      config.current = url;
      config.servers[url] = { api_key: `pk_live_${url}` };
    });
  const inode = statSync(path).ino;
  await changeConfig(path, (config) => void delete config.servers['http://a']);
  assert.notEqual(statSync(path).ino, inode);
  assert.deepEqual(await readConfig(path), {
    current: 'https://b',
    servers: { 'https://b': { api_key: 'pk_live_https://b' } },
    projects: {},
  });
  assert.deepEqual(readdirSync(dirname(path)), ['config.json']);
});

test('a broken configuration file is an error and is not overwritten', async (t) => {
  const path = newPath(t);
  mkdirSync(dirname(path));
  writeFileSync(path, '{ "servers": ');
  await assert.rejects(
    changeConfig(path, () => undefined),
    /is not a configuration of paddock/,
  );
});

test('a server is named by its address alone', () => {
  for (const [typed, url] of [
    ['http://localhost:4000/', 'http://localhost:4000'],
    ['localhost:4000', 'http://localhost:4000'],
    ['paddock.example.com', 'https://paddock.example.com'],
    ['https://paddock.example.com:8443', 'https://paddock.example.com:8443'],
  ] as const)
    assert.equal(serverUrl(typed, '--url'), url);
  for (const typed of [
    '',
    'http://',
    'http://user:secret@host',
    'http://host/path',
    'http://host?x=1',
    'file:///etc/passwd',
    'javascript:alert(1)',
  ])
    assert.throws(() => serverUrl(typed, '--url'), { code: 'usage' }, typed);
});
