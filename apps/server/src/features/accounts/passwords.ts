import { hash, verify } from '@node-rs/argon2';

const argon2id = 2;
/** Parameters of argon2: `memoryCost` in KiB, `timeCost` in passes. */
export type PasswordCost = { memoryCost: number; timeCost: number };
/** OWASP Password Storage Cheat Sheet, argon2id with 19 MiB, 2 passes, 1 lane. */
export const passwordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
// Each hash takes 19 MiB and a core for a while: with more at once, sign-ins would starve everything else.
const maxAtOnce = 2;
const maxWaiting = 200;

export type Passwords = ReturnType<typeof passwords>;

/** Hashes passwords, a few at a time. Normalises to NFC first, so that the same characters typed on another machine match. */
export function passwords(cost: PasswordCost = passwordCost) {
  const options = { algorithm: argon2id, parallelism: 1, ...cost };
  const turn = turns(maxAtOnce, maxWaiting);
  // Verified in place of the hash of an account that does not exist, so that both take the same time.
  const dummy = hash('no account has this password', options);
  return {
    hash: (password: string) => turn(() => hash(password.normalize('NFC'), options)),
    /** False for a wrong password and for a missing account (`stored` undefined), after the same work. */
    async verify(stored: string | undefined, password: string): Promise<boolean> {
      const right = await turn(async () => verify(stored ?? (await dummy), password.normalize('NFC')));
      return right && stored !== undefined;
    },
    /** True when the hash was made with weaker parameters than today's. */
    isWeak: (stored: string) =>
      !stored.startsWith(`$argon2id$v=19$m=${options.memoryCost},t=${options.timeCost},p=${options.parallelism}$`),
  };
}

function turns(maxRunning: number, maxQueued: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= maxRunning) {
      if (waiting.length >= maxQueued) throw new Error('too many passwords are being checked');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
