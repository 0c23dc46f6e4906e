import type { Page } from '@playwright/test';
import { expect, expectNoSideScroll, open, test } from './console.ts';
import { tracedAgent } from './trace-screens.ts';

const widths = [640, 768, 900, 1024, 1280];

const lists: [path: string, ready: string, actions: RegExp][] = [
  ['/deployments', '13 of 13 shown', /^Actions for /],
  ['/projects', 'support-router', /^Actions for /],
  ['/databases', 'Databases are provisioned automatically', /^Actions for /],
  ['/metrics', 'How it is calculated', /^(Requests|Cost|Traffic)$/],
  ['/billing', 'Current Subscription', /^(Cancel Subscription|Update Payment Method|Switch to|Dismiss)/],
  ['/settings?tab=billing', 'Current Usage', /^(Go to Billing|Change Plan|Upgrade to|Save payment method)/],
  ['/billing?tab=usage', 'Cost Breakdown', /^(Save budget|Remove budget)/],
  ['/billing?tab=invoices', 'Billing Details', /^(Download PDF|Export CSV|Save billing)/],
  [`/metrics?tab=traces&deployment=${tracedAgent}`, '/v1/chat/completions', /^Load more$/],
  ['/settings?tab=model-prices', 'Defaults are from', /^(Edit|Remove) /],
  ['/governance', '100 records', /^(View record|Verify now|Load more)/],
  ['/governance?tab=data-governance', 'Retention Period', /^(View Details|Scan text|(View request|Edit|Remove|Add) .+)$/],
  ['/governance?tab=compliance', 'Penetration Tests', /^(View Details|View Last|Start Review)/],
  ['/governance?tab=compliance&framework=pci-dss', 'Active Violations', /^(View control|Run Check Now)/],
  ['/governance?tab=policies', 'Who may do what, and for how long.', /^(View Details|Edit|Create Policy)/],
  ['/settings?tab=data-protection', 'Using the defaults', /^(Save changes|Discard changes)$/],
  ['/api-keys', 'Deploy from CI', /^Rotate /],
  ['/settings', 'Safari on iPhone', /^End the session/],
  ['/settings?tab=alerts', 'Release pipeline', /^(Send a test|Deliveries|Switch|Actions for) /],
];

test('a trace neither scrolls sideways nor hides a fold, at any width of a window', async ({ wide: page }) => {
  await open(page, `/metrics?tab=traces&status=error&deployment=${tracedAgent}`);
  await page.getByRole('table', { name: 'Traces' }).getByRole('link', { name: 'POST' }).first().click();
  await page.getByRole('treegrid', { name: 'Spans' }).waitFor();
  for (const width of [320, ...widths]) {
    await page.setViewportSize({ width, height: 860 });
    await expectNoSideScroll(page);
    await expectInWindow(page, { width, name: /^(Collapse|Next error)/ });
  }
});

for (const [path, ready, actions] of lists)
  test(`${path} neither scrolls sideways nor hides what is done with a row, at any width of a window`, async ({ wide: page }) => {
    await open(page, path);
    await page.getByText(ready).first().waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 860 });
      await expectNoSideScroll(page);
      const scrolling = await page.evaluate<string[]>(`[...document.querySelectorAll('main *')]
        .filter((element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth + 1)
        .map((element) => element.className)`);
      expect(scrolling, `at ${width} px`).toEqual([]);
      await expectInWindow(page, { width, name: actions });
    }
  });

/** Reads all boxes in one call: a list has hundreds of buttons. */
async function expectInWindow(page: Page, { width, name }: { width: number; name: RegExp }) {
  const outside = await page.getByRole('button', { name }).evaluateAll((buttons, right) => {
    const boxes = buttons.map((button) => button.getBoundingClientRect());
    return boxes.filter((box) => box.width === 0 || box.x < 0 || box.right > right).map((box) => `${box.x} to ${box.right}`);
  }, width);
  expect(outside, `at ${width} px`).toEqual([]);
}
