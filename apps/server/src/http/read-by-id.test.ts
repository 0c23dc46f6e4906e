import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Contract, contract } from '@paddock/contract';
import { deploymentIn } from '../../test/rows.ts';
import { startApi } from '../../test/server.ts';

test('what a list shows of a thing is what GET gives at its own address, and an unknown id is 404', async (t) => {
  const place = await startApi(t);
  const { sql, api, team_id, project_id, deployment_id } = await deploymentIn(place);
  await sql`
    insert into alerts (id, team_id, deployment_id, project_id, rule, severity, message)
    values ('alr_one', ${team_id}, ${deployment_id}, ${project_id}, 'error_rate', 'warning', 'Too many errors')`;
  await api.variables.set({ project_id, environment: 'production', variables: [{ key: 'REGION', value: 'CANARY' }] });
  await api.apiKeys.create({ name: 'ci' });
  const { channel } = await api.channels.create({ name: 'ops', type: 'webhook', url: 'https://93.184.216.34/hook' });
  await sql`
    insert into channel_deliveries (id, team_id, channel_id, event, facts, status)
    values ('dlv_one', ${team_id}, ${channel.id}, 'channel.test', '{}', 'failed')`;
  await api.policies.create({ name: 'strict', rules: ['Be kind'] });
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  await api.compliance.createWaiver({ control: 'KEY-02', owner: 'Ada', reason: 'Until the agent ends', expires_at });
  const { id: database } = await api.databases.create({
    ...{ project_id, environment: 'production', type: 'postgresql' },
    url: 'postgres://user:password@db.invalid/app',
  });
  await sql`
    update databases
    set mode = 'managed', status = 'available', node = 'some', machine = 'some'`;
  await api.databases.createBackup({ id: database });
  const { user_id } = (await sql<{ user_id: string }[]>`select user_id from team_members where team_id = ${team_id}`)[0]!;
  await sql`
    insert into identities (provider, issuer, subject, user_id, email)
    values ('github', 'https://github.com', '7', ${user_id}, 'ada@example.com')`;

  const inProduction = { project_id, environment: 'production' } as const;
  const [key, session, policy, waiver, backup, rule] = [
    (await api.apiKeys.list()).api_keys[0]!,
    (await api.profile.sessions()).sessions[0]!,
    (await api.policies.list()).policies[0]!,
    (await api.compliance.control({ control: 'KEY-02' })).waivers[0]!,
    (await api.databases.backups({ id: database })).backups[0]!,
    (await api.alertRules.list({ id: project_id })).alert_rules[0]!,
  ];
  const pairs: Record<string, [listed: unknown, read: unknown]> = {
    'apiKeys.get': [key, await api.apiKeys.get({ id: key.id })],
    'profile.session': [session, await api.profile.session({ id: session.id })],
    'policies.get': [policy, await api.policies.get({ id: policy.id })],
    'compliance.waiver': [waiver, await api.compliance.waiver({ id: waiver.id })],
    'databases.backup': [backup, await api.databases.backup({ id: database, backup_id: backup.id })],
    'alertRules.get': [rule, await api.alertRules.get({ id: project_id, rule: rule.rule })],
    'alerts.get': [(await api.alerts.list()).alerts[0], await api.alerts.get({ id: 'alr_one' })],
    'channels.get': [(await api.channels.list()).channels[0], await api.channels.get({ id: channel.id })],
    'channels.delivery': [
      (await api.channels.deliveries({ id: channel.id })).deliveries[0],
      await api.channels.delivery({ id: channel.id, delivery_id: 'dlv_one' }),
    ],
    'variables.get': [(await api.variables.list(inProduction)).variables[0], await api.variables.get({ ...inProduction, key: 'REGION' })],
    'oauth.identity': [(await api.oauth.identities()).identities[0], await api.oauth.identity({ provider: 'github' })],
  };
  for (const [call, [listed, read]] of Object.entries(pairs)) {
    assert.ok(listed, call);
    assert.deepEqual(read, listed, call);
  }
  assert.doesNotMatch(JSON.stringify(pairs), /CANARY|token_hash|sealed/);

  const unknown = {
    api_key_not_found: () => api.apiKeys.get({ id: 'key_none' }),
    session_not_found: () => api.profile.session({ id: 'ses_none' }),
    policy_not_found: () => api.policies.get({ id: 'pol_none' }),
    waiver_not_found: () => api.compliance.waiver({ id: 'wvr_none' }),
    backup_not_found: () => api.databases.backup({ id: database, backup_id: 'bak_none' }),
    alert_not_found: () => api.alerts.get({ id: 'alr_none' }),
    channel_not_found: () => api.channels.get({ id: 'chn_none' }),
    delivery_not_found: () => api.channels.delivery({ id: channel.id, delivery_id: 'dlv_none' }),
    variable_not_found: () => api.variables.get({ ...inProduction, key: 'NONE' }),
    identity_not_found: () => api.oauth.identity({ provider: 'google' }),
    project_not_found: () => api.alertRules.get({ id: 'prj_none', rule: rule.rule }),
  };
  for (const [code, call] of Object.entries(unknown)) await assert.rejects(call(), { code, status: 404 }, code);
  assert.equal(Object.keys(pairs).length, Object.keys(unknown).length);
});

test('an address that a creation names is the address of the thing, wherever a thing has one', () => {
  const calls = Object.values(contract as Contract).flatMap((group) => Object.values(group));
  const byName = new Set(
    calls.filter(({ method, path }) => method === 'GET' && /:\w+$/.test(path)).map(({ path }) => path.replace(/:\w+/g, ':')),
  );
  const lists = calls
    .filter(({ status, location }) => status === 201 && location && byName.has(`${location.replace(/:\w+/g, ':')}/:`))
    .map(({ path }) => path);
  assert.deepEqual(lists, []);
});
