/**
 * The result of a payment with a test method: it `pays`, `declines` with a reason, waits until a user `confirms` (and may be declined
 * then), is paid `later`, or is `silent`: the provider does not respond at first.
 */
export interface TestPaymentMethod {
  id: string;
  brand: string;
  last4: string;
  outcome: 'pays' | 'declines' | 'confirms' | 'later' | 'silent';
  /** The reason for declining, in Stripe's words. */
  reason?: string;
}

const visa = (id: string, last4: string, outcome: TestPaymentMethod['outcome']): TestPaymentMethod => ({
  id: `pm_card_${id}`,
  brand: 'visa',
  last4,
  outcome,
});
const declines = (id: string, last4: string, reason: string): TestPaymentMethod => ({ ...visa(id, last4, 'declines'), reason });
const declined = 'Your card was declined.';
const noFunds = 'Your card has insufficient funds.';

/** The methods of the test provider, which behave like Stripe's own test methods of the same names. The last two are Paddock's own. */
export const testPaymentMethods: readonly TestPaymentMethod[] = [
  visa('visa', '4242', 'pays'),
  { id: 'pm_card_mastercard', brand: 'mastercard', last4: '4444', outcome: 'pays' },
  { id: 'pm_card_amex', brand: 'amex', last4: '0005', outcome: 'pays' },
  declines('chargeDeclined', '0002', declined),
  declines('chargeCustomerFail', '0341', declined),
  declines('visa_chargeDeclined', '0002', declined),
  declines('chargeDeclinedInsufficientFunds', '9995', noFunds),
  declines('visa_chargeDeclinedInsufficientFunds', '9995', noFunds),
  declines('chargeDeclinedLostCard', '9987', declined),
  declines('chargeDeclinedExpiredCard', '0069', 'Your card has expired.'),
  declines('chargeDeclinedIncorrectCvc', '0127', "Your card's security code is incorrect."),
  declines('chargeDeclinedProcessingError', '0119', 'An error occurred while processing your card. Try again in a little bit.'),
  visa('authenticationRequired', '3184', 'confirms'),
  { ...visa('authenticationRequiredChargeDeclinedInsufficientFunds', '3178', 'confirms'), reason: noFunds },
  visa('slow', '1000', 'later'),
  visa('providerSilent', '2000', 'silent'),
];

const says = {
  pays: 'is paid',
  declines: 'is declined',
  confirms: 'has to be confirmed',
  later: 'is paid after some seconds',
  silent: 'is paid once the provider answers, at the third try',
} as const;

/** The behaviour of a method as text: 'is declined: Your card has expired.' */
export function testMethodText({ outcome, reason }: TestPaymentMethod): string {
  if (reason === undefined) return says[outcome];
  return outcome === 'confirms' ? `${says.confirms}, then declined: ${reason}` : `${says[outcome]}: ${reason}`;
}
