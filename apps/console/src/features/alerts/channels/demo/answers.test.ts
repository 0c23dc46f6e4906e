import { expect, test } from 'vitest';
import { demoApi } from '../../../../demo/demo-api.ts';
import { createDemoWorld } from '../../../../demo/demo-world.ts';

test('channels of the demo are created, tested, changed and deleted in memory, and nothing leaves the page', async () => {
  const { channels } = demoApi(createDemoWorld());
  const before = (await channels.list()).channels;
  expect(new Set(before.map(({ type }) => type))).toEqual(new Set(['webhook', 'slack']));
  const { channel, secret } = await channels.create({ name: ' CI ', type: 'webhook', url: 'https://ci.example.com/hook' });
  expect(secret).toMatch(/^whsec_demo/);
  expect([channel.name, channel.last_delivery]).toEqual(['CI', null]);
  expect(await channels.test({ id: channel.id })).toMatchObject({ is_delivered: true, status: 200 });
  const off = await channels.update({ id: channel.id, is_active: false });
  expect([off.is_active, off.last_delivery?.event]).toEqual([false, 'channel.test']);
  expect((await channels.rotateSecret({ id: channel.id })).secret).not.toBe(secret);
  await channels.delete({ id: channel.id });
  await expect(channels.deliveries({ id: channel.id })).rejects.toMatchObject({ code: 'channel_not_found' });
  expect((await channels.list()).channels).toEqual(before);
  const slack = await channels.create({ name: 'Ops', type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/secretpart' });
  expect([slack.secret, slack.channel.url]).toEqual([null, 'https://hooks.slack.com/…part']);
});
