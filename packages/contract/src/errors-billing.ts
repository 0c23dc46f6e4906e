/** Errors of plans, payments and invoices. */
export const billingErrors = {
  subscription_exists: { status: 409, title: 'Subscribed already', detail: 'The team has a subscription: switch its plan.' },
  no_subscription: { status: 409, title: 'No subscription', detail: 'The team has no subscription: select a plan.' },
  payment_running: { status: 409, title: 'Payment under way', detail: 'A payment is under way: confirm it, wait for it, or cancel.' },
  payment_due: {
    status: 409,
    title: 'Payment due',
    detail: 'The current period is unpaid. Change the payment method or cancel first.',
  },
  cancel_pending: {
    status: 409,
    title: 'Cancelled',
    detail: 'The team has this plan until its period ends: undo the cancellation to keep it.',
  },
  already_cancelled: { status: 409, title: 'Cancelled already', detail: 'The subscription is cancelled already.' },
  not_cancelled: { status: 409, title: 'Not cancelled', detail: 'No cancellation is pending.' },
  plan_is_current: { status: 409, title: 'Current plan', detail: 'The team has this plan.' },
  switches_used_up: {
    status: 409,
    title: 'Too many switches',
    detail: 'The plan was switched 20 times in this period. Wait for the next one.',
  },
  invoice_unpaid: {
    status: 409,
    title: 'Invoice unpaid',
    detail: 'An invoice for usage is not paid. Change the payment method to pay it, then select a plan.',
  },
  payment_provider_changed: {
    status: 409,
    title: 'Paid through another provider',
    detail:
      'This team was paid for through Stripe, which is not set up on this server now. Plan and credit stay as they are; ask whoever runs this installation.',
  },
  payment_method_missing: {
    status: 409,
    title: 'No payment method',
    detail: 'No payment method is saved. Add one in the settings, under Billing, or name one in payment_method_id.',
  },
  payment_method_refused: {
    status: 422,
    title: 'Payment method refused',
    detail: 'The payment provider does not know this payment method.',
  },
  payment_declined: {
    status: 402,
    title: 'Payment declined',
    detail: 'The payment was declined. You were not charged, and your plan is unchanged.',
  },
  billing_notice_not_found: { status: 404, title: 'Not found', detail: 'There is no such notice.' },
  payment_not_waiting: { status: 409, title: 'Nothing to confirm', detail: 'No payment waits for a confirmation.' },
  payment_page_missing: {
    status: 409,
    title: 'No such page',
    detail: 'The test provider has no page for cards. Choose one of its test payment methods.',
  },
  payment_provider_unavailable: {
    status: 502,
    title: 'Payment provider unavailable',
    detail: 'The payment provider is not responding. You will not be charged twice. Try again in a moment.',
  },
  invoice_not_found: { status: 404, title: 'Not found', detail: 'There is no such invoice.' },
  invoice_pdf_failed: {
    status: 503,
    title: 'PDF not made',
    detail: 'The PDF could not be made now. The invoice itself is stored: try again in a moment.',
  },
  webhook_refused: {
    status: 400,
    title: 'Webhook refused',
    detail: 'The payment provider did not sign this message, or signed it too long ago.',
  },
} as const;
