import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { AuditEvent } from '@paddock/audit';
import { ApiError } from '@paddock/contract';
import { Secret, TOTP } from 'otpauth';
import { WebSocket } from 'ws';
import { auditWorld } from '../../test/audit/world.ts';
import { somebody } from '../../test/oauth-world.ts';
import { until } from '../../test/platform.ts';
import { apiOf } from '../../test/server.ts';
import { createLog } from '../log.ts';
import { beginCall } from './call.ts';
import { refusals } from './refusals.ts';

const wrong = 'wrong horse battery';
const twice = { idempotency_key: 'k2' };

async function world(t: TestContext) {
  const w = await auditWorld(t);
  const events = async (action?: string) =>
    (await w.sql<{ event: AuditEvent }[]>`select event from audit_intake order by number`)
      .map(({ event }) => event)
      .filter((event) => action === undefined || event.action === action);
  const refused = (action?: string) => events(action).then((all) => all.filter(({ status }) => status !== 'success'));
  return {
    ...w,
    events,
    refusedNow: refused,
    /** Waits until that many are written, which happens after the response. */
    async refused(count: number, action?: string): Promise<AuditEvent[]> {
      await until(`${count} refusals are recorded`, async () => (await refused(action)).length >= count);
      const all = await refused(action);
      assert.equal(all.length, count, JSON.stringify(all));
      return all;
    },
  };
}
const codes = (events: AuditEvent[]) => events.map(({ output_data }) => (output_data as { code: string }).code);

test('a refused change is recorded for who asked for it, with what it was to be done to; the thing of another team is named by its id alone', async (t) => {
  const w = await world(t);
  const eve = await w.person();
  await assert.rejects(eve.api.projects.delete({ id: w.project_id }), { code: 'project_not_found' });
  await assert.rejects(w.api.projects.create({ name: 'watched' }), { code: 'project_name_taken' });
  const [theirs, own] = (await w.refused(2)) as [AuditEvent, AuditEvent];
  assert.deepEqual([theirs.action, theirs.action_type, theirs.status], ['project.delete', 'configuration', 'error']);
  assert.deepEqual(theirs.output_data, { status: 404, code: 'project_not_found' });
  assert.deepEqual(theirs.targets, [{ type: 'project', id: w.project_id, name: null }]);
  assert.deepEqual([theirs.agent_id, theirs.agent_name], [null, null]);
  assert.notEqual(theirs.team_id, w.team_id);
  assert.deepEqual([own.team_id, own.user_id, own.output_data], [w.team_id, w.user_id, { status: 409, code: 'project_name_taken' }]);
  assert.match(own.metadata.request_id ?? '', /^req_/);
});

test('what a key may not do is recorded, of calls that only read, too; what it may read is not', async (t) => {
  const w = await world(t);
  const { api_key, key_info } = await w.api.apiKeys.create({ name: 'CI', scopes: ['projects:read'] });
  const key = apiOf(w.origin, api_key);
  await key.projects.list();
  await assert.rejects(key.deployments.list(), { code: 'scope_missing' });
  await assert.rejects(key.profile.sessions(), { code: 'session_needed' });
  const both = await w.refused(2);
  assert.deepEqual(codes(both), ['scope_missing', 'session_needed']);
  assert.deepEqual(
    both.map(({ action }) => action),
    ['GET /deployments', 'GET /auth/sessions'],
  );
  for (const { actor, user_id, team_id, action_type } of both)
    assert.deepEqual(
      [actor, user_id, team_id, action_type],
      [{ type: 'key', id: key_info.id, name: 'CI' }, w.user_id, w.team_id, 'data_access'],
    );
});

test('the use of a revoked or expired key is recorded for its team, and that of a key that never was is not', async (t) => {
  const w = await world(t);
  const revoked = await w.api.apiKeys.create({ name: 'revoked' });
  const expired = await w.api.apiKeys.create({ name: 'expired', expires_in_days: 1 });
  await w.api.apiKeys.revoke({ id: revoked.key_info.id });
  await w.sql`update api_keys set expires_at = now() - interval '1 minute' where id = ${expired.key_info.id}`;
  const never = await w.api.apiKeys.create({ name: 'never' });
  await w.sql`delete from api_keys where id = ${never.key_info.id}`;
  for (const { api_key } of [never, revoked, expired])
    await assert.rejects(apiOf(w.origin, api_key).projects.list(), { code: 'not_signed_in' });
  const both = await w.refused(2);
  assert.deepEqual(
    both.map(({ actor, team_id, output_data }) => [actor.name, team_id, output_data]),
    ['revoked', 'expired'].map((name) => [name, w.team_id, { status: 401, code: 'not_signed_in' }]),
  );
});

test('a sign-in with a wrong password is recorded for the account, and an unknown address leaves nothing', async (t) => {
  const w = await world(t);
  const login = (email: string, password: string) => w.anonymous.accounts.login({ email, password });
  await assert.rejects(login('nobody@example.com', wrong), { code: 'credentials_wrong' });
  await assert.rejects(login(w.email, wrong), { code: 'credentials_wrong' });
  const [event] = (await w.refused(1)) as [AuditEvent];
  assert.deepEqual([event.action, event.action_type, event.team_id], ['session.open', 'data_access', w.team_id]);
  assert.deepEqual(event.actor, { type: 'person', id: w.user_id, name: 'Ada' });
  assert.deepEqual(event.output_data, { status: 401, code: 'credentials_wrong' });
  assert.ok(!JSON.stringify(await w.events()).includes('horse'));
});

test('a sign-in that lacks the second factor is a warning, one with a wrong code an error, with a password and through a provider', async (t) => {
  const w = await world(t);
  const { secret } = await w.api.twoFactor.setUp({ password: w.password });
  const right = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const other = right === '000000' ? '111111' : '000000';
  await w.api.twoFactor.confirm({ code: right });
  const login = (code?: string) => w.anonymous.accounts.login({ email: w.email, password: w.password, ...(code ? { code } : {}) });
  await assert.rejects(login(), { code: 'second_factor_required' });
  await assert.rejects(login(other), { code: 'second_factor_wrong' });
  const there = somebody();
  await w.link(w.api, 'google', there);
  await assert.rejects(w.enter('google', there), { code: 'second_factor_required' });
  const all = await w.refused(3, 'session.open');
  assert.deepEqual(codes(all), ['second_factor_required', 'second_factor_wrong', 'second_factor_required']);
  assert.deepEqual(
    all.map(({ status, team_id }) => [status, team_id]),
    ['warning', 'error', 'warning'].map((status) => [status, w.team_id]),
  );
});

test('a provider that may not be linked to an account leaves a record for the owner of the account', async (t) => {
  const w = await world(t);
  await assert.rejects(w.enter('google', somebody({ email: w.email })), { code: 'account_not_linked' });
  const [event] = (await w.refused(1)) as [AuditEvent];
  assert.deepEqual([event.team_id, event.user_id, event.output_data], [w.team_id, w.user_id, { status: 409, code: 'account_not_linked' }]);
});

test('a call that broke is recorded as an error, also of a call that only reads', async (t) => {
  const w = await world(t);
  await w.sql`alter table variables rename to away`;
  await assert.rejects(w.api.variables.list({ project_id: w.project_id }), { code: 'internal' });
  const [event] = (await w.refused(1)) as [AuditEvent];
  assert.deepEqual(
    [event.action_type, event.action, event.output_data],
    ['error', 'GET /projects/:project_id/variables', { status: 500, code: 'internal' }],
  );
});

test('what opens the live log without a ticket is a read of the log, recorded before a line is sent', async (t) => {
  const w = await world(t);
  const id = await w.active();
  const socket = new WebSocket(`${w.origin.replace('http', 'ws')}/ws/logs/${id}?token=${w.token}`);
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const reads = await w.events('log.read');
  socket.terminate();
  assert.deepEqual(
    reads.map(({ targets, user_id, metadata }) => [targets[0]?.id, user_id, metadata.request_id?.slice(0, 4)]),
    [[id, w.user_id, 'req_']],
  );
});

test('who reads on in a log is recorded once, each reader and each log for itself', async (t) => {
  const w = await world(t);
  const [first, second] = [await w.active(), (await w.deploy()).id];
  const { api_key } = await w.api.apiKeys.create({ name: 'CI', scopes: ['logs:read'] });
  for (let n = 0; n < 3; n++) for (const id of [first, second]) await w.api.logs.list({ id });
  await apiOf(w.origin, api_key).logs.list({ id: first });
  assert.deepEqual(
    (await w.events('log.read')).map(({ targets, actor }) => [targets[0]?.id, actor.type]),
    [
      [first, 'person'],
      [second, 'person'],
      [first, 'key'],
    ],
  );
});

test('a request that is repeated with its key is recorded once', async (t) => {
  const w = await world(t);
  const key = { idempotency_key: 'k' };
  const made = await Promise.all(Array.from({ length: 3 }, () => w.api.projects.create({ name: 'once' }, key)));
  await w.api.projects.create({ name: 'once' }, key);
  const created = await w.events('project.create');
  assert.equal(created.filter(({ targets }) => targets[0]?.id === made[0]?.id).length, 1);
  const shown = await Promise.allSettled(Array.from({ length: 3 }, () => w.api.apiKeys.create({ name: 'once' }, twice)));
  assert.equal(shown.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal((await w.events('api-key.create')).length, 1, 'a repeat is no refusal either');
});

test('a project whose address another team has is made at the second try, and recorded once', async (t) => {
  const w = await world(t);
  const eve = await w.person();
  const { id } = await eve.api.projects.create({ name: 'watched' });
  const created = (await w.events('project.create')).filter(({ targets }) => targets[0]?.id === id);
  assert.equal(created.length, 1);
});

test('an account that a provider makes, and a provider that is linked at a sign-in, are recorded with the session, or do not come to be', async (t) => {
  const w = await world(t);
  const there = somebody();
  await w.sql`create function no_record() returns trigger language plpgsql as $$
    begin
      if new.event->>'action' in ('account.create', 'identity.link') then raise exception 'no record'; end if;
      return new;
    end $$`;
  await w.sql`create trigger no_record before insert on audit_intake for each row execute function no_record()`;
  await assert.rejects(w.enter('google', there), { code: 'internal' });
  await w.sql`update users set email_verified = true`;
  await assert.rejects(w.enter('google', somebody({ email: w.email })), { code: 'internal' });
  assert.deepEqual([await w.count('users'), await w.count('identities')], [1, 0]);
  await w.sql`drop trigger no_record on audit_intake`;
  const { user } = await w.enter('google', there);
  await w.enter('google', somebody({ email: w.email }));
  const done = (await w.events()).filter(({ action, status }) => /^(account|identity|session)\./.test(action) && status === 'success');
  assert.deepEqual(
    done.slice(-4).map(({ action, user_id }) => [action, user_id]),
    [
      ['account.create', user.id],
      ['session.open', user.id],
      ['identity.link', w.user_id],
      ['session.open', w.user_id],
    ],
  );
});

test('of more than sixty refusals of one caller within a minute the number is recorded, and others are recorded all the same', async (t) => {
  const w = await world(t);
  const kept = refusals(w.sql, createLog('error'));
  const refuse = (user_id: string) => {
    const call = beginCall({
      action: 'project.delete',
      name: 'DELETE /projects/:id',
      ip: '127.0.0.1',
      user_agent: 'a',
      request_id: 'req_a',
    });
    const who = { user_id, team_id: `team of ${user_id}`, session_id: 'ses', key_id: null, key_name: null, name: user_id, email: '' };
    kept.tell({ ...call, actor: who }, new ApiError('project_not_found'));
  };
  for (let n = 0; n < 100; n++) refuse('usr_loud');
  refuse('usr_quiet');
  await kept.settle();
  const of = async (user_id: string) => (await w.refusedNow()).filter((event) => event.user_id === user_id);
  assert.deepEqual([(await of('usr_loud')).length, (await of('usr_quiet')).length], [60, 1]);
  await kept.close();
  const last = (await of('usr_loud')).at(-1);
  assert.deepEqual([last?.action, last?.output_data], ['refusals.left-out', { left_out: 40 }]);
});
