import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { channelWorld, newest } from '../../../../test/channels.ts';
import { until } from '../../../../test/platform.ts';
import { receiver } from '../../../../test/receiver.ts';

const webhook = { name: 'CI', type: 'webhook', url: 'https://hooks.invalid/paddock?token=canary' } as const;
const slack = { name: '#ops', type: 'slack', url: 'https://hooks.slack.invalid/services/T000/B000/CANARYxyz9' } as const;

test('a channel is created, shown, changed and deleted; its secret is shown once, and of Slack not even the address', async (t) => {
  const { team, sql } = await channelWorld(t, { resolveTargets: async () => [] });
  const { api } = await team();
  const { channel, secret } = await api.channels.create(webhook);
  const { id, created_at, ...rest } = channel;
  assert.match(`${id} ${created_at}`, /^chn_\S+ 20/);
  assert.deepEqual(rest, {
    ...webhook,
    events: ['alert.opened', 'alert.resolved', 'deployment.active', 'deployment.failed', 'deployment.stopped'],
    is_active: true,
    off_reason: null,
    last_delivery: null,
  });
  const ops = await api.channels.create({ ...slack, events: ['alert.opened'] });
  assert.deepEqual([ops.secret, ops.channel.url], [null, 'https://hooks.slack.invalid/…xyz9']);
  const list = await api.channels.list();
  assert.deepEqual(list.channels, [channel, ops.channel]);
  assert.doesNotMatch(JSON.stringify(list), /whsec_|CANARY/);
  const stored = JSON.stringify(await sql`select c.*, encode(sealed, 'escape') as bytes from channels c`);
  for (const hidden of ['canary', 'CANARY', secret!.slice(8)]) assert.ok(!stored.includes(hidden), `${hidden} is stored as it is`);
  const changed = await api.channels.update({ id, name: 'CI 2', events: ['deployment.failed'], is_active: false });
  assert.deepEqual(changed, { ...channel, name: 'CI 2', events: ['deployment.failed'], is_active: false });
  assert.deepEqual(await api.channels.update({ id }), changed, 'what is left out stays');
  await api.channels.delete({ id });
  assert.deepEqual((await api.channels.list()).channels, [ops.channel]);
  await assert.rejects(api.channels.delete({ id }), { code: 'channel_not_found' });
  await assert.rejects(api.channels.rotateSecret({ id: ops.channel.id }), { code: 'channel_not_signed' });
});

test('a team has ten channels at most, also when they are created at the same time', async (t) => {
  const { team } = await channelWorld(t, { resolveTargets: async () => [] });
  const { api } = await team();
  const tries = await Promise.allSettled(Array.from({ length: 14 }, () => api.channels.create(webhook)));
  const refused = tries.filter((one) => one.status === 'rejected').map(({ reason }) => (reason as { code: string }).code);
  assert.deepEqual(
    refused,
    Array.from({ length: 4 }, () => 'channels_too_many'),
  );
  assert.equal((await api.channels.list()).channels.length, 10);
});

test('a repeated request makes no second channel and does not show the secret again', async (t) => {
  const { team } = await channelWorld(t, { resolveTargets: async () => [] });
  const { api } = await team();
  await api.channels.create(webhook, { idempotency_key: 'once' });
  await assert.rejects(api.channels.create(webhook, { idempotency_key: 'once' }), { code: 'secret_shown_once' });
  assert.equal((await api.channels.list()).channels.length, 1);
});

test('nobody sees, changes, tests or hears of the channels of another team', async (t) => {
  const world = await channelWorld(t);
  const [ada, eve] = [await world.team(), await world.team()];
  const { received, url } = await receiver(t);
  const { channel } = await ada.api.channels.create({ ...webhook, url });
  await world.happen(ada.team_id);
  const [delivery] = (await ada.api.channels.deliveries({ id: channel.id })).deliveries;
  const own = (await eve.api.channels.create({ ...webhook, url: `${url}/eve` })).channel;
  const { id } = channel;
  const calls = [
    () => eve.api.channels.update({ id, name: 'mine' }),
    () => eve.api.channels.delete({ id }),
    () => eve.api.channels.test({ id }),
    () => eve.api.channels.rotateSecret({ id }),
    () => eve.api.channels.deliveries({ id }),
    () => eve.api.channels.retry({ id, delivery_id: delivery!.id }),
  ];
  for (const call of calls) await assert.rejects(call(), { code: 'channel_not_found' });
  await assert.rejects(eve.api.channels.retry({ id: own.id, delivery_id: delivery!.id }), { code: 'delivery_not_found' });
  assert.deepEqual((await eve.api.channels.list()).channels, [own]);
  world.deliver();
  await newest(ada.api, id, ({ status }) => status === 'delivered');
  assert.deepEqual((await eve.api.channels.deliveries({ id: own.id })).deliveries, []);
  assert.deepEqual(
    received.map(({ path }) => path),
    ['/hook'],
  );
});

test('an API key without a scope of channels does nothing with them', async (t) => {
  const { team, origin } = await channelWorld(t);
  const { api } = await team();
  const { api_key } = await api.apiKeys.create({ name: 'all', scopes: ['agents:read', 'agents:write', 'projects:write'] });
  for (const [method, path] of [
    ['GET', '/channels'],
    ['POST', '/channels/chn_1/test'],
  ]) {
    const answer = await fetch(`${origin}/api/v1${path}`, { method: method!, headers: { authorization: `Bearer ${api_key}` } });
    assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [403, 'scope_missing']);
  }
});

test('a test tells what the other side said, also of a channel that is off, and stands among the deliveries', async (t) => {
  const world = await channelWorld(t);
  const { api } = await world.team();
  const { at, received, url } = await receiver(t, (_, answer) => answer.writeHead(404).end(`no such hook ${'ä'.repeat(300)}`));
  const { channel, secret } = await api.channels.create({ ...webhook, url });
  await api.channels.update({ id: channel.id, is_active: false });
  const { duration_ms, ...told } = await api.channels.test({ id: channel.id });
  assert.ok(duration_ms >= 0);
  assert.deepEqual(told, { is_delivered: false, status: 404, answer: `no such hook ${'ä'.repeat(187)}`, error: 'It answered 404.' });
  at.answer = (_, answer) => answer.writeHead(204).end();
  assert.equal((await api.channels.test({ id: channel.id })).is_delivered, true);
  const message = new Webhook(secret!).verify(received[0]!.body, received[0]!.headers) as { type: string; data: unknown };
  assert.deepEqual([message.type, message.data], ['channel.test', { channel_id: channel.id, channel_name: 'CI' }]);
  const { deliveries } = await api.channels.deliveries({ id: channel.id });
  assert.deepEqual(
    deliveries.map(({ event, status, attempts, response_status }) => [event, status, attempts, response_status]),
    [
      ['channel.test', 'delivered', 1, 204],
      ['channel.test', 'failed', 1, 404],
    ],
  );
  assert.deepEqual((await api.channels.list()).channels[0]!.last_delivery, deliveries[0]);
});

test('for a day after the secret was replaced messages carry the signatures of both, then of the new one alone', async (t) => {
  const world = await channelWorld(t);
  const { api } = await world.team();
  const { received, url } = await receiver(t);
  const { channel, secret: before } = await api.channels.create({ ...webhook, url });
  const { secret } = await api.channels.rotateSecret({ id: channel.id });
  assert.notEqual(secret, before);
  await api.channels.test({ id: channel.id });
  const [message] = received;
  for (const one of [before!, secret]) new Webhook(one).verify(message!.body, message!.headers);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 25 * 3600_000 });
  await api.channels.test({ id: channel.id });
  new Webhook(secret).verify(received[1]!.body, received[1]!.headers);
  assert.throws(() => new Webhook(before!).verify(received[1]!.body, received[1]!.headers), /matching signature/);
});

test('a channel hears only of the events that it chose, and Slack gets a plain text in which nothing is a link or a mention', async (t) => {
  const world = await channelWorld(t);
  const { api, team_id } = await world.team();
  const { received, url } = await receiver(t);
  await api.channels.create({ ...slack, url, events: ['alert.resolved'] });
  world.deliver();
  await world.happen(team_id, '<!channel> & <https://evil.example|here>');
  await api.alerts.resolve({ id: (await api.alerts.list()).alerts[0]!.id });
  await until('it came', async () => received.length === 1);
  assert.deepEqual(JSON.parse(received[0]!.body), {
    text: 'Resolved (critical): &lt;!channel&gt; &amp; &lt;https://evil.example|here&gt;',
  });
  assert.equal(received[0]!.headers['webhook-signature'], undefined);
});

test('a message is written in the transaction of its cause: what is rolled back is told to nobody', async (t) => {
  const world = await channelWorld(t);
  const { api, team_id } = await world.team();
  const { url } = await receiver(t);
  const { channel } = await api.channels.create({ ...webhook, url });
  await assert.rejects(
    world.sql.begin(async (tx) => {
      await world.alerts.raiseWithin(tx, team_id, { rule: 'r', severity: 'info', title: 'T', message: 'never' });
      throw new Error('changed my mind');
    }),
  );
  assert.deepEqual((await api.channels.deliveries({ id: channel.id })).deliveries, []);
});
