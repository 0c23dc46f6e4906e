import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../http/serve.ts';
import { type Accounts, waysIn } from './sign-in.ts';
import type { IdentityStore } from './store.ts';

const person = {
  provider: 'slack' as const,
  issuer: 'https://slack.com',
  subject: '7',
  email: 'ada@example.com',
  name: 'Ada',
  is_email_verified: true,
};
const caller = { ip: '127.0.0.1', user_agent: 'test', newId: (prefix: string) => `${prefix}_new` } as unknown as Caller;

test('an answer that looked for its identity just before another answer made it signs in to the account of that one', async () => {
  let looks = 0;
  const store = {
    begin: (work: (tx: never) => Promise<unknown>) => work(undefined as never),
    // The concurrent response commits after the first lookup.
    use: async () => (++looks === 1 ? undefined : 'usr_made'),
    add: async () => undefined,
  } as unknown as IdentityStore;
  const made = { id: 'usr_made', email: person.email, name: 'Ada', email_verified: true, has_password: false };
  const accounts = { lockAccount: async () => made, countSignup: async () => undefined } as unknown as Accounts;
  const ways = waysIn(store, accounts, async () => undefined);
  assert.equal(await ways.enter(person, caller), 'usr_made');
});
