import type { Page } from '@playwright/test';
import { open } from './console.ts';

const useMethod = async (page: Page, id: string) => {
  await open(page, '/settings?tab=billing');
  await page.getByLabel('Test payment method').selectOption(id);
  await page.getByRole('button', { name: 'Save payment method' }).click();
  await page.getByText('Payment method saved').waitFor();
};

/** Plans, payments and usage, and the way to them from the dashboard of the demo. */
export const billingScreens: Record<string, (page: Page) => Promise<unknown>> = {
  billing: async (page) => {
    await open(page, '/billing');
    await page.getByRole('button', { name: 'Switch to Enterprise' }).waitFor();
  },
  'upgrade plan': async (page) => {
    await billingScreens.billing?.(page);
    await page.getByRole('button', { name: 'Switch to Enterprise' }).click();
    await page.getByText('Due now').waitFor();
  },
  'smaller plan': async (page) => {
    await billingScreens.billing?.(page);
    await page.getByRole('button', { name: 'Switch to Starter' }).click();
    await page.getByText('Credited now').waitFor();
  },
  'declined upgrade': async (page) => {
    await useMethod(page, 'pm_card_chargeDeclined');
    await billingScreens['upgrade plan']?.(page);
    await page.getByRole('button', { name: 'Confirm Upgrade' }).click();
    await page.getByRole('alert').getByText('Your card was declined.').waitFor();
  },
  'payment to confirm': async (page) => {
    await useMethod(page, 'pm_card_authenticationRequired');
    await billingScreens['upgrade plan']?.(page);
    await page.getByRole('button', { name: 'Confirm Upgrade' }).click();
    await page.getByRole('button', { name: 'Decline payment' }).waitFor();
  },
  'cancelled subscription': async (page) => {
    await billingScreens.billing?.(page);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Cancel Subscription' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
  },
  'usage and costs': async (page) => {
    await open(page, '/billing?tab=usage');
    await page.getByRole('heading', { name: 'Cost Breakdown' }).waitFor();
    await page.getByRole('table', { name: 'Model cost by project' }).waitFor();
    await page.getByRole('textbox', { name: 'Dollars per month' }).fill('much');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await page.getByText('Enter an amount from 0.01').waitFor();
  },
  invoices: async (page) => {
    await open(page, '/billing?tab=invoices');
    await page.getByRole('button', { name: 'Download PDF of PD-000006' }).waitFor();
    await page.getByLabel('Name or company').fill('');
    await page.getByRole('button', { name: 'Save billing details' }).click();
    await page.getByText('Whom invoices are made out to: a person').waitFor();
  },
  'billing settings': async (page) => {
    await open(page, '/settings?tab=billing');
    await page.getByRole('heading', { name: 'Current Usage' }).waitFor();
    await page.getByRole('button', { name: 'Upgrade to Enterprise' }).waitFor();
  },
  'cancel in settings': async (page) => {
    await billingScreens['billing settings']?.(page);
    await page.getByRole('button', { name: 'Cancel Subscription' }).click();
    await page.getByRole('alertdialog').waitFor();
  },
};
