import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { exportFiltered, exportWhole, makeLog } from '@paddock/audit-verifier/make-log';
import type { AuditLog, Verification } from '@paddock/contract';
import { toolProgram } from '../../../../scripts/test/product.ts';
import { run, scriptedApi } from '../databases/scripted-api.ts';

const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
const main = toolProgram();
const log = (more: Partial<AuditLog> = {}): AuditLog => ({
  id: 'aud_1',
  seq: 1,
  timestamp: '2026-11-23T10:00:00.123Z',
  agent_id: 'prj_chat',
  agent_name: 'chat',
  action_type: 'request',
  action: 'POST /chat',
  actor: { type: 'visitor', id: null, name: null },
  targets: [],
  input_data: null,
  output_data: null,
  duration_ms: 1840,
  status: 'success',
  trace_id,
  metadata: { ip_address: null, user_agent: null, request_id: 'req_1' },
  pii: null,
  recorded_at: '2026-11-23T10:00:01.000Z',
  is_erased: false,
  hash: 'f'.repeat(64),
  ...more,
});
const verification = (more: Partial<Verification> = {}): Verification => ({
  valid: true,
  checked: 9,
  first_bad: null,
  up_to_seq: 9,
  head_seq: 9,
  checkpoint_seq: 9,
  next_seq: null,
  ...more,
});

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-audit-cli-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('records are listed by the filters that were typed, and nothing that a visitor sent acts on the terminal', async (t) => {
  const pages: Record<string, unknown>[] = [];
  const { url } = await scriptedApi(t, {
    'GET /projects': () => ({ projects: [{ id: 'prj_chat', name: 'chat' }], next_cursor: null }),
    'GET /governance/audit-logs': (input) => {
      pages.push(input);
      // A page of a search may have few records although there are more.
      if (pages.length === 1) return { logs: [log()], next_cursor: 'more', match_count: 12 };
      const second = log({
        id: 'aud_0',
        action: 'GET /\u202e\x1b[2J',
        agent_name: null,
        duration_ms: null,
        actor: { type: 'key', id: 'key_1', name: 'CI' },
      });
      return { logs: [second], next_cursor: 'even more', match_count: null };
    },
  });
  const typed = [
    '--agent',
    'chat',
    '--type',
    'request',
    '--status',
    'success',
    '--since',
    '2026-11-23T00:00:00Z',
    '--until',
    '2026-11-24T00:00:00Z',
  ];
  const { code, out, notes } = await run(url, [
    'audit',
    'list',
    ...typed,
    '--search',
    'req_1',
    '--trace',
    trace_id.toUpperCase(),
    '--user',
    'usr_1',
    '--limit',
    '2',
  ]);
  const filter = {
    agent: 'prj_chat',
    action_type: 'request',
    status: 'success',
    date_from: '2026-11-23T00:00:00.000Z',
    date_to: '2026-11-24T00:00:00.000Z',
    search: 'req_1',
    trace_id,
    user: 'usr_1',
  };
  assert.deepEqual(pages, [
    { ...filter, limit: '2' },
    { ...filter, limit: '1', cursor: 'more' },
  ]);
  assert.equal(code, 0);
  const [, first, second] = out.split('\n');
  assert.match(first ?? '', /^2026-11-23 10:00:00 {2}POST \/chat +request +success +chat +visitor +1\.84 s +aud_1$/);
  assert.match(second ?? '', /GET \/ +request +success +– +CI +– +aud_0$/);
  assert.match(notes, /There are more\./);
  pages.length = 0;
  const json = JSON.parse((await run(url, ['audit', 'list', '--agent', 'prj_gone', '--limit', '1'], { json: true })).out) as {
    logs: AuditLog[];
  };
  assert.deepEqual([json.logs, pages], [[log()], [{ agent: 'prj_gone', limit: '1' }]]);
  for (const wrong of [
    ['--limit', '501'],
    ['--trace', 'abc'],
    ['--since', 'soon'],
    ['--until', 'soon'],
  ])
    assert.equal((await run(url, ['audit', 'list', ...wrong])).code, 2, wrong.join(' '));
});

/** A server that sends the export in these pieces, and breaks off if `end` is 'broken'. */
async function exporter(t: TestContext, pieces: string[], end: 'whole' | 'broken' = 'whole') {
  const asked: unknown[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse) {
    asked.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-disposition': 'attachment; filename="audit-logs.jsonl"' });
    for (const piece of pieces) response.write(piece);
    if (end === 'whole') response.end();
    else setImmediate(() => response.destroy());
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('an export is saved as it comes, for its owner alone, and passes the verification', async (t) => {
  const folder = folderOf(t);
  const file = join(folder, 'audit.jsonl');
  const made = makeLog({ count: 9 });
  const { url, asked } = await exporter(
    t,
    exportWhole(made).map((line) => `${line}\n`),
  );
  const { code, out } = await run(url, ['audit', 'export', '-o', file, '--type', 'request']);
  assert.deepEqual([code, out, asked], [0, `${file}\n`, [{ action_type: 'request', format: 'jsonl' }]]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['audit.jsonl']);
  assert.equal((await run('http://127.0.0.1:9', ['audit', 'verify', file, '--key', made.keys.public])).code, 0);
  const again = JSON.parse((await run(url, ['audit', 'export', '-o', file, '--format', 'csv'], { json: true })).out) as unknown;
  assert.deepEqual(again, { file, bytes: statSync(file).size, format: 'csv' });
});

test('an export that breaks off, or is refused, leaves no file and an older one as it was', async (t) => {
  const folder = folderOf(t);
  const file = join(folder, 'audit.jsonl');
  writeFileSync(file, 'older');
  const { url } = await exporter(t, ['{"type":"header"}\n'], 'broken');
  assert.equal((await run(url, ['audit', 'export', '-o', file])).code, 5);
  const { url: other } = await scriptedApi(t, {});
  assert.equal((await run(other, ['audit', 'export', '-o', join(folder, 'none.jsonl')])).code, 4);
  assert.deepEqual([readdirSync(folder), readFileSync(file, 'utf8')], [['audit.jsonl'], 'older']);
  const { url: whole } = await exporter(t, ['x']);
  const unwritable = await run(whole, ['audit', 'export', '-o', join(folder, 'none', 'audit.jsonl')]);
  assert.deepEqual([unwritable.code, /cannot be written \(ENOENT\)/.test(unwritable.notes)], [1, true]);
});

test('the server verifies its records piece by piece, and the verdict is the exit code', async (t) => {
  let answers: Verification[] = [];
  const from: unknown[] = [];
  const { url } = await scriptedApi(t, {
    'POST /governance/audit-logs/verify': ({ from_seq }) => {
      from.push(from_seq);
      return answers.shift();
    },
  });
  const verify = async (...given: Partial<Verification>[]) => {
    answers = given.map(verification);
    return run(url, ['audit', 'verify']);
  };
  const valid = await verify({ checked: 5, up_to_seq: 5, next_seq: 6 }, { checked: 4 });
  assert.deepEqual([valid.code, from], [0, [1, 6]]);
  assert.match(valid.out, /^Valid: signed checkpoints cover all records\.\nRecords {3}9\n/);
  const unproven = await verify({ checkpoint_seq: 7 });
  assert.deepEqual(
    [unproven.code, unproven.out.split('\n')[0]],
    [2, 'Unproven: no signed checkpoint covers records 8 to 9 yet. One is signed within three minutes after a record: verify again then.'],
  );
  assert.equal((await verify({ checkpoint_seq: 0 })).code, 2);
  const broken = await verify({ valid: false, first_bad: { seq: 4, id: 'aud_4', reason: 'The hash \x1b[2Jis wrong.' }, next_seq: 5 });
  assert.deepEqual([broken.code, broken.out.split('\n')[0]], [1, 'Broken from record 4 (aud_4): The hash is wrong.']);
  assert.equal((await verify({ next_seq: 1 })).code, 64);
  const { url: older } = await scriptedApi(t, {});
  assert.equal((await run(older, ['audit', 'verify'])).code, 4);
  assert.equal((await run('http://127.0.0.1:9', ['audit', 'verify', '--key', 'x'])).code, 64);
});

test('an export is verified without any server, login or configuration, and nothing but a verdict exits with 0, 1 or 2', (t) => {
  const folder = folderOf(t);
  const write = (name: string, lines: string[]) => {
    writeFileSync(join(folder, name), lines.map((line) => `${line}\n`).join(''));
    return name;
  };
  const made = makeLog();
  const whole = write('whole.jsonl', exportWhole(made));
  const filtered = write('filtered.jsonl', exportFiltered(made, [2, 7]));
  const [first = '', second = ''] = made.checkpoints;
  const kept = [write('a.jsonl', [first]), write('b.jsonl', [second])].flatMap((file) => ['--checkpoints', file]);
  const cut = write('cut.jsonl', exportWhole({ ...made, rows: made.rows.slice(0, 4), checkpoints: [first] }));
  const key = write('key', [made.keys.public]);
  const env = { PATH: process.env['PATH'], HOME: join(folder, 'none'), PADDOCK_URL: 'not an address' };
  const verify = (...args: string[]) =>
    spawnSync(process.execPath, [main, 'audit', 'verify', ...args], { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });
  const json = verify('--json', filtered, '--key', key, ...kept);
  const { verdict, is_filtered } = JSON.parse(json.stdout) as { verdict: string; is_filtered: boolean };
  assert.deepEqual([json.status, verdict, is_filtered], [0, 'valid', true]);
  assert.equal(verify(whole, ...kept).status, 2);
  const broken = verify(cut, ...kept);
  assert.equal(broken.status, 1);
  assert.match(broken.stdout, /^Broken from record 5 \(line \d+\): The log ends with record 4/);
  for (const wrong of [['none.jsonl'], [whole, '--bogus'], [whole, whole], [whole, '--key'], [whole, '--key', 'none'], ['.'], []])
    assert.equal(verify(...wrong).status, 64, wrong.join(' '));
  assert.equal((JSON.parse(verify('--json', 'none.jsonl').stdout) as { code: string }).code, 'usage');
  assert.equal(verify('--help').status, 0);
});
