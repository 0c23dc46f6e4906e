import type { Account, Outcome } from './account.ts';
import { classifyEvent } from './classify.ts';
import { applyEffect, type Draft } from './effects.ts';
import type { BillingEvent } from './events.ts';
import type { Refusal, Trigger } from './states.ts';
import { transitionFor } from './transitions.ts';

/**
 * Computes the effect of an event on an account without applying it: the new account, documents to number, entries to append, orders to the
 * provider and notices. The caller reads the account under a lock, skips events whose `keysOf` are written already, and writes the whole
 * outcome in one transaction, or nothing if the event is refused. Afterwards it delivers the orders, with retries. The same account and
 * event always give the same outcome with the same ids. `tax_basis_points` is the operator's rate, 0 to 10000. Throws a RangeError or
 * TypeError for impossible input, such as an account that does not match its status.
 */
export function step(
  account: Account,
  event: BillingEvent,
  { tax_basis_points }: { tax_basis_points: number },
): Outcome | { refused: Refusal } {
  const outcome: Outcome = { account: { ...account }, documents: [], entries: [], orders: [], notices: [] };
  return answer({ outcome, event, tax_basis_points }, classifyEvent(account, event));
}

function answer(work: Draft, happening: Trigger): Outcome | { refused: Refusal } {
  const { outcome } = work;
  const { account } = outcome;
  const found = transitionFor(account.status, happening);
  if ('refused' in found) return found;
  if ('stays' in found) return outcome;
  for (const act of found.does) applyEffect[act](work);
  if (found.to !== 'same') account.status = found.to;
  // An amount of zero counts as paid, without a request to the provider.
  if (found.does.includes('charge') && account.open?.bill.due_cents === 0) return answer(work, 'payment_succeeded');
  if (found.tells) outcome.notices.push(found.tells);
  return outcome;
}
