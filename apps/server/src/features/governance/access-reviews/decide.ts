import { ApiError, type Provider, providers } from '@paddock/contract';
import type { Tx } from '../../../db/connect.ts';
import type { Item } from './item-store.ts';

/** Revocations by other features, each in the given transaction; a refusal is thrown before anything is changed. */
export interface Revokes {
  key: (tx: Tx, team_id: string, id: string) => Promise<void>;
  identity: (tx: Tx, user_id: string, provider: Provider) => Promise<void>;
}

interface Input {
  revokes: Revokes;
  actor: { user_id: string; team_id: string };
  decision: 'keep' | 'revoke';
}

/** Why this person cannot revoke an entry; null if they can. People cannot be removed: only the owner can delete an account. */
export function cannotRevoke({ kind, user_id, held_by }: Pick<Item, 'kind' | 'user_id' | 'held_by'>, actor: { user_id: string }) {
  const isOwn = user_id === actor.user_id;
  if (kind === 'person')
    return isOwn
      ? 'You cannot remove yourself. You may delete your account in the settings.'
      : 'Only this person can delete their account.';
  if (kind === 'identity' && !isOwn) return `Only ${held_by ?? 'its owner'} can unlink this, in the settings.`;
  return null;
}

/** Decides one entry, and executes a revocation at once. Repeating a decision changes nothing. */
export const createDecide =
  ({ revokes, actor, decision }: Input) =>
  async (tx: Tx, item: Item): Promise<{ decision: 'keep' | 'revoke' | 'gone' } | { refused: string }> => {
    if (item.decision === 'revoke' || item.decision === 'gone')
      return decision === item.decision || item.decision === 'gone' ? { decision: item.decision } : { refused: 'It is revoked already.' };
    if (item.is_gone) return { decision: 'gone' };
    if (decision === 'keep') return { decision };
    const reason = cannotRevoke(item, actor);
    if (reason !== null) return { refused: reason };
    try {
      await carryOut(tx, item, { revokes, actor });
      return { decision };
    } catch (error) {
      // The access ended between the read and the lock.
      if (error instanceof ApiError && error.code === 'identity_not_found') return { decision: 'gone' };
      if (error instanceof ApiError && error.code === 'last_way_in') return { refused: error.message };
      throw error;
    }
  };

async function carryOut(tx: Tx, { kind, subject_id, user_id }: Item, { revokes, actor }: Omit<Input, 'decision'>): Promise<void> {
  if (kind === 'api_key') return revokes.key(tx, actor.team_id, subject_id);
  const provider = providers.find((one) => one === subject_id.split(':')[1]);
  if (provider) return revokes.identity(tx, user_id, provider);
  throw new Error(`an identity of an unknown provider: ${subject_id}`);
}
