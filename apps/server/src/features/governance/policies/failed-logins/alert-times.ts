import { hourMs } from '@paddock/contract/time';

interface Failed {
  at: string;
  user_id: string;
}

/**
 * The failed sign-ins that would open an alert: each reaches the limit within an hour for an account, after the count was below it since the last
 * alert.
 */
export function findAlertTimes<F extends Failed>(failed: readonly F[], count: number): F[] {
  const recent = new Map<string, { times: number[]; isOpen: boolean }>();
  return failed.filter(({ at, user_id }) => {
    const of = recent.get(user_id) ?? { times: [], isOpen: false };
    recent.set(user_id, of);
    const ms = Date.parse(at);
    while (of.times.length > 0 && of.times[0]! <= ms - hourMs) of.times.shift();
    if (of.times.length < count) of.isOpen = false;
    of.times.push(ms);
    if (of.isOpen || of.times.length < count) return false;
    of.isOpen = true;
    return true;
  });
}
