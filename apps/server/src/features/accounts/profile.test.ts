import assert from 'node:assert/strict';
import { once } from 'node:events';
import { before, beforeEach, test } from 'node:test';
import { WebSocket } from 'ws';
import { zip } from '../../../test/archives.ts';
import { atEnd } from '../../../test/postgres.ts';
import { apiOf, startApi } from '../../../test/server.ts';
import { projectStore } from '../projects/store.ts';
import { linkStore } from './link-store.ts';
import { profileStore } from './profile-store.ts';
import { removeDeletedTeams } from './teams.ts';

type Place = Awaited<ReturnType<typeof startApi>>;
const password = 'correct horse battery';
let place: Place;
before(async () => {
  place = await startApi({ after: atEnd });
});
// One server for the file: each test has people of its own, and begins with no attempts counted.
beforeEach(() => place.sql`delete from rate_limits`);

/** Another session of the same person, as from another browser. */
const signIn = async (email: string, word = password, user_agent = 'node') => {
  const answer = await fetch(`${place.origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': user_agent },
    body: JSON.stringify({ email, password: word }),
  });
  const { token, code } = (await answer.json()) as { token: string; code?: string };
  return { token, code, api: apiOf(place.origin, token) };
};
const isOver = (api: { accounts: { me: () => Promise<unknown> } }) => assert.rejects(api.accounts.me(), { code: 'not_signed_in' });
const templates = async (email: string) => (await place.mailsTo(email)).map((mail) => mail.template);

test('a new name stands at once in the profile and in the next sign-in', async () => {
  const { api, email } = await place.person();
  assert.equal((await api.profile.update({ name: '  Ada King ' })).name, 'Ada King');
  assert.equal((await api.accounts.me()).name, 'Ada King');
  await assert.rejects(api.profile.update({ name: ' ' }), { code: 'input_invalid' });
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

test('a session ends after its whole lifetime, and earlier when nobody uses it, by the clock of the database', async () => {
  const { email } = await place.person();
  const plain = (await signIn(email)).api;
  const remembered = await place.anonymous.accounts.login({ email, password, remember: true });
  const age = (by: string) => place.sql`update sessions set created_at = created_at - ${by}::interval, ends_at = ends_at - ${by}::interval,
    expires_at = expires_at - ${by}::interval, last_used_at = last_used_at - ${by}::interval where user_id = (select id from users where email = ${email})`;
  for (let hours = 0; hours < 9; hours += 3) {
    await age('3 hours');
    await plain.accounts.me(); // used within four hours, and younger than twelve
  }
  await age('3 hours 1 minute');
  await isOver(plain);

  const api = apiOf(place.origin, remembered.token);
  await api.accounts.me();
  await age('13 days');
  await api.accounts.me();
  await age('13 days');
  await api.accounts.me();
  await age('4 days');
  await isOver(api);
  const idle = apiOf(place.origin, (await place.anonymous.accounts.login({ email, password, remember: true })).token);
  await age('14 days 1 minute');
  await isOver(idle);
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

test('a deleted account is gone at once with its sessions, and its team once the projects are', async () => {
  const { api, email } = await place.person();
  const other = await signIn(email);
  const { id } = await api.projects.create({ name: 'mine' });
  await assert.rejects(api.profile.deleteAccount({ password: 'wrong', confirmation: email }), { code: 'password_wrong' });
  await assert.rejects(api.profile.deleteAccount({ password, confirmation: 'ada' }), { code: 'input_invalid' });
  await api.accounts.me();
  await api.profile.deleteAccount({ password, confirmation: ` ${email.toUpperCase()} ` });
  await isOver(api);
  await isOver(other.api);
  assert.equal((await signIn(email)).code, 'credentials_wrong');

  const { sql } = place;
  const store = profileStore(sql, linkStore(sql));
  const projects = projectStore(sql);
  const [project] = await sql<
    { team_id: string; deleting_at: string | null }[]
  >`select team_id, deleting_at from projects where id = ${id}`;
  const { team_id = '', deleting_at } = project ?? {};
  assert.ok(deleting_at, 'the project is marked');
  // As after a crash between two of the steps: each turn finds what is left.
  const remains = async () => (await sql`select 1 from teams where id = ${team_id}`).length;
  await removeDeletedTeams(sql, store, projects);
  assert.equal(await remains(), 1);
  const [late] = await sql<
    { id: string }[]
  >`insert into projects (id, team_id, name, subdomain) values ('prj_late', ${team_id}, 'late', 'late-one') returning id`;
  await removeDeletedTeams(sql, store, projects);
  for (const one of [id, late?.id ?? '']) await projects.removeForGood(team_id, one);
  await removeDeletedTeams(sql, store, projects);
  assert.equal(await remains(), 0);
  // The address is free again.
  await place.anonymous.accounts.signup({ email, password, name: 'Ada' });
  assert.equal((await signIn(email)).code, undefined);
});
