import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { atEnd } from '../../../../test/postgres.ts';
import { apiOf, startApi } from '../../../../test/server.ts';
import { isOver, password, signInAt } from '../../../../test/sign-in.ts';

let place: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  place = await startApi({ after: atEnd });
});
// The file shares one server: each test has its own people, and starts with empty counters.
beforeEach(() => place.sql`delete from rate_limits`);

/** Another session of the same person. */
const signIn = signInAt(() => place.origin);
const templates = async (email: string) => (await place.mailsTo(email)).map((mail) => mail.template);

test('own sessions are listed with device and place of last use, and end one by one or all but this one', async () => {
  const { api, email, token } = await place.person();
  const firefox = await signIn(email, password, 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0');
  const stranger = await place.person();
  const { sessions } = await api.profile.sessions();
  assert.deepEqual(
    sessions.map(({ device, ip, is_current }) => [device, ip, is_current]),
    [
      ['Firefox on Linux', '127.0.0.1', false],
      ['node', '127.0.0.1', true],
    ],
  );
  assert.ok(!JSON.stringify(sessions).includes(token));
  const id = sessions[0]?.id ?? '';
  await assert.rejects(stranger.api.profile.endSession({ id }), { code: 'session_not_found' });
  await firefox.api.accounts.me();
  await api.profile.endSession({ id });
  await isOver(firefox.api);

  const third = await signIn(email);
  await place.sql`update sessions set last_used_at = now() - interval '2 minutes'`;
  await fetch(`${place.origin}/api/v1/auth/me`, { headers: { authorization: `Bearer ${third.token}`, 'user-agent': 'curl/8.5.0' } });
  assert.equal((await api.profile.sessions()).sessions.find((one) => !one.is_current)?.device, 'curl');
  await api.profile.endOtherSessions();
  await isOver(third.api);
  await api.accounts.me();
  await stranger.api.accounts.me();
});

test('a session ends 12 hours after the sign-in, with Remember me 30 days, however much it is used, by the clock of the database', async () => {
  const { email } = await place.person();
  const age = (by: string) => place.sql`update sessions set created_at = created_at - ${by}::interval,
    expires_at = expires_at - ${by}::interval, last_used_at = last_used_at - ${by}::interval where user_id = (select id from users where email = ${email})`;
  const plain = (await signIn(email)).api;
  await age('11 hours 59 minutes');
  await plain.accounts.me();
  await age('1 minute');
  await isOver(plain);

  const remembered = await place.anonymous.accounts.login({ email, password, remember: true });
  const api = apiOf(place.origin, remembered.token);
  await age('29 days 23 hours');
  await api.accounts.me();
  await age('1 hour');
  await isOver(api);
});

test('a sign-in from a device that was not used before is mailed, the very first one is not', async () => {
  const { email } = await place.person();
  const told = async () => (await templates(email)).filter((one) => one === 'new-sign-in').length;
  const safari = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15';
  assert.equal(await told(), 0);
  await signIn(email);
  assert.equal(await told(), 0);
  await signIn(email, password, safari);
  assert.equal(await told(), 1);
  const mail = (await place.mailsTo(email)).at(-1);
  assert.deepEqual(Object.keys(mail?.data ?? {}).sort(), ['at', 'how', 'ip', 'name', 'user_agent']);
  await signIn(email, password, safari.replace('17.5', '18.0'));
  await signIn(email, 'wrong', 'curl/8');
  assert.equal(await told(), 1);
});
