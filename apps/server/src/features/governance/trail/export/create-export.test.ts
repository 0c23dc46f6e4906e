import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { auditEvent, auditedPerson, auditSteps } from '../../../../../test/audit.ts';
import { until } from '../../../../../test/platform.ts';
import { atEnd } from '../../../../../test/postgres.ts';
import { startApi } from '../../../../../test/server.ts';

let world: Awaited<ReturnType<typeof startApi>>;
let steps: Awaited<ReturnType<typeof auditSteps>>;
before(async () => {
  world = await startApi({ after: atEnd });
  steps = await auditSteps(world);
});

/** A person with 1,200 records, of which the last 100 are not signed yet. */
async function owner() {
  const { api, token, team_id } = await auditedPerson(world);
  const add = async (from: number, count: number) => {
    await steps.handIn(
      Array.from({ length: count }, (_, index) =>
        auditEvent(team_id, { action: `GET /${from + index}`, agent_id: (from + index) % 100 === 7 ? 'prj_rare' : 'prj_1' }),
      ),
    );
    await steps.sequence();
  };
  await add(1, 1_100);
  await steps.sign();
  await add(1_101, 100);
  return { api, token };
}

/** A person whose export is larger than the network buffers between two programs. */
async function ownerOfMuch() {
  const { token, team_id } = await auditedPerson(world);
  for (let n = 0; n < 10; n++) {
    await steps.handIn(
      Array.from({ length: 40 }, () =>
        auditEvent(team_id, { action: 'GET /', agent_id: 'prj_1', input_data: { text: 'x'.repeat(60_000) } }),
      ),
    );
    await steps.sequence();
  }
  return { token };
}

interface Line {
  type: string;
  seq: number;
  action: string;
  proof?: { checkpoint_seq: number; path: string[] } | null;
}
const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

test('a whole export has every record in order, with its checkpoints, and ends with the head', async () => {
  const { api } = await owner();
  const all = lines(await api.governance.exportAuditLogs({ format: 'jsonl' }));
  const records = all.filter(({ type }) => type === 'record');
  assert.deepEqual(
    records.map(({ seq }) => seq),
    Array.from({ length: records.length }, (_, index) => index + 1),
  );
  assert.ok(records.length >= 1_200);
  assert.equal(all[0]!.type, 'header');
  assert.ok(all.filter(({ type }) => type === 'checkpoint').length >= 2);
  assert.equal(all.at(-1)!.type, 'end');
});

test('a filtered export has what the filter leaves, each record with its proof where it is signed', async () => {
  const { api } = await owner();
  const all = lines(await api.governance.exportAuditLogs({ format: 'jsonl', agent: 'prj_rare' }));
  const records = all.filter(({ type }) => type === 'record');
  assert.deepEqual(
    records.map(({ action }) => action),
    [1107, 1007, 907, 807, 707, 607, 507, 407, 307, 207, 107, 7].map((number) => `GET /${number}`),
  );
  assert.equal(records[0]!.proof, null);
  for (const { proof } of records.slice(1)) assert.ok(all.some(({ type, seq }) => type === 'checkpoint' && seq === proof!.checkpoint_seq));
});

test('JSON, CSV and OCSF hold the same records, as files with a name', async () => {
  const { api, token } = await owner();
  const { logs } = JSON.parse(await api.governance.exportAuditLogs({ agent: 'prj_rare' })) as { logs: { action: string }[] };
  assert.equal(logs.length, 12);
  const csv = await api.governance.exportAuditLogs({ agent: 'prj_rare', format: 'csv' });
  assert.equal(csv.trimEnd().split('\r\n').length, 13);
  assert.match(csv, /^timestamp,seq,id,/);
  const events = (await api.governance.exportAuditLogs({ agent: 'prj_rare', format: 'ocsf' })).trimEnd().split('\n');
  assert.equal((JSON.parse(events[0]!) as { class_uid: number }).class_uid, 6003);
  const response = await fetch(`${world.origin}/api/v1/governance/audit-logs/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"q":"nothing has this"}',
  });
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="audit-logs-[\w-]+\.json"$/);
  assert.deepEqual(((await response.json()) as { logs: unknown[] }).logs, []);
});

test('what begins like a formula is no formula in a spreadsheet', async () => {
  const { api, team_id } = await auditedPerson(world);
  await steps.handIn([
    auditEvent(team_id, { action: '=cmd|x', agent_name: '+1', metadata: { ip_address: null, user_agent: '@a', request_id: '-1' } }),
  ]);
  await steps.sequence();
  const csv = await api.governance.exportAuditLogs({ format: 'csv', search: 'cmd' });
  for (const cell of ["'=cmd|x", "'+1", "'@a", "'-1"]) assert.ok(csv.includes(`,${cell},`), cell);
});

test('a team makes two exports at a time: the next is refused with a time to wait, another team is not, and a place is free after an export was cut off', async () => {
  const [busy, other] = [await ownerOfMuch(), await owner()];
  // These exports wait, because nothing of them is read.
  const [first, second] = [await ask(busy.token), await ask(busy.token)];
  assert.deepEqual([first.statusCode, second.statusCode], [200, 200]);
  const third = await ask(busy.token);
  assert.equal(third.statusCode, 429);
  assert.ok(Number(third.headers['retry-after']) >= 1);
  assert.match(await text(third), /"too_many_requests"/);
  const others = await ask(other.token);
  assert.equal(others.statusCode, 200);
  others.destroy();
  first.destroy();
  await until('a place', async () => {
    const next = await ask(busy.token);
    await text(next);
    return next.statusCode === 200;
  });
  assert.equal(lines(await text(second)).at(-1)!.type, 'end');
});

/** An export over a separate connection, whose reader decides when to read it. */
async function ask(token: string): Promise<IncomingMessage> {
  const asked = request(`${world.origin}/api/v1/governance/audit-logs/export`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  asked.end('{"format":"jsonl","agent":"prj_1"}');
  const [response] = (await once(asked, 'response', { signal: AbortSignal.timeout(20_000) })) as [IncomingMessage];
  return response;
}
