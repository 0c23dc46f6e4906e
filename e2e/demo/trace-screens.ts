import type { Page } from '@playwright/test';
import { open } from './console.ts';

/** The sample deployment of support-router that serves production. Without it the newest active agent is shown, which changes after a minute. */
export const tracedAgent = 'dep_019aa007-cf54-70a4-ae82-c6093d71b5f9';

/** The screens of traces and of their tokens' costs. */
export const traceScreens: Record<string, (page: Page) => Promise<unknown>> = {
  traces: async (page) => {
    await open(page, `/metrics?tab=traces&range=7d&deployment=${tracedAgent}`);
    await page.getByRole('table', { name: 'Traces' }).waitFor();
  },
  'traces of nobody': async (page) => {
    await traceScreens.traces?.(page);
    await page.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'invoice-triage, production' });
    await page.getByRole('link', { name: 'Guide to traces' }).waitFor();
  },
  'model usage': async (page) => {
    await open(page, '/metrics?range=30d');
    await page.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'web-scout, production' });
    await page.getByRole('table', { name: 'Model usage by model' }).scrollIntoViewIfNeeded();
  },
  'traces of a deployment': async (page) => {
    await open(page, '/deployments');
    await page
      .getByRole('row', { name: /support-router.*Active/ })
      .first()
      .getByRole('link')
      .first()
      .click();
    await page.getByRole('tab', { name: 'Traces' }).click();
    await page.getByRole('table', { name: 'Traces' }).waitFor();
  },
  trace: async (page) => {
    await open(page, `/metrics?tab=traces&status=error&deployment=${tracedAgent}`);
    await page.getByRole('table', { name: 'Traces' }).getByRole('link', { name: 'POST' }).first().click();
    await page.getByRole('treegrid', { name: 'Spans' }).press('ArrowDown');
    // The head of the trace must be checked as a whole, not half below the header.
    await page.evaluate('scrollTo(0, 0)');
  },
  'long trace': async (page) => {
    await open(page, '/metrics?tab=traces');
    await page.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'web-scout, production' });
    await page.getByRole('combobox', { name: 'Filter by duration' }).selectOption('5000');
    await longTrace(page).click();
    await page.getByRole('treegrid', { name: 'Spans' }).press('End');
  },
  span: async (page) => {
    await traceScreens.trace?.(page);
    await page.getByRole('treegrid', { name: 'Spans' }).press('End');
    await page.getByRole('treegrid', { name: 'Spans' }).press('Enter');
    await page.getByRole('dialog', { name: 'chat claude-sonnet-4-5' }).waitFor();
  },
  'no such trace': async (page) => {
    await open(page, `/metrics?tab=traces&deployment=${tracedAgent}&trace=${'a'.repeat(32)}`);
    await page.getByText('There is no such trace').waitFor();
  },
  'model prices': async (page) => {
    await open(page, '/settings?tab=model-prices');
    await page.getByText('Defaults are from').waitFor();
  },
  'add model price': async (page) => {
    await open(page, '/settings?tab=model-prices&action=new');
    await page.getByRole('textbox', { name: 'Input', exact: true }).fill('cheap');
    await page.getByRole('button', { name: 'Save price' }).click();
    await page.getByText('Enter the name of the model').waitFor();
  },
};

/** The link of the trace with 47 spans. The number is the whole text of its cell, but part of times and costs in other rows. */
export const longTrace = (page: Page) =>
  page
    .getByRole('row')
    .filter({ has: page.getByText('47', { exact: true }) })
    .getByRole('link', { name: 'POST' })
    .first();
