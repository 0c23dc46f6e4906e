import { ApiError, type Scope } from '@paddock/contract';

/** Limits of a key's permissions. */
export interface KeyPower {
  user_id: string;
  scopes: readonly Scope[];
  is_test_key: boolean;
  /** Null: it does not expire. */
  expires_in_days: number | null;
}

/** Throws api_key_exceeds_own for a key with more permissions than the key that creates or rotates it: a key cannot grant what it does not have. */
export function mustNotExceed(own: KeyPower, wanted: KeyPower): void {
  const reason = describeExcess(own, wanted);
  if (reason !== undefined) throw new ApiError('api_key_exceeds_own', { detail: `${reason} Nothing was changed.` });
}

function describeExcess(own: KeyPower, wanted: KeyPower): string | undefined {
  const more = wanted.scopes.filter((scope) => !own.scopes.includes(scope));
  if (more.length > 0) return `The calling API key lacks ${more.join(', ')}, so it gives that to no other key.`;
  if (wanted.user_id !== own.user_id) return 'That API key acts for another person. Only a session rotates it.';
  if (own.is_test_key && !wanted.is_test_key) return 'The calling API key is a test key and creates test keys alone.';
  const days = own.expires_in_days;
  if (days !== null && (wanted.expires_in_days ?? Number.POSITIVE_INFINITY) > days)
    return `The calling API key was made for ${days} days: give expires_in_days of ${days} at most.`;
  return undefined;
}
