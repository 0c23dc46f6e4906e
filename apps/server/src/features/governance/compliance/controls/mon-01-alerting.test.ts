import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { auditedPerson } from '../../../../../test/audit.ts';
import { foundBy, statusOf } from '../../../../../test/controls.ts';
import { until } from '../../../../../test/platform.ts';
import { setStatus } from '../../../../../test/policies.ts';
import { startApi } from '../../../../../test/server.ts';
import { noReserve } from '../../../../disk/reserve.ts';
import { startPeriodicJobs } from '../../../../jobs/periodic.ts';
import { createLog } from '../../../../log.ts';
import { alertingControl } from './mon-01-alerting.ts';

async function world(t: Parameters<typeof startApi>[0]) {
  const server = await startApi(t, { egressAllow: ['127.0.0.0/8'] });
  const { sql, features } = server;
  const { api, team_id } = await auditedPerson(server);
  /** Runs the evaluation jobs as the server's background work does. */
  async function evaluate() {
    await sql`update periodic_jobs set next_run_at = now(), last_run_at = null`;
    const jobs = [...features.rules.jobs, ...features.policies.jobs.filter(({ name }) => name === 'policy.failed-logins')];
    const started = startPeriodicJobs({ sql, jobs, reserve: noReserve, log: createLog('silent') });
    const ran = () => sql`select 1 from periodic_jobs where last_run_at is not null`;
    await until('rules were evaluated', async () => (await ran()).length === jobs.length);
    await started.close();
  }
  const control = alertingControl({ sql, ...features.policies.exports.rules });
  const alertOnFailures = () => api.policies.create({ name: 'Sign-ins', rules: ['Alert after 3 failed logins'], status: 'active' });
  return { sql, api, team_id, evaluate, control, alertOnFailures };
}

test('a team without a channel, a channel that took no message, and one that took none for a month are found, and a test that arrives passes', async (t) => {
  const { sql, api, team_id, evaluate, control, alertOnFailures } = await world(t);
  await alertOnFailures();
  let status = 500;
  const target = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
  t.after(() => target.close());
  await evaluate();
  const [none] = await foundBy(control, team_id);
  assert.match(none?.finding ?? '', /^The team has no channel/);
  assert.equal(none?.fix?.path, '/settings?tab=alerts');

  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`;
  const { channel } = await api.channels.create({ name: 'ops', type: 'webhook', url, events: ['alert.opened'] });
  const findings = async () => (await foundBy(control, team_id)).map(({ name, finding }) => `${name}: ${finding}`);
  assert.deepEqual(await findings(), ['ops: The channel has not taken a message yet, and no test was sent.']);
  await api.channels.test({ id: channel.id });
  assert.match((await findings())[0] ?? '', /^ops: The last message to the channel was not delivered, 0 minutes ago\./);
  status = 200;
  await api.channels.test({ id: channel.id });
  assert.equal(await statusOf(control, team_id), 'passed');

  await sql`
    update channel_deliveries
    set created_at = created_at - interval '31 days', delivered_at = delivered_at - interval '31 days'`;
  assert.deepEqual(await findings(), ['ops: The channel last took a message 31 days ago; it counts as alive for 30 days.']);
  await api.channels.test({ id: channel.id });
  await api.channels.update({ id: channel.id, events: ['deployment.failed'] });
  assert.deepEqual(await findings(), ['ops: The channel does not hear of alerts that open.']);
  await api.channels.update({ id: channel.id, events: ['alert.opened'], is_active: false });
  assert.deepEqual(await findings(), ['ops: The channel is switched off.']);
  await api.channels.update({ id: channel.id, is_active: true });
  assert.equal(await statusOf(control, team_id), 'passed');
});

test('rules that were not evaluated for five minutes are found, and an installation that never did is not verified', async (t) => {
  const { sql, team_id, evaluate, control, alertOnFailures } = await world(t);
  await alertOnFailures();
  assert.equal(
    (await foundBy(control, team_id, 'unverified'))[0]?.finding,
    'Alert rules have not been evaluated on this installation yet.',
  );
  await evaluate();
  await sql`update periodic_jobs set last_run_at = now() - interval '6 minutes' where name = 'alert-rule.evaluate'`;
  const late = async () => (await foundBy(control, team_id)).filter(({ type }) => type === 'job').map(({ finding }) => finding);
  assert.deepEqual(await late(), ['Alert rules were last evaluated 6 minutes ago, which is more than five minutes.']);
  await evaluate();
  assert.deepEqual(await late(), []);
});

test('a team without a rule about failed sign-ins is found, and passes while a policy with one is active', async (t) => {
  const { sql, api, team_id, evaluate, control, alertOnFailures } = await world(t);
  await evaluate();
  const ofSignIns = async () => (await foundBy(control, team_id)).filter(({ type }) => type === 'policy');
  const [none] = await ofSignIns();
  assert.deepEqual(
    [none?.finding, none?.fix],
    [
      'No active policy asks for an alert when sign-ins fail.',
      { text: 'Make a policy with the rule "Alert after 3 failed logins", and activate it.', path: '/governance?tab=policies' },
    ],
  );
  const policy = await alertOnFailures();
  assert.deepEqual(await ofSignIns(), []);
  const told = (await foundBy(control, team_id, 'passed')).find(({ type }) => type === 'policy');
  assert.equal(told?.finding, 'Failed sign-ins open an alert by the policy "Sign-ins": Alert after 3 failed logins.');
  await sql`update periodic_jobs set last_run_at = now() - interval '6 minutes' where name = 'policy.failed-logins'`;
  assert.deepEqual(
    (await foundBy(control, team_id)).filter(({ type }) => type === 'job').map(({ finding }) => finding),
    ['Failed sign-ins were last counted 6 minutes ago, which is more than five minutes.'],
  );
  await setStatus(api, policy, 'archived');
  assert.equal((await ofSignIns()).length, 1);
});
