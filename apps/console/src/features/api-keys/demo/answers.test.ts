import { expect, test } from 'vitest';
import { demoApi } from '../../../demo/demo-api.ts';
import { createDemoWorld } from '../../../demo/demo-world.ts';

test('keys of the demo are created, rotated and revoked in memory, and look like nothing that opens anything', async () => {
  const { apiKeys } = demoApi(createDemoWorld());
  const before = (await apiKeys.list()).api_keys;
  const ended = before.filter(({ is_active }) => !is_active);
  expect(ended.length).toBeLessThan(before.length);
  expect(new Set(ended.map(({ revoked_at }) => (revoked_at ? 'revoked' : 'expired'))).size).toBe(2);
  const made = await apiKeys.create({ name: ' CI ', is_test: true, expires_in_days: 30 });
  expect(made.api_key).toMatch(/^pk_demo_fake/);
  expect([made.key_info.name, made.key_info.rate_limit, made.key_info.scopes]).toEqual(['CI', 60, ['agents:read', 'agents:write']]);
  const next = await apiKeys.rotate({ id: made.key_info.id });
  expect(next.api_key).not.toBe(made.api_key);
  await expect(apiKeys.rotate({ id: made.key_info.id })).rejects.toMatchObject({ code: 'api_key_revoked' });
  await apiKeys.revoke({ id: next.key_info.id });
  const after = (await apiKeys.list()).api_keys;
  expect(after).toHaveLength(before.length + 2);
  expect(after.filter(({ name, is_active }) => name === 'CI' && is_active)).toEqual([]);
  expect(after.every(({ rate_limit, is_test_key }) => rate_limit === (is_test_key ? 60 : 300))).toBe(true);
});
