import { normalAddress } from '@paddock/contract';
import { toNetworkKey } from '@paddock/network';
import { asApiError } from '../../http/problems.ts';
import type { Limit, RateLimit } from '../../http/rate-limit.ts';
import type { Caller } from '../../http/serve.ts';
import type { AttemptLimits } from './attempt-limits.ts';
import type { DeviceTokens } from './device-tokens.ts';

/**
 * Guesses are counted in windows of this length. An account is refused for the lockout, which is at least as long; other refusals end with the
 * window.
 */
const windowSeconds = 900;

const ofAccount = (email: string, { account: max, lockSeconds }: Guesses): Limit => ({
  key: `login:account:${normalAddress(email)}`,
  max,
  windowSeconds,
  lockSeconds,
});

type Guesses = Pick<AttemptLimits, 'account'> & { lockSeconds: number };

interface Deps {
  devices: Pick<DeviceTokens, 'knownAs'>;
  maxAttempts: AttemptLimits;
  lockSeconds: number;
}

/**
 * The counters that a wrong password increments. A browser that signed in to the account before has its own counter, which strangers' guesses do
 * not increment. A success resets the first counter.
 */
export const guessCounters = ({ devices, maxAttempts, lockSeconds }: Deps) =>
  async function counters(
    email: string,
    user_id: string | undefined,
    { ip, devices: tokens }: Pick<Caller, 'ip' | 'devices'>,
  ): Promise<[Limit, ...Limit[]]> {
    const known = await devices.knownAs(user_id, tokens);
    if (known !== undefined) return [{ key: `login:${known}`, max: maxAttempts.account, windowSeconds, lockSeconds }];
    return [
      ofAccount(email, { ...maxAttempts, lockSeconds }),
      { key: `login:address:${toNetworkKey(ip)}`, max: maxAttempts.address, windowSeconds },
      { key: 'login:everybody', max: maxAttempts.everybody, windowSeconds },
    ];
  };

/** An address without an owner: mail to `.invalid` is undeliverable, so no account can verify it. */
const probe = (turn: string) => `lockout-probe-${turn}@paddock.invalid`;
const tries = 30;

export interface ProvenLockout {
  answered: number | null;
  tries: number;
  /** The lockout time from the refusal. */
  lock_seconds: number;
}

/**
 * Tries wrong passwords on an address without an account, through the counter of a sign-in, until one is refused. The counters of the network and of
 * all sign-ins are left out: a probe must not prevent anybody from signing in.
 */
export async function provenLockout(limit: RateLimit, guesses: Guesses, turn: string): Promise<ProvenLockout> {
  const counter = ofAccount(probe(turn), guesses);
  try {
    for (let answered = 0; answered < tries; answered++) {
      const refusal = await limit.take([counter]).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refusal === undefined) continue;
      const { code, retry_after_s = 0 } = asApiError(refusal);
      if (code !== 'too_many_attempts') throw refusal;
      return { answered, tries, lock_seconds: Math.ceil(retry_after_s) };
    }
    return { answered: null, tries, lock_seconds: 0 };
  } finally {
    await limit.forget(counter.key);
  }
}
