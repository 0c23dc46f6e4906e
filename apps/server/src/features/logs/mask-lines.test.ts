import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { type DataProtectionSettings, defaultDataProtection } from '@paddock/contract';
import { type PiiAction, type PiiType, piiTypes, projectTokenKey, tokeniser } from '@paddock/pii';
import type { RuntimeDriver } from '@paddock/runtime';
import { zip } from '../../../test/archives.ts';
import { atEnd } from '../../../test/postgres.ts';
import { startApi } from '../../../test/server.ts';
import { teamOf } from '../../../test/team-of.ts';
import { createLog } from '../../log.ts';
import { knownSecrets } from '../../protection/agent-secrets/known-secrets.ts';
import { startScanner } from '../../protection/scanner/start.ts';
import { createProtectionReader } from '../../protection/settings-store.ts';
import { tokenKey } from '../../secrets/token-key.ts';
import { collectOutput } from './collector.ts';
import { createLineMasker, type MaskLines } from './mask-lines.ts';
import { logStore } from './store.ts';
import { logWriter } from './writer.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

const log = createLog('fatal');
const { readBlanking } = knownSecrets(async () => []);
type Masking = Parameters<typeof createLineMasker>[0];

/** A deployment of a project with these settings. Its lines come from files, as those of agents do. */
async function agent(t: TestContext, { redact_logs = true, actions = {} as Partial<Record<PiiType, PiiAction>>, ...more }) {
  const { api } = await world.person();
  const { id: project_id } = await api.projects.create({ name: 'logging' });
  const { id } = await api.deployments.create({ project_id, file: zip({ 'server.js': '1' }), file_name: 'a.zip' });
  const rules = Object.fromEntries(piiTypes.map((type) => [type, { action: actions[type] ?? 'mask', traffic: 'none' }]));
  if (redact_logs)
    await api.governance.setDataProtection({
      id: project_id,
      ...defaultDataProtection,
      rules: rules as DataProtectionSettings['rules'],
      redact_logs,
    });
  const team_id = await teamOf(world.sql, { project_id });
  const key = tokenKey(world.seal);
  const mask = createLineMasker({
    protectionOf: createProtectionReader(world.sql),
    readBlanking,
    scanner: startScanner(),
    key,
    ...(more as Partial<Masking>),
  });
  const store = logStore(world.sql);
  const folder = await mkdtemp(join(tmpdir(), 'paddock-output-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const collect = async (output: string, masked: MaskLines = mask) => {
    const files = { stdout: join(folder, 'out'), stderr: join(folder, 'err') };
    await writeFile(files.stdout, output);
    await writeFile(files.stderr, '');
    const driver = { output: () => files, releaseOutput: async () => undefined } as unknown as RuntimeDriver;
    const parts = { driver, store, mask: masked, log };
    await collectOutput(parts, { id: `ins-${id}`, deployment_id: id }, { hasExited: () => true, signal: AbortSignal.timeout(30_000) });
  };
  const messages = async () => (await api.logs.list({ id, limit: 500 })).logs.map(({ message }) => message);
  return { api, id, team_id, project_id, mask, store, collect, messages };
}

test('personal data in lines of an agent is masked before they are stored, in prose and in JSON, in their order', async (t) => {
  const { api, id, collect, messages } = await agent(t, {});
  await collect('begins\nmail from ada@example.com\n{"level":"error","ssn":"536-22-8726","note":"call"}\n\nends\n');
  assert.deepEqual(await messages(), ['begins', 'mail from [EMAIL]', '{"level":"error","ssn":"[SSN]","note":"call"}', '', 'ends']);
  const { logs } = await api.logs.list({ id });
  assert.deepEqual(
    logs.map(({ number, level }) => [number, level]),
    [
      [1, 'info'],
      [2, 'info'],
      [3, 'error'],
      [4, 'info'],
      [5, 'info'],
    ],
  );
  assert.doesNotMatch(await api.logs.download({ id }), /ada@example|8726/);
});

test('a project that does not want it has its lines as they were written', async (t) => {
  const { collect, messages } = await agent(t, { redact_logs: false });
  await collect('mail from ada@example.com\n');
  assert.deepEqual(await messages(), ['mail from ada@example.com']);
});

test('the project says what becomes of each type: a token that is the same for the same value in the project, or nothing', async (t) => {
  const { collect, messages, project_id } = await agent(t, { actions: { Email: 'tokenise', 'IP Address': 'allow', SSN: 'block' } });
  await collect('ada@example.com from 203.0.113.7\nADA@example.com again, ssn 536-22-8726\n');
  const [first = '', second = ''] = await messages();
  const token = tokeniser(projectTokenKey(tokenKey(world.seal), project_id))('Email', 'ada@example.com');
  assert.equal(first, `${token} from 203.0.113.7`);
  assert.equal(second, `${token} again, ssn [SSN]`);
});

test('lines of a build are masked as well, also where the message of its failure quotes them', async (t) => {
  const { id, team_id, mask, store, messages } = await agent(t, {});
  const out = logWriter({ store, mask, log }, { id, team_id });
  out.build('stdout', 'cloned by ada@example.com');
  out.write('platform', 'error', 'it failed:\nada@example.com may not read it');
  await out.flush();
  assert.deepEqual(await messages(), ['cloned by [EMAIL]', 'it failed:', '[EMAIL] may not read it']);
  assert.equal(await out.masked('Build failed.\n\nLast lines:\nby ada@example.com'), 'Build failed.\n\nLast lines:\nby [EMAIL]');
});

test('a line that cannot be scanned in time is stored as not scanned, never as it is', async (t) => {
  const { collect, messages } = await agent(t, { budgetMs: 0 });
  await collect('ada@example.com\n'.repeat(500));
  const stored = await messages();
  assert.equal(stored.length, 500);
  assert.equal(stored.at(-1), '[not scanned: it took too long]');
  assert.doesNotMatch(stored.join('\n'), /ada@/);
});

test('a batch at which scanning dies is stored as not scanned and not tried again', async (t) => {
  const { collect, messages } = await agent(t, { scanner: startScanner({ waitMs: 1 }) });
  await collect('4111 1111 1111 1112 '.repeat(800).concat('\n').repeat(20));
  assert.deepEqual(
    [...new Set(await messages())].map((line) => line.slice(0, 40)),
    ['[not scanned: it took too long]'.slice(0, 40)],
  );
});

test('a line that was cut tells nothing of the value that it was cut in', async (t) => {
  const { collect, messages } = await agent(t, {});
  const long = `${'x '.repeat(8_185)}536-22-8726`;
  await collect(`${long}${' y'.repeat(100)}\n`);
  const [line = ''] = await messages();
  assert.match(line, /line cut at 16 KiB\]$/);
  assert.doesNotMatch(line, /536/);
});

test('while the wishes of a project cannot be read nothing is stored, and nothing is lost', async (t) => {
  const { id, mask, store, collect, messages } = await agent(t, {});
  const unknown = createLineMasker({
    protectionOf: () => Promise.reject(new Error('the database is away')),
    readBlanking,
    scanner: startScanner(),
    key: new Uint8Array(32),
  });
  let tries = 0;
  await collect('mail from ada@example.com\n', async (...asked) => {
    if (++tries > 1) return mask(...asked);
    assert.equal((await store.after(id, 0, 10)).length, 0);
    return unknown(...asked);
  });
  assert.equal(tries, 2);
  assert.deepEqual(await messages(), ['mail from [EMAIL]']);
});

test('what is found in lines is counted, a scan for each batch, and only for what was stored', async (t) => {
  const { api, collect } = await agent(t, {});
  await collect('ada@example.com and bob@example.com\nssn 536-22-8726\nnothing\n');
  assert.deepEqual(await api.governance.piiDetection({}), {
    total_scans: 1,
    pii_detected: 3,
    auto_redacted: 3,
    types_detected: { Email: 2, SSN: 1 },
  });
});

test('settings that cannot be read are as the defaults, and a change is heeded within seconds', async () => {
  const { api } = await world.person();
  const { id: project_id } = await api.projects.create({ name: 'odd' });
  const { id } = await api.deployments.create({ project_id, file: zip({ 'server.js': '1' }), file_name: 'a.zip' });
  let now = 0;
  const ask = createProtectionReader(world.sql, () => now);
  for (const settings of ['[]', '"x"', '{"redact_logs": "yes", "rules": {"Email": {"action": "none"}}}']) {
    await world.sql`
      insert into data_protection (project_id, team_id, settings)
      select id, team_id, ${settings}::jsonb
      from projects
      where id = ${project_id}
      on conflict (project_id) do update
      set settings = excluded.settings`;
    now += 6_000;
    assert.deepEqual((await ask(id))?.settings, defaultDataProtection);
  }
  await api.governance.setDataProtection({ id: project_id, ...defaultDataProtection, redact_logs: true });
  assert.equal((await ask(id))?.settings.redact_logs, false);
  now += 6_000;
  assert.equal((await ask(id))?.settings.redact_logs, true);
  assert.equal(await ask('dep_gone'), undefined);
});

test('escape sequences of a terminal hide no value in a line, and stand behind its mask', async (t) => {
  const { collect, messages } = await agent(t, {});
  await collect(
    'paid by \u001b[31m4111\u001b[0m \u001b[1m1111 1111\u001b[22m 1111\u001b[0m.\n\u001b[32mada\u001b[0m@exa\u0007mple.com\n{"card":"4111\\u001b[31m 1111 1111 1111"}\n',
  );
  assert.deepEqual(await messages(), [
    'paid by \u001b[31m[CREDIT_CARD]\u001b[0m\u001b[1m\u001b[22m\u001b[0m.',
    '\u001b[32m[EMAIL]\u001b[0m',
    '{"card":"[CREDIT_CARD]\\u001b[31m"}',
  ]);
});
