import { oneOf, searchOf, textOf } from '../../navigation/search.ts';

/**
 * The state of the billing page that is kept in its address: the tab (omitted for plans), and the month, such as 2026-11 (omitted for the
 * current one).
 */
export const billingSearch = searchOf({ tab: oneOf('usage', 'invoices'), month: textOf(7) });

export type BillingSearch = ReturnType<typeof billingSearch>;
