import { oneOf, searchOf, textOf } from '../../navigation/search.ts';

/** The part of the billing page that its address keeps: the tab (plans are left out), and which month, such as 2026-11 (not the current one). */
export const billingSearch = searchOf({ tab: oneOf('usage', 'invoices'), month: textOf(7) });

export type BillingSearch = ReturnType<typeof billingSearch>;
