import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, startApi } from '../../../test/server.ts';
import { passwordCost } from './passwords.ts';

test('a person signs up, signs in, sees who they are and signs out', async (t) => {
  const { anonymous, origin } = await startApi(t);
  const { user } = await anonymous.accounts.signup({ email: 'Ada@Example.com', password: 'correct horse', name: ' Ada Lovelace ' });
  assert.deepEqual({ ...user, id: '' }, { id: '', email: 'Ada@Example.com', name: 'Ada Lovelace', plan: 'free', email_verified: false });

  const { token } = await anonymous.accounts.login({ email: 'ada@example.COM', password: 'correct horse', remember: true });
  const api = apiOf(origin, token);
  assert.deepEqual(await api.accounts.me(), user);
  await api.accounts.logout();
  await assert.rejects(api.accounts.me(), { code: 'not_signed_in', status: 401 });
});

test('who signs up is mailed a link that proves the address', async (t) => {
  const { anonymous, mailsTo } = await startApi(t);
  await anonymous.accounts.signup({ email: 'ada@example.com', password: 'correct horse', name: 'Ada' });
  const [mail, ...more] = await mailsTo('ada@example.com');
  assert.deepEqual(more, []);
  assert.equal(mail?.template, 'verify-email');
  assert.match(mail?.link ?? '', /^http:\/\/localhost:4000\/verify-email#token=[\w-]{43}$/);
});

test('signing up with an address that has an account looks like any other sign-up, and its owner is told by mail', async (t) => {
  const { anonymous, mailsTo, sql } = await startApi(t);
  const first = await anonymous.accounts.signup({ email: 'Ada@example.com', password: 'correct horse', name: 'Ada' });
  const second = await anonymous.accounts.signup({ email: 'ADA@example.com', password: 'correct horse', name: 'Eve' });
  assert.deepEqual({ ...second.user, id: '' }, { ...first.user, id: '', email: 'ADA@example.com', name: 'Eve' });
  assert.notEqual(second.user.id, first.user.id);
  assert.deepEqual(
    (await sql`select name from users`).map((row) => row.name),
    ['Ada'],
  );
  const told = (await mailsTo()).at(-1);
  assert.deepEqual([told?.template, told?.to, told?.data], ['account-exists', 'Ada@example.com', { name: 'Ada' }]);
});

test('a sign-up that is repeated after a crash is the same one: it tells nobody that there is an account already', async (t) => {
  const { anonymous, mailsTo, sql } = await startApi(t);
  const signup = () =>
    anonymous.accounts.signup({ email: 'ada@example.com', password: 'correct horse', name: 'Ada' }, { idempotency_key: 'once' });
  const first = await signup();
  await sql`update idempotency_keys set status = null, body = null, created_at = now() - interval '1 hour'`; // the server died before it stored it
  assert.deepEqual(await signup(), first);
  assert.deepEqual(
    (await mailsTo()).map((mail) => mail.template),
    ['verify-email'],
  );
});

test('a wrong password and an unknown account get the same answer', async (t) => {
  const { anonymous } = await startApi(t);
  await anonymous.accounts.signup({ email: 'ada@example.com', password: 'correct horse', name: 'Ada' });
  const answer = (email: string) =>
    anonymous.accounts.login({ email, password: 'wrong' }).then(
      () => 'in',
      (error: Error) => error.message,
    );
  assert.equal(await answer('ada@example.com'), await answer('nobody@example.com'));
});

test('a short password is refused with the message of the form', async (t) => {
  const { anonymous } = await startApi(t);
  await assert.rejects(
    anonymous.accounts.signup({ email: 'ada@example.com', password: '1234567', name: 'Ada' }),
    (error: { errors: { message: string }[] }) => {
      assert.equal(error.errors[0]?.message, 'Password must be at least 8 characters');
      return true;
    },
  );
});

test('of fifty parallel guesses only ten reach the password check, and the answer says when to come back', async (t) => {
  const { anonymous, origin } = await startApi(t);
  await anonymous.accounts.signup({ email: 'ada@example.com', password: 'correct horse', name: 'Ada' });
  const guess = () =>
    fetch(`${origin}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.${Math.random()}` },
      body: JSON.stringify({ email: 'ada@example.com', password: 'wrong' }),
    });
  const answers = await Promise.all(Array.from({ length: 50 }, guess));
  assert.deepEqual(
    answers.map((answer) => answer.status).sort((a, b) => a - b),
    [...Array(10).fill(401), ...Array(40).fill(429)],
  );
  const wait = Number(answers.find((answer) => answer.status === 429)?.headers.get('retry-after'));
  assert.ok(wait >= 1 && wait <= 900, `Retry-After was ${wait}`);
});

test('only hashes of passwords and tokens are stored', async (t) => {
  const { person, sql } = await startApi(t, { passwordCost });
  const { token } = await person();
  const [user] = await sql`select password_hash from users`;
  assert.match(user!.password_hash as string, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const dump = JSON.stringify(await sql`select * from sessions`);
  assert.ok(!dump.includes(token));
});

test('an expired session is refused', async (t) => {
  const { person, sql } = await startApi(t);
  const { api } = await person();
  await sql`update sessions set expires_at = now() - interval '1 second'`;
  await assert.rejects(api.accounts.me(), { code: 'not_signed_in' });
});

test('a demo token never works on the server', async (t) => {
  const { origin } = await startApi(t);
  await assert.rejects(apiOf(origin, 'demo-token-1').accounts.me(), { code: 'not_signed_in' });
});
