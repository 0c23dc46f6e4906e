import { searchOf, textOf } from '../../navigation/search.ts';

/** The part of the billing page that its address keeps: which month, such as 2026-11; the current one is left out. */
export const billingSearch = searchOf({ month: textOf(7) });
