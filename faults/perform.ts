import { currentWaits } from '../apps/server/test/platform.ts';
import type { Fault } from './fault.ts';
import { messageOf } from './message-of.ts';

const maxSeconds = 300;

export interface Outcome {
  fault: Fault;
  passed: boolean;
  seen: string;
  ms: number;
}

/** Performs one fault and cleans up after it. Never rejects: a failure is described in `seen`. */
export async function perform(fault: Fault, seed: number): Promise<Outcome> {
  const cleanups: (() => unknown)[] = [];
  const begun = performance.now();
  const limit = fault.limit_s ?? maxSeconds;
  let passed = true;
  let seen: string;
  const told = (error: unknown) => {
    passed = false;
    return messageOf(error);
  };
  const timer = Promise.withResolvers<never>();
  const late = setTimeout(
    () => timer.reject(new Error(`it took longer than ${limit} s, waiting for: ${[...currentWaits].join('; ')}`)),
    limit * 1000,
  );
  try {
    seen = await Promise.race([fault.run(seed, { after: (clean?: unknown) => void cleanups.push(clean as () => unknown) }), timer.promise]);
  } catch (error) {
    seen = told(error);
  } finally {
    clearTimeout(late);
  }
  for (const clean of cleanups.reverse())
    try {
      await clean();
    } catch (error) {
      seen += `; cleaning up: ${told(error)}`;
    }
  return { fault, passed, seen, ms: Math.round(performance.now() - begun) };
}
