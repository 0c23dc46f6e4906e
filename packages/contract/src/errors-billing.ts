/** Errors of plans, payments and invoices. */
export const billingErrors = {
  subscription_exists: {
    status: 409,
    title: 'Already subscribed',
    detail: 'Your team already has a subscription. Switch its plan instead.',
  },
  no_subscription: { status: 409, title: 'No subscription', detail: 'Your team has no subscription. Select a plan.' },
  payment_running: {
    status: 409,
    title: 'Payment in progress',
    detail: 'A payment is in progress. Confirm it, wait for it, or cancel it.',
  },
  payment_due: {
    status: 409,
    title: 'Payment due',
    detail: 'The current period is unpaid. Change the payment method or cancel first.',
  },
  cancel_pending: {
    status: 409,
    title: 'Cancelled',
    detail: 'Your team keeps this plan until its period ends. Undo the cancellation to keep it longer.',
  },
  already_cancelled: { status: 409, title: 'Already cancelled', detail: 'The subscription is already cancelled.' },
  not_cancelled: { status: 409, title: 'Not cancelled', detail: 'No cancellation is pending.' },
  plan_is_current: { status: 409, title: 'Current plan', detail: 'Your team already has this plan.' },
  switches_used_up: {
    status: 409,
    title: 'Too many switches',
    detail: 'The plan was switched 20 times in this period. Wait for the next one.',
  },
  invoice_unpaid: {
    status: 409,
    title: 'Invoice unpaid',
    detail: 'A usage invoice is unpaid. Change the payment method to pay it, then select a plan.',
  },
  payment_provider_changed: {
    status: 409,
    title: 'Paid through another provider',
    detail:
      'Your team pays through Stripe, which is no longer set up here. Contact the operator of this installation. Plan and credit stay as they are.',
  },
  payment_method_missing: {
    status: 409,
    title: 'No payment method',
    detail: 'No payment method is saved. Add one in the settings under Billing, or pass one as payment_method_id.',
  },
  payment_method_refused: {
    status: 422,
    title: 'Payment method refused',
    detail: 'The payment provider does not recognise this payment method.',
  },
  payment_declined: {
    status: 402,
    title: 'Payment declined',
    detail: 'The payment was declined. You were not charged, and your plan is unchanged.',
  },
  billing_notice_not_found: { status: 404, title: 'Not found', detail: 'There is no such notice.' },
  payment_not_waiting: { status: 409, title: 'Nothing to confirm', detail: 'No payment is awaiting confirmation.' },
  payment_page_missing: {
    status: 409,
    title: 'No such page',
    detail: 'The test provider has no card page. Choose one of its test payment methods.',
  },
  payment_provider_unavailable: {
    status: 502,
    title: 'Payment provider unavailable',
    detail: 'The payment provider is not responding. You will not be charged twice. Try again in a moment.',
  },
  invoice_not_found: { status: 404, title: 'Not found', detail: 'There is no such invoice.' },
  invoice_pdf_failed: {
    status: 503,
    title: 'PDF not created',
    detail: 'The PDF could not be created right now. The invoice itself is stored. Try again in a moment.',
  },
  webhook_refused: {
    status: 400,
    title: 'Webhook refused',
    detail: 'This message has no valid signature of the payment provider, or the signature is too old.',
  },
} as const;
