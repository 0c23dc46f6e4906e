import type { Part } from '../layout.ts';
import { greeting, type Texts } from './part.ts';

/** Mails about payments, subscriptions and alerts. */
export const billingTexts: Texts<'payment-receipt' | 'payment-failed' | 'billing-notice' | 'alert'> = {
  'payment-receipt': ({ name, plan, amount, invoice, text }, publicUrl) => ({
    subject: `Payment received: ${invoice}`,
    parts: [
      greeting(name),
      text,
      {
        facts: [
          ['For', plan],
          ['Amount', amount],
          ['Invoice', invoice],
        ],
      },
      openBilling(publicUrl),
    ],
  }),
  'payment-failed': ({ name, plan, amount, reason, next_try, text }, publicUrl) => ({
    subject: 'Payment failed',
    parts: [
      greeting(name),
      text,
      {
        facts: [
          ['For', plan],
          ['Amount', amount],
          ['Reason', reason],
          ['Next try', next_try ?? 'none'],
        ],
      },
      openBilling(publicUrl),
    ],
  }),
  'billing-notice': ({ name, title, text }, publicUrl) => ({ subject: title, parts: [greeting(name), text, openBilling(publicUrl)] }),
  alert: ({ name, title, detail, deployment_id }, publicUrl) => ({
    subject: `Alert: ${title}`,
    parts: [
      greeting(name),
      title,
      detail,
      deployment_id
        ? { label: 'Open the deployment', href: `${publicUrl}/deployments/${deployment_id}` }
        : { label: 'Open Paddock', href: `${publicUrl}/dashboard` },
    ],
  }),
};

const openBilling = (publicUrl: string): Part => ({ label: 'Open billing', href: `${publicUrl}/billing` });
