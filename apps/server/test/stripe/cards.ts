/** Behaviour of Stripe's own test methods, according to its documentation of testing. */
export interface TestCard {
  brand: string;
  last4: string;
  /** The card is refused when it is attached to a customer, not only when it is charged. */
  isRefusedAtOnce?: true;
  declines?: { code: string; decline_code?: string; message: string };
  asksPerson?: true;
}
const declined = { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' };
const noFunds = { code: 'card_declined', decline_code: 'insufficient_funds', message: 'Your card has insufficient funds.' };

export const testCards: Record<string, TestCard> = {
  pm_card_visa: { brand: 'visa', last4: '4242' },
  pm_card_mastercard: { brand: 'mastercard', last4: '4444' },
  pm_card_amex: { brand: 'amex', last4: '8431' },
  pm_card_chargeDeclined: { brand: 'visa', last4: '0002', isRefusedAtOnce: true, declines: declined },
  pm_card_chargeDeclinedInsufficientFunds: { brand: 'visa', last4: '9995', isRefusedAtOnce: true, declines: noFunds },
  pm_card_chargeCustomerFail: { brand: 'visa', last4: '0341', declines: declined },
  pm_card_authenticationRequired: { brand: 'visa', last4: '3184', asksPerson: true },
};
