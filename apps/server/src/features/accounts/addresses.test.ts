import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalAddress } from '@paddock/contract';
import { startApi } from '../../../test/server.ts';
import { password, signInAt } from '../../../test/sign-in.ts';
import { keyAddresses } from './addresses.ts';
import { attemptLimits } from './attempt-limits.ts';

const oddities = [
  'İ',
  'ı',
  'I',
  'i',
  'ſ',
  's',
  '\u212A',
  'K',
  'k',
  'ß',
  'ẞ',
  'ss',
  'Σ',
  'ς',
  'σ',
  'i\u0307',
  'é',
  'É',
  'e\u0301',
  'ａ',
  'Ａ',
  'a',
];
const spellings = oddities.map((oddity) => `a${oddity}@example.com`);
const roomy = { ...attemptLimits, address: 100_000, everybody: 100_000, signups: 100_000, mails: 100_000 };

test('each spelling of an address that signs in to an account uses one counter: ten guesses in all, however it is spelled', async (t) => {
  const { anonymous, origin, sql } = await startApi(t, { attempts: roomy });
  const signIn = signInAt(() => origin);
  for (const owner of ['aİ@example.com', 'aK@example.com', 'aé@example.com', 'aΣ@example.com']) {
    await anonymous.accounts.signup({ email: owner, password, name: 'Ada' });
    const opening: string[] = [];
    for (const email of spellings) if ((await signIn(email, password, 'curl')).token) opening.push(email);
    assert.ok(opening.length >= 3, `${owner} is opened by ${opening.join(' ')}`);
    await sql`delete from rate_limits`;
    let checked = 0;
    for (let n = 0; n < 4; n++)
      for (const email of opening) if ((await signIn(email, 'wrong horse')).code === 'credentials_wrong') checked += 1;
    assert.equal(checked, attemptLimits.account, owner);
    await sql`delete from users`;
    await sql`delete from rate_limits`;
  }
});

test('what the normal form takes for one address signs in, signs up, is mailed and deleted as one, and nothing else does', async (t) => {
  const { anonymous, origin, sql, mailsTo } = await startApi(t, { attempts: roomy });
  const signIn = signInAt(() => origin);
  for (const owner of spellings.filter((_, at) => at % 3 === 0)) {
    await anonymous.accounts.signup({ email: owner, password, name: 'Ada' });
    for (const other of spellings) {
      const isSame = normalAddress(owner) === normalAddress(other);
      const { token, api } = await signIn(other);
      assert.equal(Boolean(token), isSame, `${owner} opened by ${other}`);
      if (isSame) assert.equal((await api.accounts.me()).email, owner);
    }
    const other = spellings.find((one) => one !== owner && normalAddress(one) === normalAddress(owner));
    if (other) {
      await anonymous.accounts.signup({ email: other, password: 'another horse battery', name: 'Eve' });
      await anonymous.accounts.forgot({ email: other });
      assert.deepEqual(
        (await mailsTo()).slice(-2).map((mail) => [mail.template, mail.to]),
        [
          ['account-exists', owner],
          ['reset-password', owner],
        ],
        other,
      );
      assert.equal((await sql`select 1 from users`).length, 1, other);
      const { api } = await signIn(owner);
      await api.profile.deleteAccount({ password, confirmation: other });
      assert.equal((await sql`select 1 from users`).length, 0, other);
    }
    await sql`delete from users`;
    await sql`delete from rate_limits`;
  }
});

test('an account that the release before wrote beside this one is found, before and after it gets its key, under its present address only', async (t) => {
  const { anonymous, origin, sql } = await startApi(t);
  const signIn = signInAt(() => origin);
  await anonymous.accounts.signup({ email: 'Ada@example.com', password, name: 'Ada' });
  const asBefore = async () => sql`update users set email_key = null, keyed_email = null`;
  const changedAsBefore = async () => sql`update users set email = 'Kay@example.com'`;
  for (const write of [asBefore, changedAsBefore]) {
    await write();
    const [{ email }] = await sql<[{ email: string }]>`select email from users`;
    for (const key of [false, true]) {
      if (key) await keyAddresses(sql);
      assert.ok((await signIn(email.toUpperCase())).token, `${email} ${key}`);
      if (email.startsWith('Kay')) assert.equal((await signIn('ada@example.com')).code, 'credentials_wrong');
    }
  }
  assert.deepEqual(
    [...(await sql`select email_key, keyed_email from users`)],
    [{ email_key: 'kay@example.com', keyed_email: 'Kay@example.com' }],
  );
});

test('two accounts whose addresses became one go on: the elder has the address, the younger is opened by its very spelling', async (t) => {
  const { anonymous, origin, sql } = await startApi(t);
  const signIn = signInAt(() => origin);
  const [elder, younger] = ['josé@example.com', 'jose\u0301@example.com'];
  for (const [email, word] of [
    [elder, password],
    [younger, 'another horse battery'],
  ] as const) {
    await anonymous.accounts.signup({ email: 'x@example.com', password: word, name: 'José' });
    await sql`update users set email = ${email}, email_key = null, keyed_email = null where email = 'x@example.com'`;
  }
  await keyAddresses(sql);
  await keyAddresses(sql);
  assert.equal((await (await signIn(younger, 'another horse battery')).api.accounts.me()).email, younger);
  assert.equal((await (await signIn(elder.toUpperCase())).api.accounts.me()).email, elder);
  assert.equal((await signIn(younger.toUpperCase(), 'another horse battery')).code, 'credentials_wrong');
});
