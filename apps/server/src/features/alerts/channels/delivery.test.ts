import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { channelWorld, newest } from '../../../../test/channels.ts';
import { until } from '../../../../test/platform.ts';
import { receiver } from '../../../../test/receiver.ts';
import { pausesSeconds } from './deliver.ts';

test('an alert reaches a webhook when it opens and when it ends, signed so that the public library takes it', async (t) => {
  const world = await channelWorld(t);
  const { api, team_id } = await world.team();
  const { received, url } = await receiver(t);
  const { channel, secret } = await api.channels.create({ name: 'CI', type: 'webhook', url });
  assert.match(secret ?? '', /^whsec_[A-Za-z0-9+/]{43}=$/);
  world.deliver();
  await world.happen(team_id);
  await until('it came', async () => received.length === 1);
  const [alert] = (await api.alerts.list()).alerts;
  await api.alerts.resolve({ id: alert!.id });
  await until('its end came', async () => received.length === 2);
  const resolved = (await api.alerts.list()).alerts[0];
  const told = received.map(
    ({ headers, body }) => new Webhook(secret!).verify(body, headers) as { type: string; timestamp: string; data: unknown },
  );
  assert.deepEqual(
    told.map(({ type, data }) => [type, data]),
    [
      ['alert.opened', alert],
      ['alert.resolved', resolved],
    ],
  );
  assert.throws(() => new Webhook(secret!).verify(`${received[0]!.body} `, received[0]!.headers), /matching signature/);
  const delivery = await newest(api, channel.id, ({ status }) => status === 'delivered');
  assert.deepEqual(
    [
      delivery.id,
      delivery.event,
      delivery.attempts,
      delivery.response_status,
      delivery.response_text,
      delivery.error,
      delivery.next_attempt_at,
    ],
    [received[1]!.headers['webhook-id'], 'alert.resolved', 1, 200, 'thanks', null, null],
  );
  assert.equal(received[0]!.headers['content-type'], 'application/json; charset=utf-8');
});

test('a channel hears nothing of an alert while it is snoozed, hears of it once more when the time is over, and of its end as usual', async (t) => {
  const world = await channelWorld(t);
  const { api, team_id } = await world.team();
  const { received, url } = await receiver(t);
  const { secret } = await api.channels.create({ name: 'CI', type: 'webhook', url });
  world.deliver();
  await world.happen(team_id);
  await until('it came', async () => received.length === 1);
  const { id } = (await api.alerts.list()).alerts[0]!;
  for (const minutes of [60, 0, 60]) await api.alerts.snooze({ id, minutes });
  assert.equal((await api.alerts.list()).open, 0);
  await world.sql`update alerts set snoozed_until = now()`;
  for (const { name, run } of world.features.alerts.jobs) if (name === 'alert.wake') await run(AbortSignal.timeout(10_000));
  await until('it came once more', async () => received.length === 2);
  await api.alerts.snooze({ id, minutes: 60 });
  await api.alerts.resolve({ id });
  await until('its end came', async () => received.length === 3);
  const told = received.map(
    ({ headers, body }) => new Webhook(secret!).verify(body, headers) as { type: string; data: { id: string; snoozed_until: unknown } },
  );
  assert.deepEqual(
    told.map(({ type, data }) => [type, data.id, data.snoozed_until]),
    ['alert.opened', 'alert.opened', 'alert.resolved'].map((type) => [type, id, null]),
  );
});

test('what failed is sent again ever more seldom under the same id, after an answer of 500 and at a dead port, and is delivered once in the end', async (t) => {
  const world = await channelWorld(t);
  const { api, team_id } = await world.team();
  const other = await receiver(t, (_, answer) => answer.writeHead(500).end('<b>no</b>\u0000database'));
  const { channel } = await api.channels.create({ name: 'CI', type: 'webhook', url: other.url });
  world.deliver();
  await world.happen(team_id);
  const first = await newest(api, channel.id, ({ attempts, response_status }) => attempts === 1 && response_status !== null);
  assert.deepEqual(
    [first.status, first.response_status, first.response_text, first.error],
    ['pending', 500, '<b>no</b> database', 'It answered 500.'],
  );
  const [{ pause }] = await world.sql<
    [{ pause: number }]
  >`select extract(epoch from next_attempt_at - now())::float8 as pause from channel_deliveries`;
  assert.ok(pause > 0 && pause <= pausesSeconds[0]! * 1.1, `a pause of ${pause} s`);
  await other.close();
  await world.skipPause();
  const second = await newest(api, channel.id, ({ attempts, error }) => attempts === 2 && error !== first.error);
  assert.deepEqual([second.status, second.response_status, second.error], ['pending', null, 'Nothing accepts connections there.']);
  const { received, url } = await receiver(t);
  await api.channels.update({ id: channel.id, url });
  await world.skipPause();
  const last = await newest(api, channel.id, ({ status }) => status === 'delivered');
  await world.skipPause();
  assert.deepEqual([last.attempts, last.error, received.length], [3, null, 1]);
  assert.equal(received[0]!.headers['webhook-id'], other.received[0]!.headers['webhook-id']);
  assert.equal(received[0]!.body, other.received[0]!.body);
});

test('a message is given up after seven tries, and a person may send it once more', async (t) => {
  const world = await channelWorld(t);
  const { api, team_id } = await world.team();
  const { at, received, url } = await receiver(t, (_, answer) => answer.writeHead(503).end());
  const { channel } = await api.channels.create({ name: 'CI', type: 'webhook', url });
  world.deliver();
  await world.happen(team_id);
  const pauses: number[] = [];
  for (let tries = 1; tries <= pausesSeconds.length; tries++) {
    await newest(api, channel.id, ({ attempts, response_status }) => attempts === tries && response_status !== null);
    await until('it is noted', async () => (await world.sql`select 1 from channel_deliveries where is_tried`).length === 0);
    const [row] = await world.sql<
      [{ pause: number }]
    >`select extract(epoch from next_attempt_at - now())::float8 as pause from channel_deliveries`;
    pauses.push(row.pause);
    await world.skipPause();
  }
  const failed = await newest(api, channel.id, ({ status }) => status === 'failed');
  assert.deepEqual([failed.attempts, failed.next_attempt_at, received.length], [7, null, 7]);
  for (const [turn, pause] of pauses.entries())
    assert.ok(pause > pausesSeconds[turn]! - 30 && pause <= pausesSeconds[turn]! * 1.1, `pause ${turn}: ${pause} s`);
  at.answer = (_, answer) => answer.end('at last');
  await api.channels.retry({ id: channel.id, delivery_id: failed.id });
  const done = await newest(api, channel.id, ({ status }) => status === 'delivered');
  assert.deepEqual([done.id, done.attempts], [failed.id, 8]);
  await assert.rejects(api.channels.retry({ id: channel.id, delivery_id: failed.id }), { code: 'delivery_done' });
});

test('a message that was taken and not noted, as the server was killed, comes again under the same id', async (t) => {
  const world = await channelWorld(t);
  const { api, team_id } = await world.team();
  const { received, url } = await receiver(t);
  const { channel } = await api.channels.create({ name: 'CI', type: 'webhook', url });
  world.deliver();
  await world.happen(team_id);
  await newest(api, channel.id, ({ status }) => status === 'delivered');
  // The state after the response was received and before it was recorded.
  await world.sql`update channel_deliveries set status = 'pending', is_tried = true, delivered_at = null, response_status = null, next_attempt_at = now()`;
  await world.wake();
  const again = await newest(api, channel.id, ({ status }) => status === 'delivered');
  assert.equal(again.attempts, 2);
  assert.deepEqual(
    received.map(({ headers }) => headers['webhook-id']),
    [again.id, again.id],
  );
});

test('two servers deliver forty messages once each', async (t) => {
  const world = await channelWorld(t);
  const { api, team_id } = await world.team();
  const { received, url } = await receiver(t);
  const { channel } = await api.channels.create({ name: 'CI', type: 'webhook', url });
  for (const server of [world, await world.beside()]) world.deliver(server);
  await Promise.all(Array.from({ length: 40 }, (_, turn) => world.happen(team_id, `Alert ${turn}`)));
  await until('all are noted', async () => (await world.sql`select 1 from channel_deliveries where status = 'delivered'`).length === 40);
  const ids = received.map(({ headers }) => headers['webhook-id']);
  assert.deepEqual([ids.length, new Set(ids).size], [40, 40]);
  const { deliveries, next_cursor } = await api.channels.deliveries({ id: channel.id, limit: 30 });
  const rest = await api.channels.deliveries({ id: channel.id, limit: 30, cursor: next_cursor! });
  assert.deepEqual([deliveries.length, rest.deliveries.length, rest.next_cursor], [30, 10, null]);
  assert.deepEqual(new Set([...deliveries, ...rest.deliveries].map(({ id }) => id)), new Set(ids));
});

test('a target that hangs gets two messages at a time and does not hold up the others', async (t) => {
  const world = await channelWorld(t);
  const [ada, bob] = [await world.team(), await world.team()];
  const hanging = await receiver(t, () => undefined);
  const living = await receiver(t);
  await ada.api.channels.create({ name: 'hangs', type: 'webhook', url: hanging.url });
  await bob.api.channels.create({ name: 'lives', type: 'webhook', url: living.url });
  for (let turn = 0; turn < 70; turn++) await world.happen(ada.team_id, `Alert ${turn}`);
  world.deliver();
  await until('two are tried', async () => hanging.received.length === 2);
  await world.happen(bob.team_id);
  await until('the other came', async () => living.received.length === 1);
  // Without the limit all sixty-four slots would be taken.
  assert.ok(hanging.received.length < 20, `${hanging.received.length} are under way`);
});

test('an answer without end is read for 64 KiB and counts by its status', async (t) => {
  const world = await channelWorld(t);
  const { api } = await world.team();
  let sent = 0;
  const { url } = await receiver(t, (_, answer) => {
    const more = () => {
      if (answer.destroyed || sent > 50_000_000) return;
      sent += 65_536;
      answer.write('x'.repeat(65_536), () => setImmediate(more));
    };
    answer.writeHead(200);
    more();
  });
  const { channel } = await api.channels.create({ name: 'endless', type: 'webhook', url });
  const told = await api.channels.test({ id: channel.id });
  assert.deepEqual([told.is_delivered, told.status, told.answer, told.error], [true, 200, 'x'.repeat(200), null]);
  await sleep(100);
  assert.ok(sent < 50_000_000, `${sent} bytes were taken`);
});

test('an answer of 410 switches the channel off, tells the team, and what waits is not sent; the alert ends when it is switched on again', async (t) => {
  const world = await channelWorld(t);
  const { api, team_id } = await world.team();
  const { at, received, url } = await receiver(t, (_, answer) => answer.writeHead(500).end());
  const { channel } = await api.channels.create({ name: 'old CI', type: 'webhook', url });
  world.deliver();
  await world.happen(team_id, 'one');
  await newest(api, channel.id, ({ response_status }) => response_status === 500);
  at.answer = (_, answer) => answer.writeHead(410).end();
  await world.happen(team_id, 'two');
  await until('it is off', async () => !(await api.channels.list()).channels[0]!.is_active);
  await until('the team was told', async () => (await api.alerts.list()).alerts[0]!.message.includes('"old CI"'));
  const [off] = (await api.channels.list()).channels;
  assert.match(off!.off_reason ?? '', /410/);
  const { deliveries } = await api.channels.deliveries({ id: channel.id });
  assert.deepEqual(
    deliveries.map(({ status, error }) => [status, error]),
    [
      ['failed', 'It answered 410: nothing is wanted there any more.'],
      ['failed', 'Not sent: the channel was switched off.'],
    ],
  );
  await assert.rejects(api.channels.retry({ id: channel.id, delivery_id: deliveries[0]!.id }), { code: 'channel_off' });
  await world.happen(team_id, 'three');
  assert.equal((await api.channels.deliveries({ id: channel.id })).deliveries.length, 2, 'a channel that is off gets no messages');
  at.answer = (_, answer) => answer.end();
  const on = await api.channels.update({ id: channel.id, is_active: true });
  assert.deepEqual([on.is_active, on.off_reason], [true, null]);
  assert.deepEqual(
    (await api.alerts.list({ resolved: 'false' })).alerts.map(({ message }) => message),
    ['three', 'two', 'one'],
  );
  assert.deepEqual(
    received.filter(({ body }) => body.includes('three')),
    [],
  );
});

test('a channel at which everything failed for five days is switched off, and a success begins the count anew', async (t) => {
  const world = await channelWorld(t);
  const { api, team_id } = await world.team();
  const { at, url } = await receiver(t, (_, answer) => answer.writeHead(500).end());
  const { channel } = await api.channels.create({ name: 'dead', type: 'webhook', url, events: ['alert.opened'] });
  world.deliver();
  await world.happen(team_id, 'one');
  await newest(api, channel.id, ({ response_status }) => response_status === 500);
  await world.sql`update channels set failing_since = now() - interval '4 days 23 hours'`;
  at.answer = (_, answer) => answer.end();
  await world.skipPause();
  await newest(api, channel.id, ({ status }) => status === 'delivered');
  at.answer = (_, answer) => answer.writeHead(500).end();
  await world.happen(team_id, 'two');
  await newest(api, channel.id, ({ response_status }) => response_status === 500);
  assert.equal((await api.channels.list()).channels[0]!.is_active, true);
  await world.sql`update channels set failing_since = now() - interval '5 days 1 minute'`;
  await world.skipPause();
  await until('it is off', async () => !(await api.channels.list()).channels[0]!.is_active);
  await until('the team is told', async () => /"dead" was switched off: .* 500/.test((await api.alerts.list()).alerts[0]!.message));
});

test('a channel has a thousand messages waiting at most; those beyond are kept as failed, and old ones go after a month', async (t) => {
  const world = await channelWorld(t);
  const { api, team_id } = await world.team();
  const { url } = await receiver(t);
  const { channel } = await api.channels.create({ name: 'CI', type: 'webhook', url });
  await world.sql`
    insert into channel_deliveries (team_id, channel_id, event, facts, created_at)
    select ${team_id}, ${channel.id}, 'alert.opened', '{}', now() - interval '31 days'
    from generate_series(1, 1000)`;
  await world.happen(team_id);
  const [beyond] = (await api.channels.deliveries({ id: channel.id })).deliveries;
  assert.deepEqual([beyond?.status, beyond?.error], ['failed', 'Not sent: 1000 messages waited already.']);
  for (const { jobs } of [world.features.channels]) for (const job of jobs) await job.run(AbortSignal.timeout(10_000));
  assert.deepEqual(
    (await api.channels.deliveries({ id: channel.id })).deliveries.map(({ id }) => id),
    [beyond?.id],
  );
});

test('a server that ends gives back what nobody has answered, and the next one sends it at once', async (t) => {
  const world = await channelWorld(t);
  const { api, team_id } = await world.team();
  const { at, received, url } = await receiver(t, () => undefined);
  const { channel } = await api.channels.create({ name: 'slow', type: 'webhook', url });
  const ending = world.deliver();
  await world.happen(team_id);
  await until('it is under way', async () => received.length === 1);
  at.answer = (_, answer) => answer.end();
  await ending.close();
  world.deliver();
  const done = await newest(api, channel.id, ({ status }) => status === 'delivered');
  assert.deepEqual([done.attempts, received.length], [1, 2]);
});
