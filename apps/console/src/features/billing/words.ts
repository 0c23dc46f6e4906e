import type { PaymentMethod } from '@paddock/contract';
import { absoluteDate } from '../../ui/text/time.ts';

/** 'November 2026'. */
export const monthName = (month: string) =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(Date.parse(`${month}-01`));

/** '20 Nov 2026': periods begin and end in UTC, and so do the dates on invoices. */
export const dateText = (at: string) => absoluteDate(Date.parse(at), 'utc');

/** Usage has one decimal, dollars have two (spec, section 9). */
export const usageText = (amount: number) => amount.toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
export const priceText = (dollars: number) =>
  `${dollars < 0 ? '-' : ''}$${Math.abs(dollars).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** 'Visa ending in 4242'. */
export const methodText = ({ brand, last4 }: Pick<PaymentMethod, 'brand' | 'last4'>) =>
  `${brand.charAt(0).toUpperCase()}${brand.slice(1)}${last4 ? ` ending in ${last4}` : ''}`;

export const messages = {
  usage: 'Usage could not be loaded. Running agents are not affected.',
  modelCost: 'The cost of models could not be loaded.',
  budgets: 'Budgets could not be loaded.',
  save: 'The budget could not be saved. Try again.',
  billing: 'Billing information could not be loaded. Running agents are not affected.',
  invoices: 'Invoices could not be loaded. None of them are lost.',
  download: 'The file could not be downloaded. Try again.',
  details: 'The billing details could not be loaded.',
  saveDetails: 'The billing details could not be saved. Try again.',
  upgrade: 'Failed to upgrade plan. Please try again.',
  cancel: 'Failed to cancel subscription. Please try again.',
  method: 'The payment method could not be changed. Try again.',
  confirm: 'The payment could not be confirmed. Try again.',
  dismiss: 'The notice could not be dismissed. Try again.',
  resume: 'The cancellation could not be undone. Try again.',
} as const;
