import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { apiOf, startApi } from '../../../../test/server.ts';
import { attemptLimits } from '../attempt-limits.ts';
import { deviceTokens } from '../device-tokens.ts';
import { linkStore } from '../link-store.ts';
import { sessionStore } from '../session-store.ts';
import { accountStore } from '../store.ts';
import { recoveryHandlers } from './recovery-routes.ts';

const password = 'a quite new password';

/** A person who forgot the password, with the token of the mailed link. */
async function forgetful(t: TestContext) {
  const world = await startApi(t);
  const ada = await world.person();
  await world.anonymous.accounts.forgot({ email: ada.email.toUpperCase() });
  const token = await lastToken(world, ada.email);
  return { ...world, ada, token };
}

const lastToken = async ({ mailsTo }: Pick<Awaited<ReturnType<typeof startApi>>, 'mailsTo'>, email: string) =>
  (await mailsTo(email)).findLast((mail) => mail.token !== undefined)?.token ?? '';

test('a mailed link sets a new password once, ends every session, opens none, and the owner is told', async (t) => {
  const { anonymous, origin, ada, token, mailsTo } = await forgetful(t);
  const elsewhere = apiOf(origin, (await anonymous.accounts.login({ email: ada.email, password: 'correct horse battery' })).token);
  assert.equal(await anonymous.accounts.reset({ token, password }), null);

  for (const api of [ada.api, elsewhere]) await assert.rejects(api.accounts.me(), { code: 'not_signed_in' });
  await assert.rejects(anonymous.accounts.login({ email: ada.email, password: 'correct horse battery' }), { code: 'credentials_wrong' });
  const { user } = await anonymous.accounts.login({ email: ada.email, password });
  assert.equal(user.email_verified, true, 'who read the mail has the address');
  const told = (await mailsTo(ada.email)).at(-1);
  assert.equal(told?.template, 'password-changed');
  assert.match(told?.template === 'password-changed' ? told.data.ip : '', /127\.0\.0\.1/);
  await assert.rejects(anonymous.accounts.reset({ token, password: 'yet another password' }), { code: 'link_invalid', status: 410 });
});

test('of twenty parallel uses of a link exactly one works', async (t) => {
  const { anonymous, ada, token } = await forgetful(t);
  const uses = Array.from({ length: 20 }, (_, turn) => anonymous.accounts.reset({ token, password: `${password} ${turn}` }));
  const answers = await Promise.allSettled(uses);
  const won = answers.findIndex(({ status }) => status === 'fulfilled');
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? 'set' : (answer.reason as { code: string }).code)),
    answers.map((_, turn) => (turn === won ? 'set' : 'link_invalid')),
  );
  await anonymous.accounts.login({ email: ada.email, password: `${password} ${won}` });
});

test('a newer link, an hour, another purpose and another address each void a link', async (t) => {
  const { anonymous, ada, token, sql, mailsTo } = await forgetful(t);
  const refused = async (token: string) => assert.rejects(anonymous.accounts.reset({ token, password }), { code: 'link_invalid' });
  await anonymous.accounts.forgot({ email: ada.email });
  const second = await lastToken({ mailsTo }, ada.email);
  assert.notEqual(second, token);
  await refused(token);

  await refused((await mailsTo(ada.email)).find((mail) => mail.template === 'verify-email')?.token ?? '');
  await assert.rejects(anonymous.accounts.verify({ token: second }), { code: 'link_invalid' });

  await sql`update users set email = 'new@example.com'`;
  await refused(second);
  await sql`update users set email = ${ada.email}`;
  await sql`update mailed_links set expires_at = expires_at - interval '59 minutes 30 seconds' where purpose = 'reset-password'`;
  assert.equal((await linkStore(sql).find('reset-password', second))?.email, ada.email, 'it lives for an hour');
  await sql`update mailed_links set expires_at = expires_at - interval '31 seconds' where purpose = 'reset-password'`;
  await refused(second);
});

test('the link leads to the configured address, whatever Host the request names', async (t) => {
  const { origin, person, mailsTo } = await startApi(t);
  const { email } = await person();
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'content-type': 'application/json' };
  const status = await new Promise((resolve, reject) => {
    const asking = request(`${origin}/api/v1/auth/forgot-password`, { method: 'POST', headers }, (answer) => resolve(answer.statusCode));
    asking.on('error', reject);
    asking.end(JSON.stringify({ email }));
  });
  assert.equal(status, 204);
  const mail = (await mailsTo(email)).at(-1);
  assert.match(mail?.link ?? '', /^http:\/\/localhost:4000\/reset-password#token=/);
  assert.ok(!JSON.stringify(mail).includes('evil'));
});

test('a copy of the database opens no account: it has neither the tokens of links nor passwords', async (t) => {
  const { sql, token, anonymous, mailsTo, ada } = await forgetful(t);
  const dump = async () => {
    const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
    const rows = await Promise.all(tables.map(({ name }) => sql`select t::text as row from ${sql(name)} t`));
    return rows.flat().map(({ row }) => String(row));
  };
  const clear = [token, (await mailsTo(ada.email)).find((mail) => mail.template === 'verify-email')?.token ?? ''];
  const secrets = [...clear, ...clear.map((one) => Buffer.from(one).toString('hex')), 'correct horse battery'];
  const found = (await dump()).filter((row) => secrets.some((secret) => row.includes(secret)));
  assert.deepEqual(found, []);
  await anonymous.accounts.reset({ token, password }, { idempotency_key: 'once' });
  const plain = createHash('sha256')
    .update(JSON.stringify(['POST', '/auth/reset-password', { token, password }, null]))
    .digest();
  const [noted] = await sql<[{ request_hash: Buffer }]>`select request_hash from idempotency_keys`;
  assert.ok(!plain.equals(noted.request_hash), 'a password could be guessed from the note of the request');
  assert.deepEqual(
    (await dump()).filter((row) => row.includes(token) || row.includes(password)),
    [],
  );
});

test('an account whose address was never proved loses what a stranger may have planted; a proved one keeps it', async (t) => {
  const { sql, ada, token, anonymous, mailsTo } = await forgetful(t);
  const forgotten: string[] = [];
  const reset = async (token: string, fails = false) => {
    const forget = async (user_id: string) => {
      if (fails) throw new Error('could not');
      forgotten.push(user_id);
    };
    const parts = {
      sql,
      store: accountStore(sql),
      sessions: sessionStore(sql),
      links: linkStore(sql),
      requests: { note: async () => undefined, answerNext: async () => false },
      devices: deviceTokens(sql),
    };
    const rest = {
      hash: async () => 'hash',
      sendMail: async () => undefined,
      limit: { take: async () => undefined, forget: async () => undefined },
    };
    const { reset } = recoveryHandlers({ ...parts, ...rest, onFirstProof: [forget], maxAttempts: attemptLimits });
    const around = { ip: '', user_agent: '', signal: AbortSignal.timeout(9000), newId: () => '' };
    await reset({ token, password }, { ...around, devices: [], keepDevice: () => undefined });
  };
  const [{ id }] = await sql<[{ id: string }]>`select id from users`;
  await assert.rejects(reset(token, true), { message: 'could not' });
  assert.equal((await linkStore(sql).find('reset-password', token))?.user_id, id, 'all or nothing: the link still works');
  await reset(token);
  assert.deepEqual(forgotten, [id]);
  await anonymous.accounts.forgot({ email: ada.email });
  await reset(await lastToken({ mailsTo }, ada.email));
  assert.deepEqual(forgotten, [id], 'the second time it was proved already');
});

test('the link of the sign-up verifies the address once, and a session can ask for another one', async (t) => {
  const { person, anonymous, mailsTo, sql } = await startApi(t);
  const { api, email } = await person();
  const first = await lastToken({ mailsTo }, email);
  await api.accounts.resendVerification();
  const second = await lastToken({ mailsTo }, email);
  await assert.rejects(anonymous.accounts.verify({ token: first }), { code: 'link_invalid' });
  assert.equal((await api.accounts.me()).email_verified, false);
  assert.deepEqual(await anonymous.accounts.verify({ token: second }), { email });
  assert.equal((await api.accounts.me()).email_verified, true);
  await assert.rejects(anonymous.accounts.verify({ token: second }), { code: 'link_invalid' });

  const before = (await sql`select 1 from mails`).length;
  await api.accounts.resendVerification();
  assert.equal((await sql`select 1 from mails`).length, before, 'nothing is left to verify');
});

test('nobody can flood a mailbox: known or not, an address gets five links an hour', async (t) => {
  const { person, anonymous, mailsTo } = await startApi(t);
  const { email, api } = await person();
  for (const address of [email, 'nobody@example.com']) {
    for (let asked = 0; asked < 5; asked++) await anonymous.accounts.forgot({ email: address });
    await assert.rejects(anonymous.accounts.forgot({ email: address.toUpperCase() }), { code: 'too_many_attempts', status: 429 });
  }
  assert.equal((await mailsTo(email)).filter((mail) => mail.template === 'reset-password').length, 5);
  assert.deepEqual(await mailsTo('nobody@example.com'), []);
  for (let asked = 0; asked < 5; asked++) await api.accounts.resendVerification();
  await assert.rejects(api.accounts.resendVerification(), { code: 'too_many_attempts' });
  for (let turn = 0; turn < 4; turn++) await anonymous.accounts.signup({ email, password, name: 'Eve' });
  await assert.rejects(anonymous.accounts.signup({ email, password, name: 'Eve' }), { code: 'too_many_attempts' });
});

test('common passwords, and those made of the product, the name or the address are refused with the reason', async (t) => {
  const { anonymous } = await startApi(t);
  const refused = async (password: string, message: RegExp) =>
    assert.rejects(
      anonymous.accounts.signup({ email: 'grace.hopper@example.com', name: 'Grace Brewster Hopper', password }),
      (error: { errors: { path: string; message: string }[] }) => {
        assert.equal(error.errors[0]?.path, 'password');
        assert.match(error.errors[0]?.message ?? '', message);
        return true;
      },
    );
  for (const common of ['12345678', 'iloveyou', 'PassWord', 'trustno1']) await refused(common, /most common/);
  for (const ours of ['paddock1', 'Paddock-2026!', 'p4dd0ck!admin', 'paddockpaddock']) await refused(ours, /product's name/);
  for (const own of ['brewster1906', 'grace.hopper@example.com', 'gracebrewsterhopper']) await refused(own, /your name or e-mail/);
  await anonymous.accounts.signup({ email: 'grace.hopper@example.com', name: 'Grace Brewster Hopper', password: 'a brown paddock fence' });
});
