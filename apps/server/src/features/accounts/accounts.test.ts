import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, startApi } from '../../../test/server.ts';

test('a person signs up, signs in, sees who they are and signs out', async (t) => {
  const { anonymous, origin } = await startApi(t);
  const { user } = await anonymous.accounts.signup({ email: 'Ada@Example.com', password: 'correct horse', name: ' Ada Lovelace ' });
  assert.deepEqual({ ...user, id: '' }, { id: '', email: 'Ada@Example.com', name: 'Ada Lovelace', plan: 'starter', email_verified: false });

  const { token } = await anonymous.accounts.login({ email: 'ada@example.COM', password: 'correct horse', remember: true });
  const api = apiOf(origin, token);
  assert.deepEqual(await api.accounts.me(), user);
  await api.accounts.logout();
  await assert.rejects(api.accounts.me(), { code: 'not_signed_in', status: 401 });
});

test('an e-mail address has one account, whatever its case', async (t) => {
  const { anonymous } = await startApi(t);
  await anonymous.accounts.signup({ email: 'ada@example.com', password: 'correct horse', name: 'Ada' });
  await assert.rejects(anonymous.accounts.signup({ email: 'ADA@example.com', password: 'correct horse', name: 'Eve' }), {
    code: 'email_taken',
  });
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
  const { person, sql } = await startApi(t);
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
