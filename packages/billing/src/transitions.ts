import type { Status, Transition, Trigger } from './states.ts';

const nothingPaid: Transition = { ignored: 'nothing is being paid' };
// Refused instead of ignored, because a handled timer never fires again.
const notDue: Transition = { refused: 'not_due' };
const beginsNow = { to: 'active', effects: ['begin', 'settle'], notice: 'subscribed' } as const;
const switchFails = { to: 'active', effects: ['drop'] } as const;
const resumingFails = { to: 'cancelling', effects: ['drop'] } as const;
const lapses = { to: 'none', effects: ['take_back', 'end'] } as const;
const retries = { to: 'charging', effects: ['charge'] } as const;

/** The transition for each trigger in each status. `otherwise` is for all statuses without their own transition, so every pair has one. */
export const transitions: Record<Trigger, { in: Partial<Record<Status, Transition>>; otherwise: Transition }> = {
  select: {
    in: {
      none: { to: 'incomplete', effects: ['quote_plan', 'charge'] },
      incomplete: { refused: 'payment_running' },
      owing: { refused: 'invoice_unpaid' },
    },
    otherwise: { refused: 'subscription_exists' },
  },
  switch_up: {
    in: {
      active: { to: 'switching', effects: ['quote_switch', 'charge'] },
      // The cancellation is reversed once the payment succeeds. A declined payment leaves it in force.
      cancelling: { to: 'resuming', effects: ['quote_switch', 'charge'] },
      ...noSwitch(),
    },
    otherwise: { refused: 'no_subscription' },
  },
  switch_down: {
    in: {
      active: { to: 'active', effects: ['credit_switch'], notice: 'switched' },
      cancelling: { to: 'active', effects: ['credit_switch'], notice: 'switched' },
      ...noSwitch(),
    },
    otherwise: { refused: 'no_subscription' },
  },
  switch_to_same: {
    in: { active: { refused: 'plan_is_current' }, cancelling: { refused: 'cancel_pending' }, ...noSwitch() },
    otherwise: { refused: 'no_subscription' },
  },
  switch_too_often: {
    in: { active: { refused: 'switches_used_up' }, cancelling: { refused: 'switches_used_up' }, ...noSwitch() },
    otherwise: { refused: 'no_subscription' },
  },
  cancel: {
    in: {
      incomplete: { to: 'none', effects: ['drop'] },
      active: { to: 'cancelling', effects: [] },
      switching: { to: 'cancelling', effects: ['drop'] },
      cancelling: { refused: 'already_cancelled' },
      resuming: resumingFails,
      // The period is not paid, so its invoice is reversed completely and the plan ends at once.
      charging: { ...lapses, notice: 'ended' },
      past_due: { ...lapses, notice: 'ended' },
    },
    otherwise: { refused: 'no_subscription' },
  },
  undo_cancel: {
    in: { cancelling: { to: 'active', effects: [] }, resuming: { to: 'switching', effects: [] } },
    otherwise: { refused: 'not_cancelled' },
  },
  payment_method_changed: {
    in: { past_due: retries, owing: { to: 'owing', effects: ['charge'] } },
    otherwise: { ignored: 'the next payment uses it' },
  },
  payment_succeeded: {
    in: {
      incomplete: beginsNow,
      switching: { to: 'active', effects: ['settle', 'take_plan'], notice: 'switched' },
      resuming: { to: 'active', effects: ['settle', 'take_plan'], notice: 'switched' },
      charging: { to: 'active', effects: ['settle'], notice: 'renewed' },
      past_due: { to: 'active', effects: ['settle'], notice: 'renewed' },
      owing: { to: 'none', effects: ['settle'], notice: 'paid' },
    },
    otherwise: nothingPaid,
  },
  payment_failed: {
    in: {
      incomplete: { to: 'none', effects: ['drop'], notice: 'declined' },
      switching: { ...switchFails, notice: 'declined' },
      resuming: { ...resumingFails, notice: 'declined' },
      charging: { to: 'past_due', effects: [], notice: 'past_due' },
      past_due: { ignored: 'the payment is past due already' },
      owing: { to: 'owing', effects: [], notice: 'usage_unpaid' },
    },
    otherwise: nothingPaid,
  },
  payment_needs_confirmation: {
    in: {
      incomplete: { to: 'incomplete', effects: [], notice: 'confirm' },
      switching: { to: 'switching', effects: [], notice: 'confirm' },
      resuming: { to: 'resuming', effects: [], notice: 'confirm' },
      charging: { to: 'past_due', effects: [], notice: 'confirm' },
      past_due: { ignored: 'the payment is past due already' },
      owing: { to: 'owing', effects: [], notice: 'confirm' },
    },
    otherwise: nothingPaid,
  },
  stale_payment_news: { in: {}, otherwise: { ignored: 'newer news count' } },
  late_payment: {
    // Without a subscription there may never be another invoice.
    in: { none: { to: 'none', effects: ['keep_prepaid', 'pay_back'], notice: 'paid_back' } },
    otherwise: { to: 'same', effects: ['keep_prepaid'], notice: 'kept_as_prepaid' },
  },
  wrong_amount: { in: {}, otherwise: { refused: 'wrong_amount' } },
  payment_wait_over: {
    in: {
      incomplete: { to: 'none', effects: ['drop'], notice: 'not_confirmed' },
      switching: { ...switchFails, notice: 'not_confirmed' },
      resuming: { ...resumingFails, notice: 'not_confirmed' },
    },
    otherwise: notDue,
  },
  period_ended: {
    in: {
      active: { to: 'charging', effects: ['renew', 'charge'] },
      switching: { to: 'charging', effects: ['drop', 'renew', 'charge'] },
      cancelling: { to: 'none', effects: ['end'], notice: 'ended' },
      resuming: { to: 'none', effects: ['drop', 'end'], notice: 'ended' },
    },
    otherwise: notDue,
  },
  retry_due: { in: { past_due: { to: 'charging', effects: ['count_retry', 'charge'] } }, otherwise: notDue },
  grace_over: {
    in: { charging: { ...lapses, notice: 'ended_unpaid' }, past_due: { ...lapses, notice: 'ended_unpaid' } },
    otherwise: notDue,
  },
  month_closed: { in: {}, otherwise: { to: 'same', effects: ['note_usage'] } },
  month_closed_again: { in: {}, otherwise: { refused: 'month_already_closed' } },
  usage_due: { in: { none: { to: 'owing', effects: ['bill_usage', 'charge'], notice: 'usage_invoiced' } }, otherwise: notDue },
  debt_written_off: { in: { owing: { to: 'none', effects: ['write_off'] } }, otherwise: { refused: 'nothing_owed' } },
  provider_changed: {
    in: {
      none: { to: 'none', effects: ['forfeit'], notice: 'provider_changed' },
      incomplete: { to: 'none', effects: ['drop', 'forfeit'], notice: 'provider_changed' },
      switching: { to: 'none', effects: ['drop', 'forfeit', 'end'], notice: 'provider_changed' },
      resuming: { to: 'none', effects: ['drop', 'forfeit', 'end'], notice: 'provider_changed' },
      charging: { to: 'none', effects: ['write_off', 'forfeit', 'end'], notice: 'provider_changed' },
      past_due: { to: 'none', effects: ['write_off', 'forfeit', 'end'], notice: 'provider_changed' },
      owing: { to: 'none', effects: ['write_off', 'forfeit'], notice: 'provider_changed' },
    },
    otherwise: { to: 'none', effects: ['forfeit', 'end'], notice: 'provider_changed' },
  },
  not_due: { in: {}, otherwise: notDue },
};

export function transitionFor(status: Status, trigger: Trigger): Transition {
  const { in: own, otherwise } = transitions[trigger];
  return own[status] ?? otherwise;
}

function noSwitch() {
  return {
    switching: { refused: 'payment_running' },
    resuming: { refused: 'payment_running' },
    charging: { refused: 'payment_running' },
    past_due: { refused: 'payment_due' },
    incomplete: { refused: 'payment_running' },
    owing: { refused: 'no_subscription' },
  } as const;
}
