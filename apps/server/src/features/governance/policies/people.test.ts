import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { type PolicyWorld, policyWorld, refusedBy } from '../../../../test/policies.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { runJob } from '../../../../test/run-job.ts';
import { startApi } from '../../../../test/server.ts';

const password = 'correct horse battery';
let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});
beforeEach(() => world.sql`delete from rate_limits`);

const openAlerts = async ({ api }: PolicyWorld) => (await api.alerts.list({ resolved: 'false' })).alerts.map(({ message }) => message);

test('without a second factor people change nothing, read all, and can turn it on; keys are not concerned', async () => {
  const w = await policyWorld(world);
  const { api_key } = await w.api.apiKeys.create({ name: 'CI', scopes: ['projects:write'] });
  const rule = 'Require two-factor authentication';
  await w.policy([rule], 'draft');
  await w.api.projects.create({ name: 'by-a-draft' });
  const policy = await w.policy([rule]);
  await assert.rejects(w.api.projects.create({ name: 'refused' }), {
    ...refusedBy(rule),
    message:
      'The policy "Strict" does not allow this: Require two-factor authentication. Turn on two-factor sign-in in the settings, under Profile (/settings).',
  });
  await assert.rejects(w.archive(policy), refusedBy(rule));
  assert.equal((await w.api.projects.list()).projects.length, 2);
  assert.deepEqual((await w.api.policies.dryRun({ rules: [rule] })).rules[0]?.is_enforced, true);
  await w.keyApi(api_key).projects.create({ name: 'by-a-key' });
  await w.api.profile.update({ name: 'Ada of the Settings' });
  const { secret } = await w.api.twoFactor.setUp({ password });
  await w.api.twoFactor.confirm({ code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() });
  await w.api.projects.create({ name: 'with-a-factor' });
  await w.archive(policy);
});

test('an alert opens once for failed sign-ins, tells policy and rule, is recorded, and closes when they are past; not by a draft', async () => {
  const w = await policyWorld(world);
  const rule = 'Alert after 3 failed logins';
  const fail = () => assert.rejects(world.anonymous.accounts.login({ email: w.email, password: 'wrong' }), { code: 'credentials_wrong' });
  const draft = await w.policy([rule], 'draft');
  for (let n = 0; n < 3; n++) await fail();
  await w.record();
  await runJob(world.features, 'policy.failed-logins');
  assert.deepEqual(await openAlerts(w), []);
  assert.equal((await w.api.policies.dryRun({ rules: [rule, 'Alert after 4 failed logins'] })).refused, 1);
  await w.api.policies.delete({ id: draft.id });
  const policy = await w.policy(['Alert after 4 failed logins']);
  await runJob(world.features, 'policy.failed-logins');
  assert.deepEqual(await openAlerts(w), []);
  await fail();
  await w.record();
  await runJob(world.features, 'policy.failed-logins');
  await runJob(world.features, 'policy.failed-logins');
  const [message, ...others] = await openAlerts(w);
  assert.match(
    message!,
    /^4 sign-ins failed within an hour for the account of Ada\. The policy "Strict" asks to be told: Alert after 4 failed logins\./,
  );
  assert.deepEqual(others, []);
  await w.record();
  const { logs } = await w.api.governance.auditLogs({ limit: 50 });
  const enforced = logs.filter(({ action }) => action === 'policy.enforce');
  assert.deepEqual(
    enforced.map(({ output_data, targets }) => [output_data, targets[0]?.id]),
    [[{ policy: 'Strict', rule: 'Alert after 4 failed logins', alert: 'policy_failed_logins' }, policy.id]],
  );
  await w.archive(policy);
  await runJob(world.features, 'policy.failed-logins');
  assert.deepEqual(await openAlerts(w), []);
});

test('deployments come from the named people and keys alone', async () => {
  const w = await policyWorld(world);
  const [ci, other] = await Promise.all(
    ['CI  of the team', 'other'].map(async (name) => w.keyApi((await w.api.apiKeys.create({ name, scopes: ['agents:deploy'] })).api_key)),
  );
  const rule = 'Deployments only by: key CI of the team';
  await w.deploy();
  await w.deploy({}, other);
  await w.record();
  assert.equal((await w.api.policies.dryRun({ rules: [rule] })).refused, 2);
  const policy = await w.policy([rule]);
  await assert.rejects(w.deploy(), refusedBy(rule));
  await assert.rejects(w.deploy({}, other), refusedBy(rule));
  await w.deploy({}, ci);
  await w.archive(policy);
  await w.policy([`Deployments only by: ${w.email.toUpperCase()}`]);
  await w.deploy();
  await assert.rejects(w.deploy({}, ci), { code: 'policy_refused' });
});

test('over the budget of the day deployments are refused and an alert is open, until the budget allows more', async () => {
  const w = await policyWorld(world);
  const { id } = await w.deploy();
  await w.api.traces.setPrices({
    model_prices: [{ model: 'mine', input_usd: 1, cached_input_usd: null, cache_write_usd: null, output_usd: 1 }],
  });
  await world.sql`
    insert into model_usage_hours (deployment_id, hour, model, calls, input_tokens, cached_tokens, cache_write_tokens, output_tokens, reasoning_tokens)
    values (${id}, date_trunc('hour', now()), 'mine', 1, 6000000, 0, 0, 0, 0)`;
  await w.policy(['Budget $5 per day'], 'draft');
  await w.policy(['Budget $6 per day'], 'active', 'Wide');
  await w.deploy();
  await runJob(world.features, 'policy.budget');
  assert.deepEqual(await openAlerts(w), []);
  const policy = await w.policy(['Budget $5 per day']);
  await assert.rejects(w.deploy(), refusedBy('Budget $5 per day'));
  await runJob(world.features, 'policy.budget');
  assert.match(
    (await openAlerts(w))[0]!,
    /^Model calls cost \$6(\.00)? today \(UTC\)\. The policy "Strict" does not allow more: Budget \$5 per day\./,
  );
  await w.archive(policy);
  await w.deploy();
  await runJob(world.features, 'policy.budget');
  assert.deepEqual(await openAlerts(w), []);
});
