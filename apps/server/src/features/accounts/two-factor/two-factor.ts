import { createHash, randomBytes } from 'node:crypto';
import { ApiError } from '@paddock/contract';
import { Secret, TOTP } from 'otpauth';
import type { Tx } from '../../../db/connect.ts';
import type { Person } from '../../../http/authenticate.ts';
import type { Limit, RateLimit } from '../../../http/rate-limit.ts';
import type { Seal } from '../../../secrets/seal.ts';
import type { DeviceTokens } from '../device-tokens.ts';
import type { StoredFactor, TwoFactorStore } from './two-factor-store.ts';

const periodSeconds = 30;
/** Codes of this many steps before and after the current one are accepted: clocks of phones are off by some seconds. */
const tolerance = 1;
const recoveryCodeCount = 10;
/** The origin of guesses: a sign-in, possibly in a known browser, or a session. */
export type Guesser = { devices: readonly string[] } | { session_id: string };
/** Wrong codes of one guesser within 15 minutes. */
const maxAttempts = 10;

export type SecondFactor = ReturnType<typeof secondFactor>;

interface Deps {
  store: TwoFactorStore;
  seal: Seal;
  limit: RateLimit;
  knownAs: DeviceTokens['knownAs'];
}

/** Second factors: codes of authenticator apps (RFC 6238), and recovery codes as a substitute. */
export function secondFactor({ store, seal, limit, knownAs }: Deps) {
  /** A known browser and a session each have their own counter, so that a guesser who knows the password does not lock the owner out. */
  async function attempts(user_id: string, guesser: Guesser): Promise<Limit> {
    const known = 'session_id' in guesser ? `session:${guesser.session_id}` : await knownAs(user_id, guesser.devices);
    return { key: `second-factor:${known ?? `account:${user_id}`}`, max: maxAttempts, windowSeconds: 900 };
  }

  const findTimeStep = (user_id: string, factor: StoredFactor, code: string) => {
    const totp = totpOf(seal.open(factor, contextOf(user_id)));
    const delta = totp.validate({ token: code, window: tolerance, timestamp: factor.now_ms });
    return delta === null ? undefined : Math.floor(factor.now_ms / 1000 / periodSeconds) + delta;
  };

  /** True for a right code that was not used before, which it consumes. Throws too_many_attempts. */
  async function check(user_id: string, typed: string, guesser: Guesser): Promise<boolean> {
    const counter = await attempts(user_id, guesser);
    await limit.take([counter]);
    const code = plain(typed);
    const isOfApp = /^\d{6}$/.test(code);
    const isRight = isOfApp ? await checkApp(user_id, code) : await store.useRecoveryCode(user_id, hashOf(user_id, code));
    if (!isRight) return false;
    await limit.forget(counter.key);
    return true;
  }

  async function checkApp(user_id: string, code: string): Promise<boolean> {
    const factor = await store.find(user_id);
    const step = factor?.is_confirmed ? findTimeStep(user_id, factor, code) : undefined;
    return step !== undefined && store.useStep(user_id, step);
  }

  return {
    isOn: store.isOn,
    remove: store.remove,
    forget: store.forget,
    check,

    /** Requires the code for a sign-in whose password was right. Throws second_factor_required or second_factor_wrong. */
    async demand(user_id: string, code: string | undefined, guesser: Guesser): Promise<void> {
      if (!(await store.isOn(user_id))) return;
      if (!code) throw new ApiError('second_factor_required');
      if (!(await check(user_id, code, guesser))) throw new ApiError('second_factor_wrong');
    },

    /** Creates a secret that has no effect until `confirm`. Throws second_factor_on. */
    async begin(user_id: string, email: string): Promise<{ secret: string; uri: string }> {
      const secret = new Secret({ size: 20 }).base32;
      if (!(await store.begin(user_id, seal.seal(secret, contextOf(user_id))))) throw new ApiError('second_factor_on');
      return { secret, uri: totpOf(secret, email).toString() };
    },

    /** Switches the second factor on with a first code, and returns the recovery codes. Throws second_factor_off when none was begun. */
    async confirm({ user_id, session_id }: Person, code: string, also: (tx: Tx) => Promise<void>): Promise<string[]> {
      const factor = await store.find(user_id);
      if (!factor)
        throw new ApiError('second_factor_off', {
          detail: 'The setup of two-factor sign-in was not started, or has expired. Start again.',
        });
      if (factor.is_confirmed) throw new ApiError('second_factor_on');
      const counter = await attempts(user_id, { session_id });
      await limit.take([counter]);
      const step = findTimeStep(user_id, factor, plain(code));
      if (step === undefined) throw wrongCode();
      const codes = newRecoveryCodes();
      const confirmation = { sealed: factor.sealed, step, hashes: hashesOf(user_id, codes) };
      if (!(await store.confirm(user_id, confirmation, also))) throw new ApiError('second_factor_on');
      await limit.forget(counter.key);
      return codes;
    },

    /** Replaces the recovery codes, including used ones. */
    async renewRecoveryCodes(user_id: string): Promise<string[]> {
      const codes = newRecoveryCodes();
      await store.setRecoveryCodes(user_id, hashesOf(user_id, codes));
      return codes;
    },
  };
}

export const wrongCode = () => {
  const error = new ApiError('code_wrong');
  return new ApiError('code_wrong', { errors: [{ path: 'code', message: error.message }] });
};

const totpOf = (base32: string, label = '') =>
  new TOTP({ issuer: 'Paddock', label, secret: Secret.fromBase32(base32), algorithm: 'SHA1', digits: 6, period: periodSeconds });
const contextOf = (user_id: string) => `second_factor:${user_id}`;
const plain = (typed: string) => typed.replaceAll(/[\s-]/g, '').toLowerCase();

// 80 random bits each are too many to guess from a hash, so a fast hash is sufficient. Base 32 has no 0, 1, 8 and 9.
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const newRecoveryCodes = () => Array.from({ length: recoveryCodeCount }, newRecoveryCode);
function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(16), (byte) => alphabet[byte % 32]).join('');
  return letters.replaceAll(/.{4}(?!$)/g, '$&-');
}
const hashOf = (user_id: string, code: string) => createHash('sha256').update(`${user_id}:${code}`).digest();
const hashesOf = (user_id: string, codes: string[]) => codes.map((code) => hashOf(user_id, plain(code)));
