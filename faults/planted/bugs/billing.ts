import type { PlantedBug } from '../bug.ts';

const billing = 'packages/billing/src';
const year = `${billing}/year.test.ts`;
const step = `${billing}/step.test.ts`;

/** Bugs in the arithmetic of billing. */
export const billingBugs: PlantedBug[] = [
  {
    bug: 'the rest of a period is rounded by plan, which pays whoever switches at the right seconds',
    promise: 'no rounding pays anybody',
    file: `${billing}/proration.ts`,
    from: 'const steps = prices.slice(0, top + 1).map((cents, index) => cents - (prices[index - 1] ?? 0));',
    to: 'const steps = [price];',
    caught_by: { file: `${billing}/proration.test.ts`, test: 'however often and whenever a person switches' },
  },
  {
    bug: 'a period from the 31st runs over into the next month',
    promise: 'month ends and leap years',
    file: `${billing}/period.ts`,
    from: 'const day = Math.min(date.getUTCDate(), daysIn(year, month));',
    to: 'const day = date.getUTCDate();',
    caught_by: { file: `${billing}/period.test.ts`, test: 'a subscription from the 31st' },
  },
  {
    bug: 'tax is taken on what credit has paid',
    promise: 'tax is on the sum after credit',
    file: `${billing}/bill.ts`,
    from: 'applyBasisPoints(sum_cents - credit_cents, given.tax_basis_points)',
    to: 'applyBasisPoints(sum_cents, given.tax_basis_points)',
    caught_by: { file: `${billing}/bill.test.ts`, test: 'an invoice has the plan, the usage of the month' },
  },
  {
    bug: 'the parts of usage are rounded by themselves',
    promise: 'the parts add up to the whole',
    file: `${billing}/usage.ts`,
    from: 'const until = usageCost(kind, quantity, month);',
    to: 'const until = before + usageCost(kind, part, month);',
    caught_by: { file: `${billing}/usage.test.ts`, test: 'the cost of a month does not depend on how its usage was split' },
  },
  {
    bug: 'a payment that is told again under another id counts again',
    promise: 'the ledger is what the provider holds',
    file: `${billing}/events.ts`,
    from: "if (event.name === 'payment_succeeded') return [own, `payment ${event.payment_id}`];",
    to: '',
    caught_by: { file: year, test: 'the ledger of each team is what the provider holds' },
  },
  {
    bug: 'money for an invoice that is not open is dropped',
    promise: 'the ledger is what the provider holds',
    file: `${billing}/effects.ts`,
    from: "post(draft, { id: event.payment_id, kind: 'payment', postings: prepaidPostings(event.cents) });",
    to: '',
    caught_by: { file: year, test: 'the ledger of each team is what the provider holds' },
  },
  {
    bug: 'an invoice that is taken back takes its usage along',
    promise: 'no usage is lost',
    file: `${billing}/effects.ts`,
    from: 'account.usage = [...invoice.usage, ...account.usage];',
    to: '',
    caught_by: { file: year, test: 'all usage on days of subscriptions is invoiced' },
  },
  {
    bug: 'a timer that rings too early counts as answered',
    promise: 'no retry and no period is lost',
    file: `${billing}/transitions.ts`,
    from: "const notDue: Transition = { refused: 'not_due' };",
    to: "const notDue: Transition = { ignored: 'the timer is not set' };",
    caught_by: { file: step, test: 'a timer that rings early, twice or for another time changes nothing' },
  },
  {
    bug: 'the payment of a switch that was given up stays open at the provider',
    promise: 'nothing is charged for what is not given',
    file: `${billing}/effects.ts`,
    from: '    voidPayment(outcome);',
    to: '',
    caught_by: { file: step, test: 'an unconfirmed payment is void after 23 hours' },
  },
  {
    bug: 'the news of an older try count',
    promise: 'payment events in any order',
    file: `${billing}/classify.ts`,
    from: ' && event.attempt === open.attempt',
    to: '',
    caught_by: { file: step, test: 'news of an older try change nothing' },
  },
];
