import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { auditEvent, auditedPerson, auditSteps, tamper } from '../../../../../test/audit.ts';
import { checked } from '../../../../../test/compliance.ts';
import { foundBy, statusOf } from '../../../../../test/controls.ts';
import { somebody, startOAuthWorld } from '../../../../../test/oauth-world.ts';
import { atEnd } from '../../../../../test/postgres.ts';
import { type Api, apiOf, startApi } from '../../../../../test/server.ts';
import { teamOf } from '../../../../../test/team-of.ts';
import { accessReviewControl } from './iam-06-access-review.ts';
import { loadPeople } from './team-people.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

const keepAll = async (api: Api, id: string) => {
  const { items } = await api.accessReviews.items({ id, state: 'undecided' });
  await api.accessReviews.decide({ id, decision: 'keep', items: items.map((item) => item.id) });
};

test('IAM-01: a scope that a key was not seen to use is found, until the key is made again without it', async () => {
  const steps = await auditSteps(world);
  const { api } = await world.person();
  const made = await api.apiKeys.create({ name: 'ci', scopes: ['projects:write', 'agents:deploy'] });
  await apiOf(world.origin, made.api_key).projects.create({ name: 'made-by-key' });
  await steps.sequence();
  assert.equal((await checked(api, 'IAM-01')).status, 'passed', 'too young to be judged');
  await world.sql`update api_keys set created_at = now() - interval '40 days' where id = ${made.key_info.id}`;
  const wide = await checked(api, 'IAM-01');
  assert.deepEqual([wide.status, wide.findings], ['failed', ['In 30 days the key did not use what it may: agents:deploy.']]);
  await api.apiKeys.revoke({ id: made.key_info.id });
  const narrow = await api.apiKeys.create({ name: 'ci', scopes: ['projects:write'] });
  await apiOf(world.origin, narrow.api_key).projects.create({ name: 'made-by-it-too' });
  await steps.sequence();
  await world.sql`update api_keys set created_at = now() - interval '40 days' where id = ${narrow.key_info.id}`;
  assert.equal((await checked(api, 'IAM-01')).status, 'passed');
  await world.sql`update api_keys set last_used_at = now() - interval '31 days' where id = ${narrow.key_info.id}`;
  await tamper(world.sql, `update audit_records set timestamp = now() - interval '31 days' where actor_id = '${narrow.key_info.id}'`);
  assert.equal((await checked(api, 'IAM-01')).status, 'failed', 'and what it did lies too long back');
});

test('IAM-01: a key that manages other keys has used its scope, and one that does not is found', async () => {
  const steps = await auditSteps(world);
  const { api } = await world.person();
  const made = await api.apiKeys.create({ name: 'manager', scopes: ['keys:write'] });
  const worker = await api.apiKeys.create({ name: 'worker', scopes: ['agents:read'] });
  await world.sql`update api_keys set created_at = now() - interval '40 days' where id = ${made.key_info.id}`;
  const idle = await checked(api, 'IAM-01');
  assert.deepEqual(idle.findings, ['In 30 days the key did not use what it may: keys:write.']);
  await apiOf(world.origin, made.api_key).apiKeys.revoke({ id: worker.key_info.id });
  await steps.sequence();
  assert.equal((await checked(api, 'IAM-01')).status, 'passed');
});

test('IAM-02: a person without a second factor is found until they turn it on', async () => {
  const { api } = await world.person();
  assert.match((await checked(api, 'IAM-02')).findings.join(), /This person signs in with a password only/);
  const { secret } = await api.twoFactor.setUp({ password: 'correct horse battery' });
  assert.equal((await checked(api, 'IAM-02')).status, 'failed', 'one that is not confirmed protects nothing');
  await api.twoFactor.confirm({ code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() });
  assert.equal((await checked(api, 'IAM-02')).status, 'passed');
});

test('IAM-03: the shortest password that the server takes is found, and what is too short is accepted only by a waiver', async () => {
  const { api } = await world.person();
  const { status, ids, findings } = await checked(api, 'IAM-03');
  assert.deepEqual([status, ids], ['failed', ['password-rule']]);
  assert.match(findings.join(), /Passwords of 8 letters are taken; PCI DSS 8\.3\.6 asks for 12/);
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  await api.compliance.createWaiver({ control: 'IAM-03', owner: 'Ada', reason: 'Second factors are required', expires_at });
  const waived = await api.compliance.control({ control: 'IAM-03' });
  assert.deepEqual([waived.status, waived.is_waived], ['passed', true]);
});

test('IAM-03: an installation in which people sign in with passwords fails, and passes once all sign in through a provider', async (t) => {
  const oauth = await startOAuthWorld(t);
  const { api, email } = await oauth.person();
  const { token } = await oauth.enter('github', somebody());
  const there = oauth.as(token);
  assert.deepEqual((await checked(there, 'IAM-03')).ids, ['password-rule']);
  await api.profile.deleteAccount({ password: 'correct horse battery', confirmation: email });
  const { status, resources } = await checked(there, 'IAM-03');
  assert.deepEqual([status, resources[0]?.finding], ['passed', 'Nobody signs in with a password.']);
});

test('IAM-04: the sign-in itself ends the guessing, and a limit that is too high is found', async (t) => {
  const { api } = await world.person();
  const usual = await checked(api, 'IAM-04');
  assert.deepEqual(usual.ids, ['lockout-duration'], usual.findings.join());
  assert.match(usual.resources.find(({ id }) => id === 'lockout')?.finding ?? '', /After 10 wrong passwords the next one was refused/);
  const [{ left }] = await world.sql<[{ left: number }]>`select count(*)::int as left from rate_limits where key like '%lockout-probe%'`;
  assert.equal(left, 0, 'the probe leaves nothing');
  const strict = await startApi(t, { lockSeconds: 1_800 });
  const longer = await checked((await strict.person()).api, 'IAM-04');
  assert.deepEqual([longer.status, longer.ids], ['passed', []], longer.findings.join());
  const open = await startApi(t, {
    attempts: {
      account: 1_000,
      address: 50,
      everybody: 1_000,
      signups: 30,
      mails: 5,
      linkRequests: 20,
      linkRequestsOfAll: 1_000,
      links: 50,
    },
  });
  const { api: there } = await open.person();
  assert.match((await checked(there, 'IAM-04')).findings.join(), /30 wrong passwords were answered, and the next one was not refused/);
});

test('IAM-05: idle sessions are a setting: one finding, however many there are, until a policy ends them', async () => {
  const { api, email } = await world.person();
  const login = () => world.anonymous.accounts.login({ email, password: 'correct horse battery' });
  await login();
  const idle = () => world.sql`
    update sessions
    set last_used_at = now() - interval '3 hours'
    where user_id = (
      select id
      from users
      where email = ${email}
    )`;
  await idle();
  const before = await checked(api, 'IAM-05');
  await idle();
  assert.deepEqual([before.status, before.resources.length], ['failed', 1]);
  await login();
  await idle();
  assert.deepEqual((await checked(api, 'IAM-05')).resources.length, 1, 'it grows with no session');
  const brokenBy = async (framework: 'gdpr' | 'hipaa' | 'pci-dss') => {
    const { status, resources } = await api.compliance.control({ control: 'IAM-05', framework });
    return `${status}: ${resources[0]?.finding}`;
  };
  assert.equal(await brokenBy('gdpr'), 'passed: Within what GDPR asks for.');
  assert.equal(await brokenBy('hipaa'), 'failed: No policy ends sessions that nobody uses.');
  assert.equal(await brokenBy('pci-dss'), 'failed: No policy ends sessions that nobody uses; PCI DSS 8.2.8 allows 15 minutes.');

  const policy = { name: 'Sessions', description: '', type: 'access_control', status: 'active' } as const;
  const { id } = await api.policies.create({ ...policy, rules: ['End idle sessions after 60 minutes'] });
  await checked(api, 'IAM-05');
  assert.match(await brokenBy('hipaa'), /^passed/);
  assert.equal(await brokenBy('pci-dss'), 'failed: Sessions end after 60 minutes without use; PCI DSS 8.2.8 allows 15 minutes.');
  await api.policies.update({ id, ...policy, rules: ['End idle sessions after 15 minutes'] });
  assert.equal((await checked(api, 'IAM-05')).status, 'passed');
});

test('a session that was not used for longer than a policy allows is ended, and one in use goes on', async () => {
  const { api, email } = await world.person();
  const second = apiOf(world.origin, (await world.anonymous.accounts.login({ email, password: 'correct horse battery' })).token);
  const rules = ['End idle sessions after 15 minutes'];
  await api.policies.create({ name: 'Sessions', description: '', type: 'access_control', status: 'active', rules });
  const { sessions } = await api.profile.sessions();
  const { id } = sessions.find(({ is_current }) => !is_current)!;
  const unused = (minutes: number) => world.sql`
    update sessions
    set last_used_at = now() - make_interval(mins => ${minutes})
    where id = ${id}`;
  await unused(14);
  assert.equal((await second.profile.sessions()).sessions.length, 2);
  await unused(16);
  await assert.rejects(second.profile.sessions(), { code: 'not_signed_in' });
  assert.equal((await api.profile.sessions()).sessions.length, 1, 'it is gone');
});

test('IAM-06: without a completed review, and 181 days after the last one, the control fails; in between it passes', async () => {
  const { api, team_id } = await auditedPerson(world);
  const before = await checked(api, 'IAM-06');
  assert.deepEqual([before.status, before.findings], ['failed', ['No access review was completed yet.']]);
  const { id } = await api.accessReviews.start();
  assert.match((await checked(api, 'IAM-06')).findings.join(), /A review is open, with 1 undecided entry\.$/);
  await keepAll(api, id);
  await api.accessReviews.complete({ id });
  const after = await checked(api, 'IAM-06');
  assert.deepEqual(
    [after.status, after.resources[0]?.finding.split(':')[0]],
    ['passed', 'The last access review was completed 0 days ago'],
  );
  const accessReviews = world.features.accessReviews.exports;
  const later = (days: number) => accessReviewControl({ accessReviews, now: () => Date.now() + days * 86_400_000 });
  assert.equal(await statusOf(later(180), team_id), 'passed');
  assert.match((await foundBy(later(181), team_id))[0]?.finding ?? '', /completed 181 days ago; PCI DSS 7\.2\.4 allows 180 days/);
});

test('IAM-06: something that a review revoked and that works again is found', async () => {
  const { api } = await world.person();
  const { key_info } = await api.apiKeys.create({ name: 'undead', scopes: ['projects:read'] });
  const { id } = await api.accessReviews.start();
  await api.accessReviews.decide({
    id,
    decision: 'revoke',
    items: [(await api.accessReviews.items({ id })).items.find(({ name }) => name === 'undead')!.id],
  });
  await keepAll(api, id);
  await api.accessReviews.complete({ id });
  assert.equal((await checked(api, 'IAM-06')).status, 'passed');
  // The product cannot restore a revoked key; a manual change in the database can.
  await world.sql`update api_keys set revoked_at = null where id = ${key_info.id}`;
  const found = await checked(api, 'IAM-06');
  assert.deepEqual([found.status, found.ids], ['failed', [key_info.id]]);
  assert.match(found.findings.join(), /revoked this, and it is there all the same/);
});

test('IAM-07: a person who was not seen for long is found until they sign in', async () => {
  const { api, email } = await world.person();
  await world.sql`
    update users
    set created_at = now() - interval '200 days'
    where email = ${email}`;
  assert.equal((await checked(api, 'IAM-07')).status, 'passed');
  const [{ id }] = await world.sql<[{ id: string }]>`select id from users where email = ${email}`;
  await world.sql`update known_devices set seen_at = now() - interval '100 days' where user_id = ${id}`;
  await world.sql`update sessions set last_used_at = now() - interval '100 days' where user_id = ${id}`;
  // Read without using the session, because a use would count.
  const team_id = await teamOf(world.sql, { email });
  const [person] = await loadPeople(world.sql, team_id);
  assert.equal(person?.seen_at.slice(0, 10), new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 10));
  const { api_key } = await api.apiKeys.create({ name: 'auditor', scopes: ['governance:read', 'governance:write'] });
  await world.sql`update sessions set last_used_at = now() - interval '100 days' where user_id = ${id}`;
  const away = await checked(apiOf(world.origin, api_key), 'IAM-07');
  assert.deepEqual([away.status, away.ids], ['failed', [id]], team_id);
  await world.anonymous.accounts.login({ email, password: 'correct horse battery' });
  assert.equal((await checked(api, 'IAM-07')).status, 'passed');
});

// Every call and every mail of the product names the actor, and a key is removed with its owner. A record delivered by a broken gateway
// stands in for this state, and the 90 days until it no longer counts are set in the database.
test('IAM-08: a record of a person that does not say who, which no call can make, is found until it lies 90 days back', async () => {
  const steps = await auditSteps(world);
  const { api, team_id } = await auditedPerson(world);
  await api.projects.create({ name: 'named' });
  await steps.sequence();
  const named = await checked(api, 'IAM-08');
  assert.equal(named.status, 'passed', named.findings.join());
  await steps.handIn([
    auditEvent(team_id, { action_type: 'configuration', action: 'project.update', actor: { type: 'person', id: null, name: 'Ada' } }),
  ]);
  await steps.sequence();
  assert.match((await checked(api, 'IAM-08')).findings.join(), /1 record of a person or a key does not say which/);
  await tamper(
    world.sql,
    `update audit_records set timestamp = now() - interval '91 days' where team_id = '${team_id}' and actor_id is null`,
  );
  assert.equal((await checked(api, 'IAM-08')).status, 'passed', 'and it lies too long back');
});
