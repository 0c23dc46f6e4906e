import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { countToErase } from '@paddock/contract';
import { auditEvent, auditedPerson, auditSteps } from '../../../../test/audit.ts';
import { askErasure, ownPassword } from '../../../../test/erasures.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { apiOf, startApi } from '../../../../test/server.ts';

let world: Awaited<ReturnType<typeof startApi>>;
let steps: Awaited<ReturnType<typeof auditSteps>>;
before(async () => {
  world = await startApi({ after: atEnd });
  steps = await auditSteps(world);
});
const work = () => world.features.dataSubjects.jobs[0]!.run(AbortSignal.timeout(60_000));

/** A team with records that name a visitor's user agent, and others that do not. */
async function teamWith(named: number, others: number) {
  const { api, token, team_id } = await auditedPerson(world);
  const record = (user_agent: string) => auditEvent(team_id, { metadata: { ip_address: '203.0.113.9', user_agent, request_id: null } });
  const add = async (count: number, user_agent: string) => {
    await steps.handIn(Array.from({ length: count }, () => record(user_agent)));
    await steps.sequence();
  };
  await add(named, 'curl/8');
  await add(others, 'browser');
  const erased = async () => {
    const [row] = await world.sql<[{ erased: number }]>`
      select count(*)::int as erased
      from audit_records r
      left join audit_payloads p using (team_id, seq, recorded_at)
      where team_id = ${team_id}
        and p.seq is null`;
    return row.erased;
  };
  const find = async (identifiers: string[]) => {
    const { id } = await api.dataSubjects.create({ kind: 'find', identifiers });
    await work();
    return api.dataSubjects.get({ id });
  };
  return { api, token, team_id, add, erased, find };
}

test('a key cannot have anything erased, nor can a person without the password', async () => {
  const { api, erased, find } = await teamWith(2, 2);
  const { id } = await find(['curl']);
  const { api_key } = await api.apiKeys.create({ name: 'governs', scopes: ['governance:read', 'governance:write'] });
  const byKey = apiOf(world.origin, api_key);
  await assert.rejects(byKey.dataSubjects.create({ kind: 'erase' as 'find', identifiers: ['curl'] }), { code: 'input_invalid' });
  await assert.rejects(byKey.dataSubjects.erase({ id, identifiers: ['curl'], password: ownPassword }), { code: 'session_needed' });
  await assert.rejects(api.dataSubjects.erase({ id, identifiers: ['curl'], password: 'wrong' }), { code: 'password_wrong' });
  await assert.rejects(api.dataSubjects.erase({ id, identifiers: ['curl'] }), { code: 'password_wrong' });
  await work();
  assert.equal(await erased(), 0);
});

test('a person without a password erases with a session that was opened within the last ten minutes', async () => {
  const { api, team_id, find } = await teamWith(1, 1);
  const { id } = await find(['curl']);
  await world.sql`
    update users
    set password_hash = null
    where id in (select user_id from team_members where team_id = ${team_id})`;
  await world.sql`
    update sessions
    set created_at = now() - interval '11 minutes'
    where user_id in (select user_id from team_members where team_id = ${team_id})`;
  await assert.rejects(api.dataSubjects.erase({ id, identifiers: ['curl'] }), { code: 'sign_in_again' });
  await world.sql`
    update sessions
    set created_at = now()
    where user_id in (select user_id from team_members where team_id = ${team_id})`;
  assert.equal((await api.dataSubjects.erase({ id, identifiers: ['curl'] })).kind, 'erase');
});

test('identifiers are erased only after a request of the last hour found the same', async () => {
  const { api, find } = await teamWith(1, 1);
  const { id } = await find(['curl']);
  const erase = (identifiers: string[], of = id) => api.dataSubjects.erase({ id: of, identifiers, password: ownPassword });
  await assert.rejects(erase(['browser']), { code: 'data_subject_preview_missing' });
  const waiting = await api.dataSubjects.create({ kind: 'find', identifiers: ['curl'] });
  await assert.rejects(erase(['curl'], waiting.id), { code: 'data_subject_preview_missing' });
  await work();
  const other = await teamWith(1, 1);
  await assert.rejects(other.api.dataSubjects.erase({ id, identifiers: ['curl'], password: ownPassword }), {
    code: 'data_subject_request_not_found',
  });
  assert.equal((await erase(['CURL'])).kind, 'erase');
  await world.sql`
    update data_subject_requests
    set finished_at = now() - interval '61 minutes'
    where id = ${waiting.id}`;
  await assert.rejects(erase(['curl'], waiting.id), { code: 'data_subject_preview_missing' });
});

test('identifiers that match more than a twentieth of what is stored are erased only with the count confirmed', async () => {
  const { api, erased, find, add } = await teamWith(30, 10);
  const { id, places } = await find(['curl']);
  const records = places.find(({ place }) => place === 'records');
  assert.partialDeepStrictEqual(records, { found: 30, total: 40 });
  const erase = (confirmed_count?: number) => api.dataSubjects.erase({ id, identifiers: ['curl'], password: ownPassword, confirmed_count });
  await assert.rejects(erase(), {
    code: 'data_subject_count_unconfirmed',
    errors: [{ path: 'confirmed_count', message: 'This erases 30 of 40 records, 0 of 0 logs, 0 of 0 traces. Confirm the count: 30' }],
  });
  await assert.rejects(erase(29), { code: 'data_subject_count_unconfirmed' });
  await work();
  assert.equal(await erased(), 0);
  // Many more records arrived after the count was confirmed.
  const late = await erase(30);
  await add(30, 'curl/8');
  await work();
  const stopped = await api.dataSubjects.get({ id: late.id });
  assert.equal(stopped.status, 'failed');
  assert.match(stopped.error ?? '', /^Nothing was erased: 60 are found now, and 30 were confirmed/);
  assert.equal(await erased(), 0);
  const confirmed = await askErasure(api, ['curl'], work);
  await work();
  assert.equal((await api.dataSubjects.get({ id: confirmed.id })).status, 'completed');
  assert.equal(await erased(), 60);
});

test('few matches among many are erased without the count', async () => {
  const { api, find } = await teamWith(21, 480);
  const { id, places } = await find(['curl']);
  assert.equal(countToErase(places), 21);
  assert.equal((await api.dataSubjects.erase({ id, identifiers: ['curl'], password: ownPassword })).status, 'queued');
});

test('configuration and data access keep who did what to which things, and the record of an erasure says who, how many and what came of it', async () => {
  const { api, team_id } = await teamWith(2, 1);
  await steps.handIn([
    auditEvent(team_id, {
      action_type: 'configuration',
      action: 'project.create',
      actor: { type: 'person', id: 'usr_1', name: 'Ada' },
      user_id: 'usr_1',
      targets: [
        { type: 'project', id: 'prj_1', name: 'invoices' },
        { type: 'project', id: 'prj_2', name: 'letters' },
      ],
    }),
  ]);
  await steps.sequence();
  for (const time of ['first', 'second']) {
    // The user agent and the address of all records, including the record of the previous erasure.
    await askErasure(api, ['curl', '203.0.113.9', 'node', '127.0.0.1'], work);
    await work();
    await steps.sequence();
    const { logs } = await api.governance.auditLogs({ limit: 100 });
    const kept = logs.find(({ action }) => action === 'project.create');
    assert.partialDeepStrictEqual(kept, {
      is_erased: true,
      user_id: 'usr_1',
      actor: { id: 'usr_1', name: 'Ada' },
      targets: [
        { id: 'prj_1', name: 'invoices' },
        { id: 'prj_2', name: 'letters' },
      ],
      input_data: null,
      metadata: { ip_address: null, user_agent: null },
    });
    const asked = logs.filter(({ action }) => action === 'data-subject.erase').at(-1);
    assert.partialDeepStrictEqual(asked, {
      is_erased: time === 'second',
      actor: { type: 'person', name: 'Ada' },
      input_data: { kind: 'erase', identifiers: 4, found: { records: 4 } },
    });
    const ended = logs.filter(({ action }) => action === 'data-subject.erased').at(-1);
    assert.partialDeepStrictEqual(ended, { status: 'success', output_data: { records: { found: 4, erased: 4 } } });
    assert.equal((await api.governance.verifyAuditLogs({})).valid, true);
    assert.doesNotMatch(JSON.stringify([asked, ended]), /curl|203\.0\.113/);
  }
});
