import { createHash, randomBytes } from 'node:crypto';
import { ApiError, type Provider } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';
import { removeInBatches } from '../../jobs/remove-in-batches.ts';
import type { Seal } from '../../secrets/seal.ts';
import type { Begun } from './clients.ts';

export type OAuthStates = ReturnType<typeof oauthStates>;

const stateSeconds = 600;
const waitingSeconds = 300;
const maxTries = 5;

export const newState = () => randomBytes(32).toString('base64url');
const hash = (text: string) => createHash('sha256').update(text).digest();
const context = (state: string) => `oauth state ${hash(state).toString('hex')}`;

/** Sign-ins in progress: stored by the hash of their state, taken once, deleted after 10 minutes. */
export const oauthStates = (sql: Sql, seal: Seal) => ({
  async keep(state: string, { provider, session_id, begun }: { provider: Provider; session_id: string | null; begun: Begun }) {
    const { sealed, key_id } = seal.seal(JSON.stringify(begun), context(state));
    await sql`
      insert into oauth_states (state_hash, provider, session_id, sealed, key_id, expires_at)
      values (${hash(state)}, ${provider}, ${session_id}, ${sealed}, ${key_id}, now() + ${`${stateSeconds} seconds`}::interval)`;
  },

  /** The stored secrets, once. A state that returns for another provider or purpose is consumed as well. */
  async take(state: string, provider: Provider, session_id: string | null): Promise<Begun> {
    const [row] = await sql<{ provider: string; session_id: string | null; sealed: Buffer; key_id: string }[]>`
      delete from oauth_states state
      where expires_at > now()
        and state_hash = ${hash(state)}
      returning provider, session_id, sealed, key_id`;
    if (row?.provider !== provider || row.session_id !== session_id) throw new ApiError('oauth_state_invalid');
    return JSON.parse(seal.open(row, context(state))) as Begun;
  },

  /** Stores a person confirmed by the provider until their second factor is entered, bound to this state and code. */
  hold: (state: string, { code, provider, user_id }: { code: string; provider: Provider; user_id: string }) => sql`
    insert into oauth_waiting (state_hash, provider, code_hash, user_id, expires_at)
    values (${hash(state)}, ${provider}, ${hash(code)}, ${user_id}, now() + ${`${waitingSeconds} seconds`}::interval)`,

  /** The waiting person with this state and code. */
  async waiting(state: string, code: string, provider: Provider): Promise<string | undefined> {
    const [row] = await sql<{ user_id: string }[]>`
      select user_id
      from oauth_waiting
      where state_hash = ${hash(state)}
        and code_hash = ${hash(code)}
        and provider = ${provider}
        and expires_at > now()`;
    return row?.user_id;
  },

  /** Counts an attempt. Throws after the fifth. */
  async tryOnce(state: string) {
    const [row] = await sql`
      update oauth_waiting
      set tries = tries + 1
      where state_hash = ${hash(state)}
        and tries < ${maxTries}
      returning tries`;
    if (!row) throw new ApiError('oauth_state_invalid', { detail: 'Too many wrong codes. Start the sign-in again.' });
  },

  /** Ends the wait. True for only one caller. */
  async release(state: string): Promise<boolean> {
    const rows = await sql`
      delete from oauth_waiting
      where state_hash = ${hash(state)}
      returning 1`;
    return rows.length > 0;
  },
});

export async function removeExpiredStates(sql: Sql) {
  await removeInBatches(
    (rows) => sql`
      delete from oauth_states
      where ctid = any(array(
        select ctid
        from oauth_states
        where expires_at < now()
        limit ${rows}
      ))`,
  );
  await removeInBatches(
    (rows) => sql`
      delete from oauth_waiting
      where ctid = any(array(
        select ctid
        from oauth_waiting
        where expires_at < now()
        limit ${rows}
      ))`,
  );
}
