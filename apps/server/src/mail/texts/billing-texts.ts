import { greeting, type Texts } from './part.ts';

/** Mails about payments and alerts. */
export const billingTexts: Texts<'payment-receipt' | 'payment-failed' | 'alert'> = {
  'payment-receipt': ({ name, plan, amount, invoice }, publicUrl) => ({
    subject: 'Payment received',
    parts: [
      greeting(name),
      'Your payment was received.',
      {
        facts: [
          ['Plan', plan],
          ['Amount', amount],
          ['Invoice', invoice],
        ],
      },
      { label: 'Open billing', href: `${publicUrl}/billing` },
    ],
  }),
  'payment-failed': ({ name, plan, amount, reason, next_try }, publicUrl) => ({
    subject: 'Payment failed',
    parts: [
      greeting(name),
      'A payment for your plan failed. Nothing was charged.',
      {
        facts: [
          ['Plan', plan],
          ['Amount', amount],
          ['Reason', reason],
          ['Next try', next_try ?? 'none; please pay by another way'],
        ],
      },
      { label: 'Open billing', href: `${publicUrl}/billing` },
    ],
  }),
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
