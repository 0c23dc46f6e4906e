import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const build = join(import.meta.dirname, '../build.ts');

test('the published form is one file that runs by itself, with its licences, and a package of nothing else', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-build-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [build, folder], { timeout: 60_000 });
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--offline'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  assert.deepEqual(files.map(({ path }) => path).sort(), ['LICENSE', 'package.json', 'paddock.mjs']);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  assert.deepEqual([manifest['bin'], manifest['dependencies'], manifest['private']], [{ paddock: 'paddock.mjs' }, undefined, undefined]);

  const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(folder, 'paddock.mjs'), ...args], { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });
  assert.equal(run('--version').stdout, '0.1.0\n');
  const refused = run('list', '--json');
  assert.deepEqual([refused.status, (JSON.parse(refused.stdout) as { code: string }).code, refused.stderr], [3, 'not_signed_in', '']);
  const doctor = JSON.parse(run('doctor', '--json', '--url', 'http://127.0.0.1:9').stdout) as { checks: { name: string; state: string }[] };
  assert.deepEqual(
    doctor.checks.filter(({ state }) => state === 'problem').map(({ name }) => name),
    ['Server'],
  );

  const client = new Client({ name: 'test', version: '0' });
  t.after(() => client.close());
  const command = { command: process.execPath, args: [join(folder, 'paddock.mjs'), 'mcp'], cwd: folder };
  await client.connect(new StdioClientTransport({ ...command, env: { ...env, PADDOCK_URL: 'http://127.0.0.1:9' } }));
  assert.ok(
    (await client.listTools()).tools.some(({ name, inputSchema }) => name === 'deploy_folder' && inputSchema.required?.includes('path')),
  );
  const wrong = await client.callTool({ name: 'deploy_folder', arguments: { path: 7 } });
  assert.match(JSON.stringify(wrong.content), /expected string, received number at path/);
  assert.match(JSON.stringify((await client.callTool({ name: 'list_projects' })).content), /You are not logged in/);

  const text = readFileSync(join(folder, 'paddock.mjs'), 'utf8');
  for (const name of ['@modelcontextprotocol/sdk', 'commander', 'ignore', 'ws', 'yaml', 'yazl', 'zod'])
    assert.match(text, new RegExp(`^${name}\\n\\n`, 'm'), `the licence of ${name}`);
});
