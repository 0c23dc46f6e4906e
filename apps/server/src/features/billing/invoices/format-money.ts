import { formatMoney } from '@paddock/billing';

/** Cents in the API's form: dollars with two decimals. */
export const centsToDollars = (cents: number): number => (cents === 0 ? 0 : cents / 100);

/** '$1,234.50', '-$0.05'. */
export const formatPrice = (dollars: number): string => formatMoney(Math.round(dollars * 100));
