/** 'November 2026'. */
export const monthName = (month: string) =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(Date.parse(`${month}-01`));

/** '20 Nov': a day of the UTC calendar, whatever the zone. */
export const dayName = (at: number) => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(at);

/** Usage has one decimal, dollars have two (spec, section 9). */
export const usageText = (amount: number) => amount.toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
export const priceText = (dollars: number) => `$${dollars.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

export const messages = {
  usage: 'Usage could not be loaded. What runs is not affected.',
  budgets: 'Budgets could not be loaded.',
  save: 'The budget could not be saved. Try again.',
} as const;
