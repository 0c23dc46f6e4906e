import { ApiError, type ApiKey, apiKeys, type Scope, scopes } from '@paddock/contract';
import type { Tx } from '../../db/connect.ts';
import type { Actor } from '../../http/authenticate.ts';
import { type Caller, serve } from '../../http/serve.ts';
import type { SendMail } from '../../mail/mails.ts';
import { keyEnds, keyHash, newKey } from './key-form.ts';
import type { ApiKeyStore } from './store.ts';

const every = Object.keys(scopes) as Scope[];
const warning = 'Copy this key now and keep it safe: it is shown once and cannot be shown again.';

/** Throws policy_refused for a key that would live longer than the team's policies allow. Null: it would never expire. */
export type AssertKeyLifetime = (team_id: string, expires_in_days: number | null) => Promise<void>;

interface Deps {
  store: ApiKeyStore;
  sendMail: SendMail;
  assertKeyLifetime: AssertKeyLifetime;
}

export const apiKeyRoutes = ({ store, sendMail, assertKeyLifetime }: Deps) => {
  /** Mails the person about each new key, in the transaction that creates it: also when a stolen key rotated itself. */
  const tell =
    (actor: Actor, { ip, user_agent }: Caller) =>
    async (tx: Tx, { name, key_prefix }: ApiKey) =>
      sendMail(
        'key-created',
        { to: actor.email, data: { name: actor.name, key_name: name, key_prefix, at: new Date(), ip, user_agent } },
        tx,
      );

  // A tool may revoke and rotate its own key. Managing other keys needs a scope.
  async function mustManage({ team_id, key_id }: Actor, id: string) {
    if (key_id === null || key_id === id) return;
    const own = await store.get(team_id, key_id);
    if (!own.scopes.includes('keys:write'))
      throw new ApiError('session_needed', {
        detail: 'An API key without the scope keys:write may revoke and rotate itself alone. Sign in to manage other keys.',
      });
  }

  return serve(apiKeys, {
    async list(input, { actor }) {
      const { rows, next_cursor } = await store.list(actor.team_id, input);
      return { api_keys: rows, next_cursor };
    },
    async create({ name, is_test, scopes: chosen, expires_in_days }, caller) {
      const { actor } = caller;
      await assertKeyLifetime(actor.team_id, expires_in_days ?? null);
      const { api_key, row } = secret(caller.newId('key'), is_test);
      const rules = {
        user_id: actor.user_id,
        name,
        is_test_key: is_test,
        scopes: every.filter((scope) => chosen.includes(scope)),
        expires_in_days: expires_in_days ?? null,
      };
      const key_info = await store.create(actor.team_id, { key: row, rules, by: actor.key_id }, tell(actor, caller));
      return { api_key, key_info, warning };
    },
    get: ({ id }, { actor }) => store.get(actor.team_id, id),
    async validate(_, { actor }) {
      const { user_id, name, email } = actor;
      const key_info = actor.key_id === null ? null : await store.get(actor.team_id, actor.key_id);
      return {
        kind: key_info ? ('api_key' as const) : ('session' as const),
        user: { id: user_id, name, email },
        scopes: key_info?.scopes ?? every,
        rate_limit: key_info?.rate_limit ?? null,
        expires_at: key_info?.expires_at ?? null,
        key_info,
      };
    },
    async revoke({ id }, { actor }) {
      await mustManage(actor, id);
      await store.revoke(actor.team_id, id);
      return null;
    },
    async rotate({ id }, caller) {
      await mustManage(caller.actor, id);
      await assertKeyLifetime(caller.actor.team_id, await store.readLifetime(caller.actor.team_id, id));
      const new_id = caller.newId('key');
      let api_key = '';
      const fresh = (isTest: boolean) => {
        const made = secret(new_id, isTest);
        api_key = made.api_key;
        return made.row;
      };
      const key_info = await store.rotate(caller.actor.team_id, { id, newKey: fresh, by: caller.actor.key_id }, tell(caller.actor, caller));
      return { api_key, key_info, warning };
    },
  });
};

function secret(id: string, isTest: boolean) {
  const api_key = newKey(isTest);
  return { api_key, row: { id, token_hash: keyHash(api_key), ...keyEnds(api_key) } };
}
