import assert from 'node:assert/strict';
import { once } from 'node:events';
import { before, beforeEach, test } from 'node:test';
import { WebSocket } from 'ws';
import { zip } from '../../../../test/archives.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { startApi } from '../../../../test/server.ts';
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

test('a new name stands at once in the profile and in the next sign-in', async () => {
  const { api, email } = await place.person();
  assert.equal((await api.profile.update({ name: '  Ada King ' })).name, 'Ada King');
  assert.equal((await api.accounts.me()).name, 'Ada King');
  for (const name of [' ', 'Ada\nOpen this link', 'A'.repeat(121)])
    await assert.rejects(api.profile.update({ name }), { code: 'input_invalid' });
  const { name, has_password, second_factor, pending_email } = await api.profile.get();
  assert.deepEqual([name, has_password, second_factor, pending_email], ['Ada King', true, { is_on: false, recovery_codes_left: 0 }, null]);
  assert.equal((await signIn(email)).code, undefined);
});

test('a password change asks for the current one, ends all other sessions at once and their live logs within 5 s, and is mailed', async () => {
  const { api, token, email } = await place.person();
  const [second, third] = [await signIn(email), await signIn(email)];
  const project = await api.projects.create({ name: 'watched' });
  const { id } = await api.deployments.create({ project_id: project.id, file: zip({ 'server.js': '1' }), file_name: 'a.zip' });
  const live = async (given: string) => {
    const socket = new WebSocket(`${place.origin.replace('http', 'ws')}/ws/logs/${id}?token=${given}`);
    await once(socket, 'open');
    return socket;
  };
  const [own, theirs] = [await live(token), await live(second.token)];
  const { ticket } = await third.api.logs.ticket({ id });
  const byTicket = await live(ticket);

  await assert.rejects(api.profile.changePassword({ current_password: 'wrong', new_password: 'a better horse' }), {
    code: 'password_wrong',
    status: 403,
  });
  await assert.rejects(api.profile.changePassword({ new_password: 'a better horse' }), { code: 'password_wrong' });
  await assert.rejects(api.profile.changePassword({ current_password: password, new_password: '1234567' }), { code: 'input_invalid' });
  await third.api.accounts.me();

  const closed = Promise.all([theirs, byTicket].map((socket) => once(socket, 'close', { signal: AbortSignal.timeout(6_000) })));
  await api.profile.changePassword({ current_password: password, new_password: 'a better horse' });
  await isOver(second.api);
  await isOver(third.api);
  assert.deepEqual(
    (await closed).map(([code]) => code as number),
    [4401, 4401],
  );
  assert.equal(own.readyState, WebSocket.OPEN, 'the own live log goes on');
  own.close();
  assert.equal((await api.profile.sessions()).sessions.length, 1);

  assert.equal((await signIn(email)).code, 'credentials_wrong');
  assert.equal((await signIn(email, 'a better horse')).code, undefined);
  assert.equal((await templates(email)).at(-1), 'password-changed');
});

test('of parallel guesses at the current password only ten reach the check', async () => {
  const { api } = await place.person();
  const guess = () =>
    api.profile.changePassword({ current_password: 'wrong', new_password: 'a better horse' }).then(
      () => 'changed',
      (error: { code: string }) => error.code,
    );
  const answers = await Promise.all(Array.from({ length: 30 }, guess));
  assert.equal(answers.filter((code) => code === 'password_wrong').length, 10);
  assert.equal(answers.filter((code) => code === 'too_many_attempts').length, 20);
});

test('passwords of any length and characters are taken whole, in whichever form their characters are typed', async () => {
  const { api, email } = await place.person();
  const long = `${'pä🔑 '.repeat(20)}é`;
  await api.profile.changePassword({ current_password: password, new_password: long });
  assert.equal((await signIn(email, long.normalize('NFD'))).code, undefined);
  for (const wrong of [`${long} `, long.slice(0, -1), `${long.slice(0, -1)}e`, long.toUpperCase()])
    assert.equal((await signIn(email, wrong)).code, 'credentials_wrong', JSON.stringify(wrong));
});

test('an account without a password sets its first one only right after signing in', async () => {
  const { api, email } = await place.person();
  await place.sql`update users set password_hash = null where email = ${email}`;
  await place.sql`update sessions set created_at = now() - interval '11 minutes' where user_id = (select id from users where email = ${email})`;
  assert.equal((await api.profile.get()).has_password, false);
  await assert.rejects(api.profile.changePassword({ new_password: 'a better horse' }), { code: 'sign_in_again' });
  await place.sql`update sessions set created_at = now() - interval '9 minutes' where user_id = (select id from users where email = ${email})`;
  await api.profile.changePassword({ new_password: 'a better horse' });
  assert.equal((await signIn(email, 'a better horse')).code, undefined);
});

test('an e-mail address changes once its link was opened, which works once, and not by asking', async () => {
  const { api, email } = await place.person();
  const other = await signIn(email);
  const fresh = `New.${email}`;
  await assert.rejects(api.profile.changeEmail({ email: fresh, password: 'wrong' }), { code: 'password_wrong' });
  await api.profile.changeEmail({ email: `older.${email}`, password });
  await api.profile.changeEmail({ email: fresh, password });
  assert.equal((await api.accounts.me()).email, email);
  assert.equal((await api.profile.get()).pending_email, fresh);
  const [older] = await place.mailsTo(`older.${email}`);
  const [mail] = await place.mailsTo(fresh);
  assert.match(mail?.link ?? '', /^http:\/\/localhost:4000\/confirm-email#token=/);
  await assert.rejects(
    place.anonymous.profile.confirmEmail({ token: older?.token ?? '' }),
    { code: 'link_invalid' },
    'a newer one was sent',
  );

  const uses = await Promise.allSettled(
    Array.from({ length: 5 }, () => place.anonymous.profile.confirmEmail({ token: mail?.token ?? '' })),
  );
  assert.equal(uses.filter(({ status }) => status === 'fulfilled').length, 1);
  const me = await api.accounts.me();
  assert.deepEqual([me.email, me.email_verified], [fresh, true]);
  await isOver(other.api);
  assert.deepEqual((await place.mailsTo(email)).at(-1)?.template, 'email-changed');
  assert.equal((await signIn(fresh.toLowerCase())).code, undefined);
  assert.equal((await signIn(email)).code, 'credentials_wrong');
});

test('asking for an address that has an account looks like asking for a free one; only its mailbox tells', async () => {
  const [ada, eve] = [await place.person(), await place.person()];
  assert.deepEqual(
    await eve.api.profile.changeEmail({ email: ada.email.toUpperCase(), password }),
    await eve.api.profile.changeEmail({ email: `free.${eve.email}`, password }),
  );
  await eve.api.profile.changeEmail({ email: ada.email.toUpperCase(), password });
  const mail = (await place.mailsTo(ada.email)).at(-1);
  assert.equal(mail?.template, 'confirm-new-email');
  await assert.rejects(place.anonymous.profile.confirmEmail({ token: mail?.token ?? '' }), { code: 'email_taken' });
  assert.equal((await eve.api.accounts.me()).email, eve.email);
});

test('a link to a new address dies with the hour, and with a password change in another session', async () => {
  const { api, email } = await place.person();
  const thief = await signIn(email);
  const tokenFor = async (asking: typeof api, to: string) => {
    await asking.profile.changeEmail({ email: to, password });
    return (await place.mailsTo(to)).at(-1)?.token ?? '';
  };
  const stolen = await tokenFor(thief.api, `thief.${email}`);
  await api.profile.changePassword({ current_password: password, new_password: password });
  await assert.rejects(place.anonymous.profile.confirmEmail({ token: stolen }), { code: 'link_invalid' });
  const late = await tokenFor(api, `late.${email}`);
  await place.sql`update mailed_links set expires_at = expires_at - interval '1 hour' where email = ${`late.${email}`}`;
  await assert.rejects(place.anonymous.profile.confirmEmail({ token: late }), { code: 'link_invalid' });
});

test('no field that is not asked for gets into an account', async () => {
  const { api, token } = await place.person();
  const before = await api.profile.get();
  const extra = {
    id: 'usr_1',
    email: 'evil@example.com',
    email_verified: true,
    plan: 'enterprise',
    role: 'owner',
    team_id: 'team_1',
    isAdmin: true,
  };
  for (const [method, path, body] of [
    ['PUT', '/auth/me', { name: 'Eve' }],
    ['PUT', '/auth/password', { current_password: password, new_password: 'a better horse' }],
    ['POST', '/auth/email', { email: 'eve@example.com', password }],
    ['POST', '/auth/two-factor', { password }],
    ['POST', '/auth/sessions/end-others', {}],
  ] as const)
    for (const [name, value] of [...Object.entries(extra), ['__proto__', { plan: 'pro' }] as const]) {
      if (name in body) continue;
      const text = `${JSON.stringify(body).slice(0, -1)}${Object.keys(body).length ? ',' : ''}${JSON.stringify(name)}:${JSON.stringify(value)}}`;
      const answer = await fetch(`${place.origin}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: text,
      });
      assert.ok([400, 422].includes(answer.status), `${path} took ${name}: ${answer.status}`);
    }
  assert.deepEqual(await api.profile.get(), before);
});
