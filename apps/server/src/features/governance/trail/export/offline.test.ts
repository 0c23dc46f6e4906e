// The verifier shares no code with the writer: each checks the other.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { AuditLog } from '@paddock/contract';
import { auditEvent, auditedPerson, auditSteps, removePayloads, tamper } from '../../../../../test/audit.ts';
import { atEnd } from '../../../../../test/postgres.ts';
import { startApi } from '../../../../../test/server.ts';
import { checkpointFolder } from '../checkpoints/checkpoint-files.ts';

const program = join(import.meta.dirname, '../../../../../../../packages/audit-verifier/bin/verify-audit.mjs');
let world: Awaited<ReturnType<typeof startApi>>;
let steps: Awaited<ReturnType<typeof auditSteps>>;
let folder: string;
before(async () => {
  world = await startApi({ after: atEnd });
  steps = await auditSteps(world);
  folder = await mkdtemp(join(tmpdir(), 'paddock-export-'));
});
after(() => rm(folder, { recursive: true }));

/** A person with twelve signed records, and a function that verifies an export as another machine would. */
async function owner() {
  const { api, team_id } = await auditedPerson(world);
  const add = async (count: number) => {
    await steps.handIn(
      Array.from({ length: count }, (_, index) =>
        auditEvent(team_id, {
          action: `GET /é${index}`,
          agent_id: index % 3 === 0 ? 'prj_a' : 'prj_b',
          duration_ms: index / 7,
          input_data: { 'ключ\u2028': [1e21, 1e-7, -0, 0.1, true, null, '\ud83d\ude00"\\\n'], a: { b: {} }, '': index },
        }),
      ),
    );
    await steps.sequence();
  };
  const { key } = steps;
  const verify = async (text: string, ...more: string[]) => {
    const file = join(folder, 'export.jsonl');
    await writeFile(file, text);
    const kept = join(checkpointFolder(world.dataDir), `${team_id}.jsonl`);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [program, file, '--key', key.public.toString('base64url'), '--checkpoints', kept, ...more],
      {
        encoding: 'utf8',
      },
    );
    return { status, said: stdout + stderr };
  };
  const exported = (filter = {}) => api.governance.exportAuditLogs({ format: 'jsonl', ...filter });
  await add(6);
  await steps.sign();
  await add(6);
  await steps.sign();
  return { team_id, of: `team_id = '${team_id}'`, add, verify, exported };
}
const [valid, broken, unproven] = [0, 1, 2];

test('an export of a sound trail is valid, and unproven where nothing is signed yet', async () => {
  const { verify, exported } = await owner();
  // The export itself is recorded, and not signed yet.
  const text = await exported();
  assert.equal((await verify(text)).status, valid, (await verify(text)).said);
  await steps.sequence();
  const later = await exported();
  assert.equal((await verify(later)).status, unproven, (await verify(later)).said);
});

test('a filtered export proves each record that is signed', async () => {
  const { verify, exported } = await owner();
  const text = await exported({ agent: 'prj_a' });
  assert.equal(text.split('\n').filter((line) => line.includes('"type":"record"')).length, 4);
  assert.equal((await verify(text)).status, valid, (await verify(text)).said);
  const other = text.replace('"proof":{"checkpoint_seq":12,"index":0', '"proof":{"checkpoint_seq":12,"index":1');
  assert.notEqual(other, text);
  assert.equal((await verify(other)).status, broken);
});

test('after retention the export is still valid', async () => {
  const { verify, exported, team_id } = await owner();
  await removePayloads(world, steps.key, { team_id, up_to: 8 });
  const text = await exported();
  assert.match(text, /"payload":null/);
  assert.equal((await verify(text)).status, valid, (await verify(text)).said);
});

test('what was tampered with in the database is found in its export, and the first bad record named', async () => {
  const cases: [number, (of: string) => string][] = [
    [4, (of) => `delete from audit_payloads where ${of} and seq = 4`],
    [5, (of) => `update audit_records set status = 'error' where ${of} and seq = 5`],
    [8, (of) => `update audit_payloads set body = replace(body, '203.0.113.9', '203.0.113.8') where ${of} and seq = 8`],
    [3, (of) => `delete from audit_records where ${of} and seq = 3`],
  ];
  for (const [seq, change] of cases) {
    const { verify, exported, of } = await owner();
    await tamper(world.sql, change(of));
    const { status, said } = await verify(await exported());
    assert.equal(status, broken, said);
    assert.match(said, new RegExp(`\\b${seq}\\b`), said);
  }
});

test('a tail that was cut together with its checkpoints is missed by the checkpoints that were kept elsewhere', async () => {
  const { verify, exported, of } = await owner();
  await tamper(
    world.sql,
    `delete from audit_records where ${of} and seq > 6; delete from audit_checkpoints where ${of} and seq > 6;
     update audit_heads set seq = 6, checkpoint_seq = 6, hash = (select hash from audit_records where ${of} and seq = 6) where ${of}`,
  );
  const { status, said } = await verify(await exported());
  assert.equal(status, broken, said);
  assert.match(said, /\b7\b/);
});

test('an export in JSON is one document of records, and is verified like JSON lines: sound, filtered, after retention and tampered with', async () => {
  const { verify, exported, team_id, of } = await owner();
  const json = (filter = {}) => exported({ format: 'json', ...filter });
  const text = await json();
  const { logs } = JSON.parse(text) as { logs: AuditLog[] };
  assert.deepEqual(
    logs.map(({ seq }) => seq),
    logs.map((_, index) => index + 1),
  );
  assert.equal((await verify(text)).status, valid, (await verify(text)).said);
  const filtered = await json({ agent: 'prj_a' });
  assert.equal((JSON.parse(filtered) as { logs: unknown[] }).logs.length, 4);
  assert.equal((await verify(filtered)).status, valid, (await verify(filtered)).said);
  const none = await json({ search: 'nothing has this' });
  assert.deepEqual((JSON.parse(none) as { logs: unknown[] }).logs, []);
  assert.equal((await verify(none)).status, unproven, (await verify(none)).said);
  assert.equal((await verify(text.replace('"action":"GET /é4"', '"action":"GET /é5"'))).status, broken);
  await removePayloads(world, steps.key, { team_id, up_to: 8 });
  assert.equal((await verify(await json())).status, valid, (await verify(await json())).said);
  await tamper(world.sql, `update audit_records set status = 'error' where ${of} and seq = 5`);
  assert.equal((await verify(await json())).status, broken);
});

test('an intact export in a format without signatures is not called broken', async () => {
  const { verify, exported } = await owner();
  for (const format of ['csv', 'ocsf'] as const) {
    const { status, said } = await verify(await exported({ format }));
    assert.equal(status, 64, said);
    assert.match(said, new RegExp(`export in ${format.toUpperCase()}, which has no signatures`));
  }
});
