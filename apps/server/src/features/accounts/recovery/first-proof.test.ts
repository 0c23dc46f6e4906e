import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, startApi } from '../../../../test/server.ts';

test("who signed up with somebody else's address keeps nothing of it once its owner has set a new password: no session, no key, no second factor", async (t) => {
  const { origin, anonymous, sql, mailsTo } = await startApi(t);
  const email = 'ada@example.com';
  await anonymous.accounts.signup({ email, password: 'the password of eve', name: 'Eve' });
  const { token } = await anonymous.accounts.login({ email, password: 'the password of eve' });
  const eve = apiOf(origin, token);
  const { api_key } = await eve.apiKeys.create({ name: 'left behind', scopes: ['projects:read'] });
  await eve.twoFactor.setUp({ password: 'the password of eve' });
  await sql`update second_factors set is_confirmed = true`;
  const byKey = apiOf(origin, api_key);
  await byKey.projects.list();

  await anonymous.accounts.forgot({ email });
  const link = (await mailsTo(email)).find(({ template }) => template === 'reset-password');
  await anonymous.accounts.reset({ token: Object(link?.data).token, password: 'the password of ada' });

  await assert.rejects(eve.accounts.me(), { code: 'not_signed_in' });
  await assert.rejects(byKey.projects.list(), { code: 'not_signed_in' });
  const signedIn = await anonymous.accounts.login({ email, password: 'the password of ada' });
  assert.equal(signedIn.user.email_verified, true);
});

test('a new password for an address that was verified before leaves the API keys of its owner alone', async (t) => {
  const { origin, anonymous, person, sql, mailsTo } = await startApi(t);
  const { api, email } = await person();
  await sql`update users set email_verified = true`;
  const { api_key } = await api.apiKeys.create({ name: 'CI', scopes: ['projects:read'] });
  await anonymous.accounts.forgot({ email });
  const link = (await mailsTo(email)).find(({ template }) => template === 'reset-password');
  await anonymous.accounts.reset({ token: Object(link?.data).token, password: 'another good password' });
  await apiOf(origin, api_key).projects.list();
});
