import type { Status, Transition, Trigger } from './states.ts';

const nothingPaid: Transition = { stays: 'nothing is being paid' };
// Refused instead of ignored, because a handled timer never fires again.
const notDue: Transition = { refused: 'not_due' };
const beginsNow = { to: 'active', does: ['begin', 'settle'], tells: 'subscribed' } as const;
const switchFails = { to: 'active', does: ['drop'] } as const;
const resumingFails = { to: 'cancelling', does: ['drop'] } as const;
const lapses = { to: 'none', does: ['take_back', 'end'] } as const;
const retries = { to: 'charging', does: ['charge'] } as const;

/** The answer to each happening in each status. `otherwise` is for all statuses without their own answer, so every pair has one. */
export const transitions: Record<Trigger, { in: Partial<Record<Status, Transition>>; otherwise: Transition }> = {
  select: {
    in: {
      none: { to: 'incomplete', does: ['quote_plan', 'charge'] },
      incomplete: { refused: 'payment_running' },
      owing: { refused: 'invoice_unpaid' },
    },
    otherwise: { refused: 'subscription_exists' },
  },
  switch_up: {
    in: {
      active: { to: 'switching', does: ['quote_switch', 'charge'] },
      // The cancellation is reversed once the payment succeeds. A declined payment leaves it in force.
      cancelling: { to: 'resuming', does: ['quote_switch', 'charge'] },
      ...noSwitch(),
    },
    otherwise: { refused: 'no_subscription' },
  },
  switch_down: {
    in: {
      active: { to: 'active', does: ['credit_switch'], tells: 'switched' },
      cancelling: { to: 'active', does: ['credit_switch'], tells: 'switched' },
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
      incomplete: { to: 'none', does: ['drop'] },
      active: { to: 'cancelling', does: [] },
      switching: { to: 'cancelling', does: ['drop'] },
      cancelling: { refused: 'already_cancelled' },
      resuming: resumingFails,
      // The period is not paid, so its invoice is reversed completely and the plan ends at once.
      charging: { ...lapses, tells: 'ended' },
      past_due: { ...lapses, tells: 'ended' },
    },
    otherwise: { refused: 'no_subscription' },
  },
  undo_cancel: {
    in: { cancelling: { to: 'active', does: [] }, resuming: { to: 'switching', does: [] } },
    otherwise: { refused: 'not_cancelled' },
  },
  payment_method_changed: {
    in: { past_due: retries, owing: { to: 'owing', does: ['charge'] } },
    otherwise: { stays: 'the next payment uses it' },
  },
  payment_succeeded: {
    in: {
      incomplete: beginsNow,
      switching: { to: 'active', does: ['settle', 'take_plan'], tells: 'switched' },
      resuming: { to: 'active', does: ['settle', 'take_plan'], tells: 'switched' },
      charging: { to: 'active', does: ['settle'], tells: 'renewed' },
      past_due: { to: 'active', does: ['settle'], tells: 'renewed' },
      owing: { to: 'none', does: ['settle'], tells: 'paid' },
    },
    otherwise: nothingPaid,
  },
  payment_failed: {
    in: {
      incomplete: { to: 'none', does: ['drop'], tells: 'declined' },
      switching: { ...switchFails, tells: 'declined' },
      resuming: { ...resumingFails, tells: 'declined' },
      charging: { to: 'past_due', does: [], tells: 'past_due' },
      past_due: { stays: 'the payment is past due already' },
      owing: { to: 'owing', does: [], tells: 'usage_unpaid' },
    },
    otherwise: nothingPaid,
  },
  payment_needs_confirmation: {
    in: {
      incomplete: { to: 'incomplete', does: [], tells: 'confirm' },
      switching: { to: 'switching', does: [], tells: 'confirm' },
      resuming: { to: 'resuming', does: [], tells: 'confirm' },
      charging: { to: 'past_due', does: [], tells: 'confirm' },
      past_due: { stays: 'the payment is past due already' },
      owing: { to: 'owing', does: [], tells: 'confirm' },
    },
    otherwise: nothingPaid,
  },
  stale_payment_news: { in: {}, otherwise: { stays: 'newer news count' } },
  late_payment: {
    // Without a subscription there may never be another invoice.
    in: { none: { to: 'none', does: ['keep_prepaid', 'pay_back'], tells: 'paid_back' } },
    otherwise: { to: 'same', does: ['keep_prepaid'], tells: 'kept_as_prepaid' },
  },
  wrong_amount: { in: {}, otherwise: { refused: 'wrong_amount' } },
  payment_wait_over: {
    in: {
      incomplete: { to: 'none', does: ['drop'], tells: 'not_confirmed' },
      switching: { ...switchFails, tells: 'not_confirmed' },
      resuming: { ...resumingFails, tells: 'not_confirmed' },
    },
    otherwise: notDue,
  },
  period_ended: {
    in: {
      active: { to: 'charging', does: ['renew', 'charge'] },
      switching: { to: 'charging', does: ['drop', 'renew', 'charge'] },
      cancelling: { to: 'none', does: ['end'], tells: 'ended' },
      resuming: { to: 'none', does: ['drop', 'end'], tells: 'ended' },
    },
    otherwise: notDue,
  },
  retry_due: { in: { past_due: { to: 'charging', does: ['count_retry', 'charge'] } }, otherwise: notDue },
  grace_over: { in: { charging: { ...lapses, tells: 'ended_unpaid' }, past_due: { ...lapses, tells: 'ended_unpaid' } }, otherwise: notDue },
  month_closed: { in: {}, otherwise: { to: 'same', does: ['note_usage'] } },
  month_closed_again: { in: {}, otherwise: { refused: 'month_already_closed' } },
  usage_due: { in: { none: { to: 'owing', does: ['bill_usage', 'charge'], tells: 'usage_invoiced' } }, otherwise: notDue },
  debt_written_off: { in: { owing: { to: 'none', does: ['write_off'] } }, otherwise: { refused: 'nothing_owed' } },
  provider_changed: {
    in: {
      none: { to: 'none', does: ['forfeit'], tells: 'provider_changed' },
      incomplete: { to: 'none', does: ['drop', 'forfeit'], tells: 'provider_changed' },
      switching: { to: 'none', does: ['drop', 'forfeit', 'end'], tells: 'provider_changed' },
      resuming: { to: 'none', does: ['drop', 'forfeit', 'end'], tells: 'provider_changed' },
      charging: { to: 'none', does: ['write_off', 'forfeit', 'end'], tells: 'provider_changed' },
      past_due: { to: 'none', does: ['write_off', 'forfeit', 'end'], tells: 'provider_changed' },
      owing: { to: 'none', does: ['write_off', 'forfeit'], tells: 'provider_changed' },
    },
    otherwise: { to: 'none', does: ['forfeit', 'end'], tells: 'provider_changed' },
  },
  not_due: { in: {}, otherwise: notDue },
};

export function transitionFor(status: Status, happening: Trigger): Transition {
  const { in: own, otherwise } = transitions[happening];
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
