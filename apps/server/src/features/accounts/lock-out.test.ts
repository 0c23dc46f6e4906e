import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { browser } from '../../../test/browser.ts';
import { startApi } from '../../../test/server.ts';
import { password } from '../../../test/sign-in.ts';
import { attemptLimits } from './attempt-limits.ts';

type World = Awaited<ReturnType<typeof world>>;
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
const wrongFor = (secret: string) => String((Number(codeOf(secret)) + 123_456) % 1_000_000).padStart(6, '0');

async function world(t: Parameters<typeof startApi>[0], attempts = attemptLimits, lockSeconds = 900) {
  const api = await startApi(t, { attempts, lockSeconds });
  const { email, api: own, token } = await api.person();
  await api.sql`delete from rate_limits`;
  const open = (cookie?: string) => browser(api.origin, cookie);
  const login = (from: ReturnType<typeof browser>, word = password, more = {}) =>
    from.post('/auth/login', { email, password: word, ...more });
  /** Guesses until guessing is refused; returns the number of guesses that were checked. */
  const guess = async (from: ReturnType<typeof browser>, word = 'wrong horse', more = {}) => {
    for (let n = 0; n < 100; n++) if ((await login(from, word, more)).code === 'too_many_attempts') return n;
    throw new Error('nobody ended the guessing');
  };
  const link = async () => {
    await api.anonymous.accounts.forgot({ email });
    return (await api.mailsTo(email)).findLast((mail) => mail.template === 'reset-password')!.link!.split('#token=')[1]!;
  };
  return { ...api, email, own, token, open, login, guess, link };
}

async function withCodes({ own, sql }: World) {
  const { secret } = await own.twoFactor.setUp({ password });
  await own.twoFactor.confirm({ code: codeOf(secret) });
  /** Marks the current codes as unused, so that the test does not wait for the next. */
  const anew = () => sql`update second_factors set last_step = 0`;
  await anew();
  return { secret, anew };
}

test('a stranger who guesses keeps nobody out of a browser in which they signed in before', async (t) => {
  const { open, login, guess } = await world(t);
  const [owners, strangers] = [open(), open()];
  assert.equal((await login(owners)).status, 200);
  assert.equal(await guess(strangers), attemptLimits.account);
  assert.equal((await login(owners)).status, 200, 'the right password in the known browser');
  assert.equal((await login(owners)).status, 200, 'and once more');
  assert.equal((await login(open())).code, 'too_many_attempts', 'a browser that nobody knows is the stranger');
  assert.equal((await login(strangers, 'wrong horse')).code, 'too_many_attempts', "the owner's success gives the stranger no new guesses");
});

test('a lock lasts as long as the operator says, whenever its window ends, and guesses meanwhile do not make it longer', async (t) => {
  const { open, login, guess, sql } = await world(t, attemptLimits, 1_800);
  await guess(open());
  // The window in which the guesses were counted is over.
  await sql`update rate_limits set window_start = window_start - interval '20 minutes'`;
  const { code, headers } = await login(open());
  assert.equal(code, 'too_many_attempts');
  const left = Number(headers.get('retry-after'));
  assert.ok(left > 1_700 && left <= 1_800, `${left} s`);
  const lock = () => sql`select locked_until from rate_limits where locked_until is not null`;
  const before = await lock();
  for (let n = 0; n < 15; n++) assert.equal((await login(open(), 'wrong horse')).code, 'too_many_attempts');
  assert.deepEqual(await lock(), before);
  await sql`update rate_limits set locked_until = now() where locked_until is not null`;
  assert.equal((await login(open())).status, 200);
});

test('nor do strangers who use up the tries of everybody, or of the network', async (t) => {
  const { open, login, guess, anonymous } = await world(t, { ...attemptLimits, account: 1000, address: 8, everybody: 6 });
  const owners = open();
  assert.equal((await login(owners)).status, 200);
  await guess(open());
  await assert.rejects(anonymous.accounts.login({ email: 'somebody@example.com', password }), { code: 'too_many_attempts' });
  assert.equal((await login(owners)).status, 200);
});

test('what a thief may guess with a stolen device token is bounded, and counts against that device alone', async (t) => {
  const { open, login, guess } = await world(t);
  const [owners, others] = [open(), open()];
  for (const each of [owners, others]) assert.equal((await login(each)).status, 200);
  assert.equal(await guess(open(owners.cookie())), attemptLimits.account);
  assert.equal((await login(owners)).code, 'too_many_attempts');
  assert.equal((await login(others)).status, 200);
  assert.equal((await login(open())).status, 200);
});

test("a device token counts for the account that it was given for and for no other: neither an invented one nor another person's helps", async (t) => {
  const { open, login, guess, person } = await world(t);
  const eves = open();
  const eve = await person();
  assert.equal((await eves.post('/auth/login', { email: eve.email, password })).status, 200);
  await guess(open());
  const name = eves.cookie().split('=')[0];
  for (const cookie of [eves.cookie(), `${name}=${'A'.repeat(43)}`, `${name}=`, `${name}=${'x.'.repeat(2000)}`])
    assert.equal((await login(open(cookie))).code, 'too_many_attempts', cookie.slice(0, 80));
});

test('a browser that two people use knows both of them', async (t) => {
  const { open, login, guess, person } = await world(t);
  const [shared, eve] = [open(), await person()];
  assert.equal((await login(shared)).status, 200);
  assert.equal((await shared.post('/auth/login', { email: eve.email, password })).status, 200);
  await guess(open());
  assert.equal((await login(shared)).status, 200);
});

test('who sets a new password by the mailed link gets in, whatever strangers guess meanwhile, and no browser of before is known', async (t) => {
  const { open, login, guess, link } = await world(t);
  const [before, strangers, owners] = [open(), open(), open()];
  assert.equal((await login(before)).status, 200);
  await guess(strangers);
  const fresh = 'fresh horse battery';
  assert.equal((await owners.post('/auth/reset-password', { token: await link(), password: fresh })).status, 204);
  await guess(strangers);
  assert.equal((await login(owners, fresh)).status, 200);
  assert.equal((await login(before, fresh)).code, 'too_many_attempts');
});

test('a changed password makes the other browsers unknown, and not this one', async (t) => {
  const { open, login, guess, origin } = await world(t);
  const [kept, lost] = [open(), open()];
  const { token } = await login(kept);
  assert.equal((await login(lost)).status, 200);
  const fresh = 'fresh horse battery';
  const changed = await fetch(`${origin}/api/v1/auth/password`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, cookie: kept.cookie() },
    body: JSON.stringify({ current_password: password, new_password: fresh }),
  });
  assert.equal(changed.status, 204);
  await guess(open());
  assert.equal((await login(kept, fresh)).status, 200);
  assert.equal((await login(lost, fresh)).code, 'too_many_attempts');
});

test('who knows the password and guesses codes keeps nobody out of a known browser, nor of what they do in a session', async (t) => {
  const place = await world(t);
  const { open, login, guess, own } = place;
  const owners = open();
  assert.equal((await login(owners)).status, 200);
  const { secret, anew } = await withCodes(place);
  const thief = { code: wrongFor(secret) };
  assert.equal(await guess(open(), password, thief), attemptLimits.account);
  assert.equal((await login(owners, password, { code: codeOf(secret) })).status, 200);
  await anew();
  assert.equal((await own.twoFactor.renewRecoveryCodes({ password, code: codeOf(secret) })).recovery_codes.length, 10);
  await anew();
  assert.equal((await login(open(), password, { code: codeOf(secret) })).code, 'too_many_attempts');
});

test('who reads the mail and guesses codes gets no more guesses by asking for one new password after the other', async (t) => {
  const place = await world(t);
  const { open, guess, link, sql } = place;
  const { secret } = await withCodes(place);
  await sql`update users set email_verified = true`; // otherwise a reset removes the second factor, which a stranger may have planted
  let guessed = 0;
  for (let turn = 0; turn < 3; turn++) {
    const thief = open();
    const word = `fresh horse battery ${turn}`;
    assert.equal((await thief.post('/auth/reset-password', { token: await link(), password: word })).status, 204);
    // The passwords are right, so only the counter of codes can bound the guessing.
    await sql`delete from rate_limits where key like 'login:%'`;
    guessed += await guess(thief, word, { code: wrongFor(secret) });
  }
  assert.equal(guessed, attemptLimits.account);
});

test('a session that somebody found open does not keep its owner from changing the password elsewhere', async (t) => {
  const { own, person, open, login } = await world(t);
  await person();
  const found = await login(open());
  assert.ok(found.token);
  const thief = open();
  for (let n = 0; n < 12; n++) await thief.post('/auth/email', { email: 'eve@example.com', password: 'wrong horse' }, found.token);
  assert.equal(
    (await thief.post('/auth/email', { email: 'eve@example.com', password: 'wrong horse' }, found.token)).code,
    'too_many_attempts',
  );
  await own.profile.changePassword({ current_password: password, new_password: 'fresh horse battery' });
});

test('the device token is kept where no script reads it and no other site sends it, and only its hash is stored', async (t) => {
  const { open, login, sql } = await world(t);
  const owners = open();
  assert.deepEqual((await login(owners, 'wrong horse')).headers.getSetCookie(), [], 'a wrong password gives none');
  const [told, ...more] = (await login(owners)).headers.getSetCookie();
  assert.deepEqual(more, []);
  assert.match(told ?? '', /^paddock_device=[\w-]{43}; Path=\/api\/v1; Max-Age=31536000; HttpOnly; SameSite=Strict$/);
  const token = owners.cookie().split('=')[1]!;
  await login(owners);
  assert.equal(owners.cookie().split('=')[1], token, 'a known browser keeps its token');
  assert.ok(!JSON.stringify(await sql`select * from device_tokens`).includes(token));
});

test('programs that sign in again and again do not push the browsers of the account out', async (t) => {
  const { open, login, sql, guess } = await world(t, { ...attemptLimits, account: 3 });
  const owners = open();
  for (let n = 0; n < 2; n++) assert.equal((await login(owners)).status, 200);
  for (let n = 0; n < 25; n++) assert.equal((await login(open())).status, 200);
  assert.equal((await sql`select 1 from device_tokens`).length <= 20 + 1, true);
  await guess(open());
  assert.equal((await login(owners)).status, 200);
});
