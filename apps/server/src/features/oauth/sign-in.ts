import { ApiError, type Identity, type Provider, providerNames } from '@paddock/contract';
import { setSubject } from '../../audit/call.ts';
import { recordAction } from '../../audit/record-action.ts';
import type { Tx } from '../../db/connect.ts';
import type { Caller } from '../../http/serve.ts';
import type { SendMail } from '../../mail/mails.ts';
import type { ProvedPerson } from './person.ts';
import type { IdentityStore } from './store.ts';

interface Account {
  id: string;
  email: string;
  name: string;
  email_verified: boolean;
  has_password: boolean;
}

/** Calls of the accounts feature, within a transaction of the caller. */
export interface Accounts {
  /** False when the address got an account meanwhile. Mails the verification link if the address is not verified. */
  create: (tx: Tx, account: { id: string; team_id: string; email: string; name: string; email_verified: boolean }) => Promise<boolean>;
  /** `lockAccount` and `lock` prevent changes of the account's sign-in methods until the transaction ends. */
  lockAccount: (tx: Tx, email: string) => Promise<Account | undefined>;
  lock: (tx: Tx, user_id: string) => Promise<Account | undefined>;
  /** Counts a new account against the sign-up limits. */
  countSignup: (ip: string) => Promise<void>;
}
export type Ways = ReturnType<typeof waysIn>;

/** Finds the account of a person whom a provider has confirmed: by provider and subject, never by e-mail address alone. */
export function waysIn(store: IdentityStore, accounts: Accounts, sendMail: SendMail) {
  const tell = (tx: Tx, { account, provider }: { account: Account; provider: Provider }, { ip, user_agent }: Caller) =>
    sendMail(
      'identity-linked',
      { to: account.email, data: { name: account.name, provider: providerNames[provider], at: new Date(), ip, user_agent } },
      tx,
    );

  /** The account of an identity that is known, or that may be linked by its address; undefined when there is none. */
  const find = (person: ProvedPerson, caller: Caller): Promise<string | undefined> =>
    store.begin(async (tx) => {
      const known = await store.use(tx, person);
      if (known !== undefined) return known;
      const account = await accounts.lockAccount(tx, person.email);
      if (!account) return undefined;
      // A concurrent response for the same person may have created the account since the first lookup. From here on the account is locked.
      const meanwhile = await store.use(tx, person);
      if (meanwhile !== undefined) return meanwhile;
      setSubject(account.id);
      // If either side's address were unverified, anybody who entered that address would get the account.
      const isSame = person.is_email_verified && account.email_verified;
      if (!isSame || !(await store.add(tx, account.id, person))) throw notLinked(person.provider);
      await tell(tx, { account, provider: person.provider }, caller);
      await recordAction(tx, person.provider, { by: account.id, action: 'identity.link' });
      return account.id;
    });

  const signUp = (person: ProvedPerson, { newId }: Caller): Promise<string> =>
    store.begin(async (tx) => {
      const { email, name, is_email_verified } = person;
      const account = { id: newId('usr'), team_id: newId('team'), email, name, email_verified: is_email_verified };
      if (!(await accounts.create(tx, account)) || !(await store.add(tx, account.id, person))) throw new MadeMeanwhile();
      return account.id;
    });

  /** The account to sign in to; a new account if there is none. Throws account_not_linked when only the owner may link. */
  async function enter(person: ProvedPerson, caller: Caller): Promise<string> {
    const found = await find(person, caller);
    if (found !== undefined) return found;
    await accounts.countSignup(caller.ip);
    return signUp(person, caller);
  }

  async function unlink(tx: Tx, user_id: string, provider: Provider): Promise<void> {
    const account = await accounts.lock(tx, user_id);
    const linked = await store.list(user_id, tx);
    if (!linked.some((each) => each.provider === provider)) throw new ApiError('identity_not_found');
    if (!account?.has_password && linked.length === 1) throw new ApiError('last_way_in');
    await store.remove(tx, user_id, provider);
    // An access review unlinks, too.
    await recordAction(tx, provider, { action: 'identity.unlink' });
  }

  return {
    /** Two responses for one person may arrive concurrently: the later one finds the account that the earlier one created. */
    enter: (person: ProvedPerson, caller: Caller): Promise<string> =>
      enter(person, caller).catch((error: unknown) => {
        if (error instanceof MadeMeanwhile) return enter(person, caller);
        throw error;
      }),

    link: (user_id: string, person: ProvedPerson, caller: Caller): Promise<Identity> =>
      store.begin(async (tx) => {
        const account = await accounts.lock(tx, user_id);
        if (!account) throw new ApiError('not_signed_in');
        const owner = await store.findOwner(tx, person);
        if (owner !== undefined && owner !== user_id) throw new ApiError('identity_taken');
        const added = owner === undefined ? await store.add(tx, user_id, person) : undefined;
        if (!added) throw new ApiError('provider_linked');
        await tell(tx, { account, provider: person.provider }, caller);
        await recordAction(tx, person.provider);
        return added;
      }),

    unlink: (user_id: string, provider: Provider): Promise<void> => store.begin((tx) => unlink(tx, user_id, provider)),

    /** Like `unlink`, in the given transaction. A refusal is thrown before anything is changed. */
    unlinkWithin: unlink,

    /** Throws identity_not_found. */
    async get(user_id: string, provider: Provider): Promise<Identity> {
      const identity = (await store.list(user_id)).find((each) => each.provider === provider);
      if (!identity) throw new ApiError('identity_not_found');
      return identity;
    },

    /** Linked providers, and whether there is also a password. */
    async list(user_id: string) {
      const account = await store.begin((tx) => accounts.lock(tx, user_id));
      return { identities: await store.list(user_id), has_password: account?.has_password === true };
    },
  };
}

/** A concurrent request has just created the account or the identity. */
class MadeMeanwhile extends Error {}

const notLinked = (provider: Provider) =>
  new ApiError('account_not_linked', {
    detail: `An account with this e-mail address already exists. Sign in with its password first, then link ${providerNames[provider]} in the settings.`,
  });
