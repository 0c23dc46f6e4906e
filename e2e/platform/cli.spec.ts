import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database, DatabaseBackup } from '@paddock/contract';
import { test as base } from '@playwright/test';
import postgres from 'postgres';
import { ask, newPerson, type Person, reaches, someName } from './api.ts';
import { expect } from './console.ts';
import { openLine } from './line.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const examples = join(import.meta.dirname, '../../examples');

/** A person with a key for all scopes, a terminal that is logged in with it, and a folder for agents. */
const test = base.extend<{ person: Person; key: string; terminal: Terminal; folder: string }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's pattern
  person: async ({}, use) => use(await newPerson()),
  key: async ({ person }, use) => {
    const scopes = [
      'agents:read',
      'agents:write',
      'agents:deploy',
      'agents:delete',
      'projects:read',
      'projects:write',
      'databases:read',
      'logs:read',
    ] as const;
    await use((await person.api.apiKeys.create({ name: 'test', scopes: [...scopes] })).api_key);
  },
  terminal: async ({ key }, use) => {
    const terminal = await openTerminal();
    const { code } = await terminal.run(['login', '--api-key', '-'], { input: `${key}\n` });
    expect(code).toBe(0);
    await use(terminal);
    await terminal.close();
  },
  // oxlint-disable-next-line no-empty-pattern -- as above
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'paddock-cli-'));
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
});

test('in a terminal: deploy an example, follow its log, deploy again, roll back, stop', async ({ person, terminal, folder }) => {
  const name = someName('chat');
  const agent = join(folder, 'agent');
  await cp(join(examples, 'chat'), agent, { recursive: true });
  await writeFile(join(agent, '.env'), 'SECRET=1\n');
  await terminal.type(`cd ${agent}; paddock deploy --project ${name} --create; echo "code $?"`);
  await terminal.shows(/\.env stays here[^]*Project chat-\w+ was made[^]*Building[^]*Plan: [^]*npm start|node server\.js/);
  const [, address = ''] = await terminal.shows(/Active\.[^]*?(http:\/\/\S+)\s+code 0/);
  // Gateways learn of an active deployment a moment after the API reports it.
  await expect.poll(async () => (await ask(address)).status).toBe(200);

  await terminal.clear();
  await terminal.type('paddock logs -f');
  await terminal.shows(/Chat agent listens on port/);
  await ask(address, '/v1/chat/completions', JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] }));
  await terminal.shows(/answered \d+ characters/);
  await terminal.press('C-c');

  // The folder's project is stored.
  await writeFile(join(agent, 'index.html'), 'the second one');
  await terminal.clear();
  await terminal.type('paddock deploy > address.txt; echo "code $?"');
  await terminal.shows(/Active[^]*code 0/);
  expect((await readFile(join(agent, 'address.txt'), 'utf8')).trim()).toBe(address);
  await expect.poll(async () => (await ask(address)).text).toBe('the second one');

  await terminal.clear();
  await terminal.type('paddock rollback; echo "code $?"');
  await terminal.shows(/Going back to dep_\w+[^]*Active[^]*code 0/);
  await expect.poll(async () => (await ask(address)).text).not.toBe('the second one');

  await terminal.clear();
  await terminal.type('paddock status; paddock stop; echo "code $?"');
  await terminal.shows(/Status +active, serves the address[^]*Stopped dep_\w+[^]*code 0/);
  const { deployments } = await person.api.deployments.list({});
  expect(deployments.map(({ trigger }) => trigger)).toEqual(['rollback', 'upload', 'upload']);
  expect(deployments[0]?.status).toBe('stopped');
  await expect.poll(async () => (await ask(address)).status).toBe(503);
});

test('Ctrl-C leaves the deployment alone and says how to cancel it', async ({ person, terminal, folder }) => {
  await writeFile(join(folder, 'main.py'), 'import time\ntime.sleep(60)\n');
  await terminal.type(`paddock deploy ${folder} --project ${someName('slow')} --create; echo "code $?"`);
  await terminal.shows(/Building|Starting/);
  await terminal.press('C-c');
  const [, id = ''] = await terminal.shows(/goes on without you[^]*paddock stop (dep_[\w-]+)[^]*code 130/);
  expect(['queued', 'building', 'deploying', 'active']).toContain((await person.api.deployments.get({ id })).status);
  await terminal.clear();
  await terminal.type(`paddock stop ${id}; echo "code $?"`);
  await terminal.shows(/(Cancelled|Stopped) dep_[^]*code 0/);
});

test('scripts get JSON alone on stdout and an exit code that says what happened', async ({ person, key, terminal, folder }) => {
  const json = async (args: string[], more?: Parameters<Terminal['run']>[1]) => {
    const { code, stdout, stderr } = await terminal.run([...args, '--json'], more);
    return { code, stderr, answer: JSON.parse(stdout) as Record<string, unknown> };
  };
  expect(await json(['whoami'])).toMatchObject({ code: 0, stderr: '', answer: { user: { email: person.email } } });
  expect(await json(['status', 'dep_0'])).toMatchObject({ code: 4, answer: { code: 'deployment_not_found', status: 404 } });
  expect(await json(['list', '--limit', '0'])).toMatchObject({ code: 2, answer: { code: 'usage' } });
  expect(await json(['list', '--colour'])).toMatchObject({ code: 2, answer: { code: 'usage' } });
  expect(await json(['list', '--url', 'http://127.0.0.1:9'], { env: { PADDOCK_API_KEY: key } })).toMatchObject({
    code: 5,
    answer: { code: 'network' },
  });
  expect(await json(['list'], { env: { PADDOCK_API_KEY: 'pk_live_wrong' } })).toMatchObject({ code: 3, answer: { code: 'not_signed_in' } });
  expect(await json(['list'], { env: { PADDOCK_API_KEY: 'pk_demo_0123456789' } })).toMatchObject({ code: 3, answer: { code: 'demo_key' } });
  expect(await json(['list', '--url', 'http://127.0.0.1:9'])).toMatchObject({ code: 3, answer: { code: 'not_signed_in' } });
  expect(await json(['projects', 'delete', 'none-such', '--yes'])).toMatchObject({ code: 4 });

  // A failed build exits with 1 and prints its reason, also without a terminal.
  const name = someName('script');
  await writeFile(join(folder, 'paddock.yaml'), `project: ${name}\nstart: "exit 3"\n`);
  const failed = await json(['deploy', folder]);
  expect(failed).toMatchObject({ code: 1, stderr: '', answer: { status: 'failed', project_name: name } });
  const plain = await terminal.run(['deploy', folder]);
  expect([plain.code, plain.stdout, plain.stderr.includes('\x1b'), plain.stderr.includes('Failed: ')]).toEqual([1, '', false, true]);

  expect(await json(['env', 'set', 'A=1', 'SECRET', '--project', name], { input: 'from stdin\n' })).toMatchObject({ code: 0 });
  await writeFile(join(folder, '.env'), 'B="two\\nlines"\n');
  expect((await terminal.run(['env', 'set', '--file', '.env'], { cwd: folder })).code).toBe(0);
  expect(await json(['env', 'list', '--project', name])).toMatchObject({
    answer: { variables: [{ key: 'A' }, { key: 'B' }, { key: 'SECRET' }] },
  });
  expect(await json(['env', 'unset', 'A', '--project', name])).toMatchObject({ code: 0 });
  expect(await json(['projects', 'delete', name])).toMatchObject({ code: 2 });
  expect(await json(['projects', 'delete', name, '--yes'])).toMatchObject({ code: 0 });
});

test('databases: deployed with, listed, reached by their address, backed up and put back', async ({ key, terminal, folder }) => {
  const name = someName('keeper');
  const json = async <T>(args: string[]) => {
    const { code, stdout } = await terminal.run([...args, '--json']);
    expect(code, stdout).toBe(0);
    return JSON.parse(stdout) as T;
  };
  await writeFile(join(folder, 'paddock.yaml'), `project: ${name}\n`);
  await writeFile(join(folder, 'server.js'), `require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT);`);
  expect((await terminal.run(['deploy', folder, '--database', 'managed'])).code).toBe(0);
  const { databases } = await json<{ databases: Database[] }>(['db', 'list', '--project', name]);
  expect(databases.map(({ type, status }) => [type, status]).sort(([a = ''], [b = '']) => a.localeCompare(b))).toEqual([
    ['postgresql', 'available'],
    ['redis', 'available'],
  ]);
  const unclear = await terminal.run(['db', 'url', '--project', name]);
  expect([unclear.code, unclear.stdout, unclear.stderr.includes('Name one:')]).toEqual([2, '', true]);
  const url = (await terminal.run(['db', 'url', 'postgres'], { cwd: folder })).stdout;
  expect(url).toMatch(/^postgresql:\/\/agent:[\w-]{24,}@127\.0\.0\.1:\d+\/app\n$/);
  const sql = postgres(url.trim(), { max: 1, onnotice: () => undefined });
  try {
    await sql`create table notes as select 'kept' as note`;
    const made = await terminal.run(['db', 'backup', 'postgres'], { cwd: folder });
    expect([made.code, /^bak_[\w-]+\n$/.test(made.stdout), /SHA-256 [0-9a-f]{64}/.test(made.stderr)]).toEqual([0, true, true]);
    await sql`drop table notes`;
    const backup = made.stdout.trim();
    expect((await terminal.run(['db', 'restore', backup])).code).toBe(2);
    expect(await json<Database>(['db', 'restore', backup, '--yes'])).toMatchObject({ type: 'postgresql', status: 'available' });
    expect([...(await sql`select note from notes`)]).toEqual([{ note: 'kept' }]);
    const { backups } = await json<{ backups: DatabaseBackup[] }>(['db', 'backups', 'postgres', '--project', name]);
    expect(backups.map(({ trigger, status }) => [trigger, status])).toEqual([
      ['before_restore', 'available'],
      ['manual', 'available'],
    ]);
  } finally {
    await sql.end({ timeout: 5 });
  }
  // External databases are checked before anything is sent.
  const refused = await terminal.run(['deploy', folder, '--database', 'byo'], {
    env: { PADDOCK_API_KEY: key, PADDOCK_POSTGRES_URL: 'postgresql://me@10.0.0.7/app' },
  });
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('PADDOCK_EGRESS_ALLOW');
});

test('what an agent writes cannot act on the terminal, and a followed log survives cuts of the line: no line twice, none missing', async ({
  person,
  key,
  terminal,
  folder,
}) => {
  const hostile = String.raw`\x1b[31mred\x1b[0m \x1b]0;owned\x07\x1b]8;;https://evil.example\x07link\x1b]8;;\x07 \x1b[2J\x1b[1Aup \x07\x9b5mdone`;
  const counting = 'for n in range(10**6):\n  print("line", n, flush=True)\n  time.sleep(0.01)\n';
  await writeFile(join(folder, 'main.py'), `import time\nprint("${hostile}", flush=True)\n${counting}`);
  const deployed = await terminal.run(['deploy', folder, '--project', someName('count'), '--create', '--no-wait']);
  const id = deployed.stdout.trim();
  await reaches(person, id, 'active');

  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const escapes = (text: string) => [...text.matchAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f](\[[\d;]*m)?/g)].map(([found]) => found);
  const piped = await terminal.run(['logs', id, '--since', '1h']);
  expect(piped.stdout).toContain('red link up');
  expect(escapes(piped.stdout)).toEqual([]);
  // `script` gives the CLI a terminal and records its bytes.
  await terminal.type(`script -qc 'paddock logs ${id} --since 1h' ${folder}/bytes > /dev/null; echo "code $?"`);
  await terminal.shows(/code 0/);
  const onTerminal = await readFile(join(folder, 'bytes'), 'utf8');
  expect(onTerminal).toContain('\x1b[31mred');
  // oxlint-disable-next-line no-control-regex -- as above
  expect(escapes(onTerminal.replaceAll('\r\n', '\n')).filter((found) => !/^\x1b\[[\d;]*m$/.test(found))).toEqual([]);

  const line = await openLine();
  try {
    const file = join(folder, 'lines');
    const numbers = async () => {
      const text = await readFile(file, 'utf8').catch(() => '');
      return text
        .split('\n')
        .slice(0, -1)
        .map((each) => (JSON.parse(each) as { number: number }).number);
    };
    const more = async () => {
      const before = (await numbers()).length;
      await expect.poll(async () => (await numbers()).length).toBeGreaterThan(before + 30);
    };
    await terminal.clear();
    await writeFile(join(terminal.home, 'key'), key);
    await terminal.type(`PADDOCK_API_KEY=$(cat ~/key) paddock logs -f -n 5 --json --url ${line.origin} ${id} > ${file}; echo "code $?"`);
    for (let cuts = 0; cuts < 2; cuts++) {
      await more();
      line.cut();
      line.mend();
    }
    await more();
    await terminal.press('C-c');
    await terminal.shows(/code 0/);
    const got = await numbers();
    expect(got).toEqual(got.map((_, at) => (got[0] ?? 0) + at));
  } finally {
    await line.close();
  }
});

test('rotating replaces the key that is kept, and other keys ask for the password', async ({ person, key, terminal }) => {
  expect((await terminal.run(['keys', 'rotate'])).code).toBe(0);
  expect((await terminal.run(['whoami'])).code).toBe(0);
  expect((await terminal.run(['whoami'], { env: { PADDOCK_API_KEY: key } })).code).toBe(3);
  const signIn = ['--email', person.email, '--password-stdin', '--json'];
  const input = `${person.password}\n`;
  const made = await terminal.run(['keys', 'create', 'ci', '--scope', 'agents:read', ...signIn], { input });
  const { api_key, key_info } = JSON.parse(made.stdout) as { api_key: string; key_info: { id: string } };
  expect((await terminal.run(['list'], { env: { PADDOCK_API_KEY: api_key } })).code).toBe(0);
  const refused = await terminal.run(['projects', '--json'], { env: { PADDOCK_API_KEY: api_key } });
  expect([refused.code, (JSON.parse(refused.stdout) as { code: string }).code]).toEqual([3, 'scope_missing']);
  expect((await terminal.run(['keys', 'revoke', key_info.id, ...signIn], { input })).code).toBe(0);
  expect((await terminal.run(['list'], { env: { PADDOCK_API_KEY: api_key } })).code).toBe(3);
  expect((await terminal.run(['keys', 'list', ...signIn], { input: 'wrong\n' })).code).toBe(3);
});
