import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { AuditEvent } from '@paddock/audit';
import { defaultDataProtection } from '@paddock/contract';
import { auditEvent, auditedPerson, auditSteps } from '../../../../test/audit.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { startApi } from '../../../../test/server.ts';
import { checkpointStore } from './checkpoints/checkpoint-store.ts';
import { postCheckpoints } from './checkpoints/webhook.ts';
import { startSequencer } from './sequencer/start.ts';

let world: Awaited<ReturnType<typeof startApi>>;
let steps: Awaited<ReturnType<typeof auditSteps>>;
before(async () => {
  world = await startApi({ after: atEnd });
  steps = await auditSteps(world);
});

async function owner(events: Partial<AuditEvent>[] = []) {
  const { api, team_id } = await auditedPerson(world);
  await steps.handIn(events.map((event) => auditEvent(team_id, event)));
  await steps.sequence();
  return { api, team_id };
}

test('what was found of personal data is summed up by type, within the dates that are asked for, of the own team alone', async () => {
  const pii = (types: Record<string, number>, redacted: number) => ({
    scans: 1,
    detected: Object.values(types).reduce((a, b) => a + b, 0),
    redacted,
    types,
  });
  const { api } = await owner([
    { pii: pii({ Email: 2, Phone: 1 }, 3) },
    { pii: pii({ Email: 1 }, 0), agent_id: 'prj_2' },
    { pii: pii({}, 0) },
    { pii: pii({ SSN: 4 }, 4), timestamp: '2026-01-05T10:30:00.000Z' },
  ]);
  assert.deepEqual(await api.governance.piiDetection({}), {
    total_scans: 4,
    pii_detected: 8,
    auto_redacted: 7,
    types_detected: { SSN: 4, Email: 3, Phone: 1 },
  });
  const january = await api.governance.piiDetection({ date_from: '2026-01-05T10:00:00.000Z', date_to: '2026-01-05T11:00:00.000Z' });
  assert.deepEqual(january.types_detected, { SSN: 4 });
  const { api: other } = await owner();
  assert.equal((await other.governance.piiDetection({})).total_scans, 0);
});

test('the lineage of a trace tells its stages in the order of their times', async () => {
  const trace_id = 'b'.repeat(32);
  const at = (second: number) => `2026-11-23T10:00:0${second}.000Z`;
  const input_data = {
    method: 'POST',
    content_type: 'application/json; charset=utf-8',
    size_bytes: 120,
    scanned_at: at(1),
    forwarded_at: at(2),
    was_changed: true,
  };
  const output_data = { status: 200, content_type: 'application/json', size_bytes: 900, scanned_at: at(4), first_byte_at: at(3) };
  const { api } = await owner([
    { trace_id, timestamp: at(0), input_data, pii: { scans: 1, detected: 1, redacted: 1, types: { Email: 1 } } },
    { trace_id, timestamp: at(5), action_type: 'response', input_data: null, output_data },
  ]);
  const { stages } = await api.governance.lineage({ trace_id });
  assert.deepEqual(
    stages.map(({ stage, data_type, size_bytes, name }) => [stage, data_type, size_bytes, name]),
    [
      ['received', 'application/json', 120, 'POST /ask'],
      ['scanned', 'application/json', 120, '1 Email'],
      ['forwarded', 'application/json', 120, 'changed'],
      ['scanned', 'application/json', 900, 'nothing found'],
      ['answered', 'application/json', 900, 'Status 200'],
      ['recorded', 'application/json', 120, 'request'],
      ['recorded', 'application/json', 900, 'response'],
    ],
  );
  const { api: other } = await owner();
  await assert.rejects(other.governance.lineage({ trace_id }), { code: 'trace_not_found' });
});

test('a project begins with the defaults, and has what was set until it is set again', async () => {
  const { api } = await owner();
  const { id } = await api.projects.create({ name: 'guarded' });
  assert.deepEqual(await api.governance.dataProtection({ id }), { ...defaultDataProtection, is_default: true });
  const rules = { ...defaultDataProtection.rules, SSN: { action: 'block', traffic: 'requests' } as const };
  const settings = { ...defaultDataProtection, rules, bodies: 'none' } as const;
  await api.governance.setDataProtection({ id, ...settings });
  assert.deepEqual(await api.governance.dataProtection({ id }), { ...settings, is_default: false });
  const { SSN: _, ...some } = rules;
  await assert.rejects(api.governance.setDataProtection({ id, ...settings, rules: some as typeof rules }), { code: 'input_invalid' });
  const { api: other } = await owner();
  await assert.rejects(other.governance.dataProtection({ id }), { code: 'project_not_found' });
  await assert.rejects(other.governance.setDataProtection({ id, ...settings }), { code: 'project_not_found' });
});

test('the thread chains what is handed in, signs it, and keeps a copy of each checkpoint in its folder', async (t) => {
  const { api, team_id } = await owner();
  const folder = join(world.dataDir, 'thread');
  const { seed } = steps;
  const log = { warn: (warning: string) => assert.fail(warning), error: (_: unknown, what?: string) => assert.fail(what) } as never;
  const sequencer = startSequencer({
    log,
    databaseUrl: world.databaseUrl,
    seed,
    secretKeys: world.seal.keys(),
    folder,
    pace: { everySeconds: 0.1, records: 100 },
  });
  t.after(() => sequencer.close());
  await steps.handIn(Array.from({ length: 250 }, () => auditEvent(team_id)));
  const signed = async () => (await api.governance.summary({})).chain;
  for (const until = Date.now() + 300_000; Date.now() < until; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const { head_seq, checkpoint_seq } = await signed();
    if (head_seq >= 250 && checkpoint_seq === head_seq) break;
  }
  const { head_seq, checkpoint_seq, key_id } = await signed();
  assert.ok(head_seq >= 250);
  assert.equal(checkpoint_seq, head_seq);
  let lines: { seq: number; key_id: string }[] = [];
  for (const until = Date.now() + 300_000; Date.now() < until && lines.at(-1)?.seq !== head_seq; ) {
    const text = await readFile(join(folder, `${team_id}.jsonl`), 'utf8').catch(() => '');
    lines = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { seq: number; key_id: string });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal(lines.at(-1)?.seq, head_seq);
  assert.ok(lines.length >= 3, 'a tree has a bounded number of leaves');
  assert.deepEqual(new Set(lines.map((line) => line.key_id)), new Set([key_id]));
  assert.equal((await api.governance.verifyAuditLogs({})).valid, true);
});

test('checkpoints are posted in order, and one that was not taken is posted again', async (t) => {
  const taken: string[] = [];
  let isUp = false;
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += String(piece)));
    request.on('end', () => {
      if (isUp) taken.push(body);
      response.writeHead(isUp ? 204 : 503).end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  t.after(() => receiver.close());
  const store = checkpointStore(world.sql);
  const post = () => postCheckpoints(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, store)(new AbortController().signal);
  const { team_id } = await owner([{}]);
  await steps.sign();
  await steps.handIn([auditEvent(team_id)]);
  await steps.sequence();
  await steps.sign();
  await assert.rejects(post(), /503/);
  isUp = true;
  await post();
  const own = taken
    .map((body) => JSON.parse(body) as { team_id: string; seq: number; signature: string })
    .filter((line) => line.team_id === team_id);
  assert.ok(own.length >= 2);
  assert.deepEqual(
    own.map(({ seq }) => seq),
    own.map(({ seq }) => seq).toSorted((a, b) => a - b),
  );
  const before = taken.length;
  await post();
  assert.equal(taken.length, before);
});
