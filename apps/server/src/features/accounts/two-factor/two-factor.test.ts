import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { atEnd } from '../../../../test/postgres.ts';
import { type Api, startApi } from '../../../../test/server.ts';

const password = 'correct horse battery';
let place: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  place = await startApi({ after: atEnd });
});
// The file shares one server: each test has its own people, and starts with empty counters.
beforeEach(() => place.sql`delete from rate_limits`);

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
const wrongFor = (secret: string) => String((Number(codeOf(secret, 0)) + 123_456) % 1_000_000).padStart(6, '0');
const login = (email: string, code?: string, word = password) =>
  place.anonymous.accounts.login({ email, password: word, ...(code === undefined ? {} : { code }) }).then(
    () => 'in',
    (error: { code: string }) => error.code,
  );

/** Marks no current code as used, including the one that switched it on: otherwise each test would have to wait for the next. */
async function protectedPerson() {
  const person = await place.person();
  const { secret, uri } = await person.api.twoFactor.setUp({ password });
  const { recovery_codes } = await person.api.twoFactor.confirm({ code: codeOf(secret) });
  await place.sql`update second_factors set last_step = 0`;
  return { ...person, secret, uri, codes: recovery_codes };
}
const isOn = async (api: Api) => (await api.profile.get()).second_factor;

test('a second factor counts only once a code of it was confirmed, and is mailed about', async () => {
  const { api, email } = await place.person();
  await assert.rejects(api.twoFactor.setUp({ password: 'wrong' }), { code: 'password_wrong' });
  const first = await api.twoFactor.setUp({ password });
  const { secret, uri } = await api.twoFactor.setUp({ password });
  assert.notEqual(first.secret, secret);
  assert.match(uri, /^otpauth:\/\/totp\/Paddock:.+secret=[A-Z2-7]{32}&/);
  assert.equal(await login(email), 'in');
  await assert.rejects(api.twoFactor.confirm({ code: wrongFor(secret) }), { code: 'code_wrong', status: 403 });
  await assert.rejects(api.twoFactor.confirm({ code: codeOf(first.secret) }), { code: 'code_wrong' });
  assert.equal(await login(email), 'in');

  const { recovery_codes } = await api.twoFactor.confirm({ code: codeOf(secret) });
  assert.equal(new Set(recovery_codes).size, 10);
  assert.deepEqual(await isOn(api), { is_on: true, recovery_codes_left: 10 });
  assert.equal(await login(email), 'second_factor_required');
  await assert.rejects(api.twoFactor.setUp({ password }), { code: 'second_factor_on' });
  const mail = (await place.mailsTo(email)).at(-1);
  assert.deepEqual([mail?.template, Object(mail?.data).enabled], ['second-factor-changed', true]);
});

test('nothing tells of a second factor before the password is right', async () => {
  const { email, secret } = await protectedPerson();
  for (const code of [undefined, codeOf(secret), '000000']) assert.equal(await login(email, code, 'wrong'), 'credentials_wrong');
  assert.equal(await login(email), 'second_factor_required');
  assert.equal(await login(email, wrongFor(secret)), 'second_factor_wrong');
  assert.equal(await login(email, codeOf(secret)), 'in');
});

test('a code signs in once, also when it is sent many times at once, and never after a later one', async () => {
  const { email, secret } = await protectedPerson();
  const now = codeOf(secret);
  const answers = await Promise.all(Array.from({ length: 6 }, () => login(email, now)));
  assert.deepEqual(answers.toSorted(), ['in', ...Array<string>(5).fill('second_factor_wrong')]);
  assert.equal(await login(email, ` ${codeOf(secret, 1).replace(/(?=...$)/, ' ')} `), 'in', 'a phone may be half a minute ahead');
  assert.equal(await login(email, codeOf(secret, 0)), 'second_factor_wrong');
  await place.sql`delete from rate_limits`;
  for (const steps of [-3, 3]) assert.equal(await login(email, codeOf(secret, steps)), 'second_factor_wrong', `${steps} steps away`);
});

test('a recovery code signs in once, however it is typed; new ones end the old', async () => {
  const { api, email, secret, codes } = await protectedPerson();
  const [first = '', second = ''] = codes;
  assert.equal(await login(email, first.toUpperCase().replaceAll('-', ' ')), 'in');
  assert.equal(await login(email, first), 'second_factor_wrong');
  assert.deepEqual(await isOn(api), { is_on: true, recovery_codes_left: 9 });
  await assert.rejects(api.twoFactor.renewRecoveryCodes({ password, code: first }), { code: 'code_wrong' });
  await assert.rejects(api.twoFactor.renewRecoveryCodes({ code: codeOf(secret) }), { code: 'password_wrong' });
  const { recovery_codes } = await api.twoFactor.renewRecoveryCodes({ password, code: codeOf(secret) });
  assert.equal(await login(email, second), 'second_factor_wrong');
  assert.equal(await login(email, recovery_codes[0]), 'in');
});

test("another account's codes open nothing", async () => {
  const [ada, eve] = [await protectedPerson(), await protectedPerson()];
  assert.equal(await login(ada.email, eve.codes[0]), 'second_factor_wrong');
  assert.equal(await login(ada.email, codeOf(eve.secret)), 'second_factor_wrong');
});

test('guesses at the code are limited like those at the password, and a used-up limit holds for right codes too', async () => {
  const { email, secret } = await protectedPerson();
  const answers = await Promise.all(Array.from({ length: 20 }, () => login(email, wrongFor(secret))));
  assert.equal(answers.filter((code) => code === 'second_factor_wrong').length, 10);
  assert.equal(answers.filter((code) => code === 'too_many_attempts').length, 10);
  // A request with only the password does not reset the counter.
  await place.sql`delete from rate_limits where key like 'login:%'`;
  assert.equal(await login(email), 'second_factor_required');
  assert.equal(await login(email, codeOf(secret)), 'too_many_attempts');
});

test('switching it off needs the password and a code, and the next sign-in needs none', async () => {
  const { api, email, secret, codes } = await protectedPerson();
  await assert.rejects(api.twoFactor.disable({ code: codeOf(secret) }), { code: 'password_wrong' });
  await assert.rejects(api.twoFactor.disable({ password, code: wrongFor(secret) }), { code: 'code_wrong' });
  await api.twoFactor.disable({ password, code: codes[9] ?? '' });
  assert.deepEqual(await isOn(api), { is_on: false, recovery_codes_left: 0 });
  assert.equal(await login(email), 'in');
  await assert.rejects(api.twoFactor.disable({ password, code: codeOf(secret) }), { code: 'second_factor_off' });
  assert.deepEqual((await place.mailsTo(email)).at(-1)?.template, 'second-factor-changed');
});

test('neither the secret nor a recovery code is stored as it is, nor given a second time for an idempotency key', async () => {
  const { api, secret, codes } = await protectedPerson();
  const dump = JSON.stringify([await place.sql`select * from second_factors`, await place.sql`select * from recovery_codes`]);
  for (const word of [secret, codes[0] ?? '', (codes[0] ?? '').replaceAll('-', '')]) assert.ok(!dump.includes(word));
  const renewed = await api.twoFactor.renewRecoveryCodes({ password, code: codeOf(secret) }, { idempotency_key: 'once' });
  const stored = JSON.stringify(await place.sql`select * from idempotency_keys`);
  assert.ok(!stored.includes(renewed.recovery_codes[0] ?? ''));
});
