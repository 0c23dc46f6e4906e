import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { chainHash, computeDigest, removalLine, signingKey } from '@paddock/audit';
import { auditEvent, auditedPerson, auditSteps, removePayloads, tamper } from '../../../../../test/audit.ts';
import { atEnd } from '../../../../../test/postgres.ts';
import { startApi } from '../../../../../test/server.ts';
import { checkpointFolder } from '../checkpoints/checkpoint-files.ts';
import { checkpointStore } from '../checkpoints/checkpoint-store.ts';

let world: Awaited<ReturnType<typeof startApi>>;
let steps: Awaited<ReturnType<typeof auditSteps>>;
before(async () => {
  world = await startApi({ after: atEnd });
  steps = await auditSteps(world);
});

/** A trail of ten records, signed after the fourth and the eighth. */
async function trail() {
  const { api, team_id } = await auditedPerson(world);
  const add = async (count: number) => {
    await steps.handIn(Array.from({ length: count }, (_, index) => auditEvent(team_id, { action: `GET /${index}` })));
    await steps.sequence();
  };
  await add(4);
  await steps.sign();
  await add(4);
  await steps.sign();
  await add(2);
  const first = async () => {
    const { valid, first_bad } = await api.governance.verifyAuditLogs({});
    assert.equal(valid, first_bad === null);
    return first_bad?.seq;
  };
  assert.equal(await first(), undefined);
  const records = `update audit_records set seq = seq where team_id = '${team_id}'`;
  return { api, team_id, add, first, change: (what: string) => tamper(world.sql, what), records, of: `team_id = '${team_id}'` };
}

test('a changed fact, payload or salt is found, and its record named', async () => {
  for (const [table, set] of [
    ['audit_records', `action = 'GET /other'`],
    ['audit_records', `status = 'error'`],
    ['audit_records', `hash = sha256('x')`],
    ['audit_payloads', `body = replace(body, 'why', 'who')`],
    ['audit_payloads', `salt = sha256('x')`],
  ] as const) {
    const { change, of, first } = await trail();
    await change(`update ${table} set ${set} where ${of} and seq = 6`);
    assert.equal(await first(), 6, `${table} ${set}`);
  }
});

test('a removed, an inserted and two swapped records are found', async () => {
  const removed = await trail();
  await removed.change(`delete from audit_records where ${removed.of} and seq = 3`);
  assert.equal(await removed.first(), 3);

  const inserted = await trail();
  await inserted.change(
    `update audit_records set seq = seq + 100 where ${inserted.of} and seq >= 5; update audit_records set seq = seq - 99 where ${inserted.of} and seq > 100;
     insert into audit_records select * from audit_records where ${inserted.of} and seq = 4;`
      .replace('select * from', `select (jsonb_populate_record(r, '{"seq": 5}')).* from`)
      .replace('from audit_records where', 'from audit_records r where'),
  );
  assert.equal(await inserted.first(), 5);

  const swapped = await trail();
  await swapped.change(
    `update audit_records set seq = 100 where ${swapped.of} and seq = 6; update audit_records set seq = 6 where ${swapped.of} and seq = 7;
     update audit_records set seq = 7 where ${swapped.of} and seq = 100`,
  );
  assert.equal(await swapped.first(), 6);
});

test('a cut tail is found by what was signed, also where head and checkpoints in the database were cut to match', async () => {
  const { change, of, first } = await trail();
  await change(`delete from audit_records where ${of} and seq > 9`);
  assert.equal(await first(), 10, 'behind the last checkpoint, by the head');
  await change(
    `delete from audit_records where ${of} and seq > 6; delete from audit_checkpoints where ${of} and seq > 4;
     update audit_heads h set seq = 6, checkpoint_seq = 4, hash = (select hash from audit_records where ${of} and seq = 6) where ${of}`,
  );
  assert.equal(await first(), 7);
});

test('a log that was written anew with a consistent chain is found by the checkpoints outside the database', async () => {
  const { change, of, first, team_id, add } = await trail();
  await rewrite(team_id, 6);
  await change(`delete from audit_checkpoints where ${of} and seq > 4; update audit_heads set checkpoint_seq = 4 where ${of}`);
  assert.equal(await first(), 5, 'the first record that no checkpoint holds any more');
  // The manipulation is also detected after the installation has signed later records.
  await add(3);
  await steps.sign();
  assert.equal(await first(), 5);
});

test('a checkpoint that was changed, or signed by another key, is found', async () => {
  const { change, of, first } = await trail();
  await change(`update audit_checkpoints set line = replace(line, '"count":8', '"count":7') where ${of}`);
  assert.equal(await first(), 5);
});

test('a forged line in the file proves nothing, and a file that is gone leaves what the database has', async () => {
  const { team_id, first } = await trail();
  const file = join(checkpointFolder(world.dataDir), `${team_id}.jsonl`);
  const text = await readFile(file, 'utf8');
  assert.equal(text.trim().split('\n').length, 2);
  await writeFile(file, `${text}{"type":"checkpoint","seq":99}\n{"cut`);
  assert.equal(await first(), undefined);
  await rm(file);
  assert.equal(await first(), undefined);
});

test('tampering is found after retention ran, too', async () => {
  const { change, of, first, team_id } = await trail();
  await removePayloads(world, steps.key, { team_id, up_to: 8 });
  assert.equal(await first(), undefined);
  await change(`update audit_records set duration_ms = 1 where ${of} and seq = 2`);
  assert.equal(await first(), 2);
});

test('a payload that was removed by hand is found, whatever lawful removals, and lists that others signed, say', async () => {
  const { change, of, first, team_id } = await trail();
  await removePayloads(world, steps.key, { team_id, up_to: 3 });
  assert.equal(await first(), undefined);
  await change(`delete from audit_payloads where ${of} and seq = 6`);
  assert.equal(await first(), 6);
  const forged = signingKey(randomBytes(32));
  const removal = { team_id, reason: 'retention' as const, records: [[1, 10]] as [number, number][], removed_at: new Date().toISOString() };
  const other = removalLine({ ...removal, team_id: 'team_other' }, steps.key);
  for (const line of [removalLine(removal, forged), other, '{"type":"removal"}', removalLine(removal, steps.key).replace('10', '11')])
    await world.sql`
      insert into audit_removals (team_id, line)
      values (${team_id}, ${line})`;
  assert.equal(await first(), 6);
  await change(`delete from audit_removals where ${of}`);
  assert.equal(await first(), 1, 'without their list the lawful removals are found, too');
});

test('what was missing before removals were listed is listed once, and nothing after it', async () => {
  const { change, of, first, team_id } = await trail();
  await change(`delete from audit_payloads where ${of} and seq in (2, 4, 5)`);
  await world.sql`
    insert into audit_unlisted_removals (team_id, up_to_seq)
    values (${team_id}, 9)`;
  assert.equal(await first(), undefined);
  await change(`delete from audit_payloads where ${of} and seq = 7`);
  assert.equal(await first(), 7);
});

test('the signer signs nothing that is not what was recorded', async () => {
  const { change, of, add, api, team_id } = await trail();
  await change(`update audit_records set action = 'x' where ${of} and seq = 9`);
  await add(1);
  await steps.sign();
  assert.match(steps.warnings.filter((warning) => warning.includes(team_id)).join(), /record 9 is not what was recorded/);
  assert.equal((await api.governance.summary({})).chain.checkpoint_seq, 8);
});

/** Changes a record and everything after it, so that the chain is consistent. */
async function rewrite(team_id: string, from_seq: number): Promise<void> {
  const rows = await checkpointStore(world.sql).facts(team_id, from_seq - 1, 1_000);
  let previous = rows[0]!.hash;
  for (const row of rows.slice(1)) {
    const changed = { ...row, action: `${row.action}!` };
    previous = chainHash(previous, computeDigest(changed));
    await tamper(
      world.sql,
      `update audit_records set action = '${changed.action}', hash = decode('${previous.toString('hex')}', 'hex') where team_id = '${team_id}' and seq = ${row.seq}`,
    );
  }
  await tamper(world.sql, `update audit_heads set hash = decode('${previous.toString('hex')}', 'hex') where team_id = '${team_id}'`);
}
