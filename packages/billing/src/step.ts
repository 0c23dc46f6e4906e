import type { Account, Outcome } from './account.ts';
import { classifyEvent } from './classify.ts';
import { applyEffect, type Draft } from './effects.ts';
import type { BillingEvent } from './events.ts';
import type { Refusal, Trigger } from './states.ts';
import { transitionFor } from './transitions.ts';

/**
 * Computes the effect of an event on an account without applying it: the new account, documents to number, entries to append, commands to the
 * provider and notices. The caller reads the account under a lock, skips events whose `idempotencyKeys` are written already, and writes the whole
 * outcome in one transaction, or nothing if the event is refused. Afterwards it delivers the commands, with retries. The same account and
 * event always give the same outcome with the same ids. `tax_basis_points` is the operator's rate, 0 to 10000. Throws a RangeError or
 * TypeError for impossible input, such as an account that does not match its status.
 */
export function step(
  account: Account,
  event: BillingEvent,
  { tax_basis_points }: { tax_basis_points: number },
): Outcome | { refused: Refusal } {
  const outcome: Outcome = { account: { ...account }, documents: [], entries: [], commands: [], notices: [] };
  return applyTrigger({ outcome, event, tax_basis_points }, classifyEvent(account, event));
}

function applyTrigger(draft: Draft, trigger: Trigger): Outcome | { refused: Refusal } {
  const { outcome } = draft;
  const { account } = outcome;
  const transition = transitionFor(account.status, trigger);
  if ('refused' in transition) return transition;
  if ('ignored' in transition) return outcome;
  for (const effect of transition.effects) applyEffect[effect](draft);
  if (transition.to !== 'same') account.status = transition.to;
  // An amount of zero counts as paid, without a request to the provider.
  if (transition.effects.includes('charge') && account.open?.bill.due_cents === 0) return applyTrigger(draft, 'payment_succeeded');
  if (transition.notice) outcome.notices.push(transition.notice);
  return outcome;
}
