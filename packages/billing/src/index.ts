export {
  type Account,
  type Document,
  documentId,
  eventOfDocument,
  isBlank,
  newAccount,
  type OpenInvoice,
  type Outcome,
  type ProviderCommand,
  runningPeriod,
} from './account.ts';
export { type Bill, documentNumber } from './bill.ts';
export { type Cents, divideHalfUp, formatMoney } from './cents.ts';
export { type Deadline, graceDays, nextDeadline, paymentWaitHours, retryDays } from './deadlines.ts';
export { type BillingEvent, idempotencyKeys, type Timer } from './events.ts';
export { balances, type Entry, findImbalances } from './ledger.ts';
export type { ClosedMonth, Line } from './lines.ts';
export { findPeriod, type Instant, type Period, periodAt } from './period.ts';
export { type Notice, type Refusal, type Status, statuses } from './states.ts';
export { step } from './step.ts';
export {
  chargedDays,
  costOfParts,
  countHours,
  type Days,
  exactCost,
  type Month,
  type Quantities,
  toUnits,
  type UsageKind,
  usageCost,
  usageKinds,
} from './usage.ts';
