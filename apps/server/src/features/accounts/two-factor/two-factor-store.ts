import { recordAction } from '../../../audit/record-action.ts';
import { type Sql, singleRow, type Tx } from '../../../db/connect.ts';
import type { Sealed } from '../../../secrets/seal.ts';

export type TwoFactorStore = ReturnType<typeof twoFactorStore>;

export interface StoredFactor extends Sealed {
  is_confirmed: boolean;
  /** The database's clock, so that replicas agree on the current code. */
  now_ms: number;
}

/** Data that switches a second factor on: its pending secret, the step of the first code, and the hashes of the recovery codes. */
export interface Confirmation extends Pick<Sealed, 'sealed'> {
  step: number;
  hashes: Buffer[];
}

/** All SQL about second factors. */
export const twoFactorStore = (sql: Sql) => ({
  async isOn(user_id: string): Promise<boolean> {
    const rows = await sql<{ is_on: boolean }[]>`
      select exists (
        select 1
        from second_factors
        where user_id = ${user_id}
          and is_confirmed
      ) as is_on`;
    return singleRow(rows).is_on;
  },

  /** The second factor of a person. An unconfirmed one expires after an hour. */
  async find(user_id: string): Promise<StoredFactor | undefined> {
    const [row] = await sql<StoredFactor[]>`
      select sealed, key_id, is_confirmed, (extract(epoch from now()) * 1000)::float8 as now_ms
      from second_factors
      where user_id = ${user_id}
        and (is_confirmed or created_at > now() - interval '1 hour')`;
    return row;
  },

  /** False when a second factor is confirmed already: it is never replaced. */
  async begin(user_id: string, { sealed, key_id }: Sealed): Promise<boolean> {
    const rows = await sql`
      insert into second_factors (user_id, sealed, key_id)
      values (${user_id}, ${sealed}, ${key_id})
      on conflict (user_id) do update
      set sealed = excluded.sealed, key_id = excluded.key_id, last_step = 0, created_at = now()
      where not second_factors.is_confirmed
      returning 1`;
    return rows.length > 0;
  },

  /** False when another second factor was begun meanwhile, or this one was confirmed meanwhile. */
  confirm: (user_id: string, { sealed, step, hashes }: Confirmation, also: (tx: Tx) => Promise<void>) =>
    sql.begin(async (tx) => {
      const rows = await tx`
        update second_factors
        set is_confirmed = true, last_step = ${step}
        where user_id = ${user_id}
          and sealed = ${sealed}
          and not is_confirmed
        returning 1`;
      if (!rows.length) return false;
      await replaceRecoveryCodes(tx, user_id, hashes);
      await also(tx);
      await recordAction(tx, user_id);
      return true;
    }),

  /** False when this step's code, or a later one, was used before. */
  async useStep(user_id: string, step: number): Promise<boolean> {
    const rows = await sql`
      update second_factors
      set last_step = ${step}
      where user_id = ${user_id}
        and is_confirmed
        and last_step < ${step}
      returning 1`;
    return rows.length > 0;
  },

  /** False when the code is unknown or was used before. */
  async useRecoveryCode(user_id: string, hash: Buffer): Promise<boolean> {
    const rows = await sql`
      delete from recovery_codes
      where user_id = ${user_id}
        and code_hash = ${hash}
      returning 1`;
    return rows.length > 0;
  },

  setRecoveryCodes: (user_id: string, hashes: Buffer[]) =>
    sql.begin(async (tx) => {
      await replaceRecoveryCodes(tx, user_id, hashes);
      await recordAction(tx, user_id);
    }),

  /** Removes the second factor, confirmed or not, within the given transaction. */
  forget: (user_id: string, tx: Tx) => tx`delete from second_factors where user_id = ${user_id}`,

  remove: (user_id: string, also: (tx: Tx) => Promise<void>) =>
    sql.begin(async (tx) => {
      const rows = await tx`
        delete from second_factors
        where user_id = ${user_id}
          and is_confirmed
        returning 1`;
      if (!rows.length) return;
      await also(tx);
      await recordAction(tx, user_id);
    }),
});

async function replaceRecoveryCodes(tx: Tx, user_id: string, hashes: Buffer[]) {
  await tx`delete from recovery_codes where user_id = ${user_id}`;
  for (const code_hash of hashes) await tx`insert into recovery_codes (user_id, code_hash) values (${user_id}, ${code_hash})`;
}
