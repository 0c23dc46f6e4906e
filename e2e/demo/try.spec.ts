import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSideScroll, open, test } from './console.ts';

test('an agent of the demo is asked from its page by keyboard alone, streams its answer, and the request is there again later', async ({
  demo: page,
}) => {
  await toAgent(page);
  await page.getByRole('button', { name: 'Write a request' }).press('Enter');
  const preset = page.getByLabel('Fill in');
  await expect(preset).toBeFocused();
  await preset.selectOption('Chat as OpenAI, streamed');
  await page.getByLabel('Body', { exact: true }).press('Control+Enter');
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  await expect(answer.getByText('The answer is coming …')).toBeVisible();
  const body = page.getByRole('region', { name: 'Body of the answer' });
  await expect(body).toContainText('"You "');
  await expect(body).toContainText('[DONE]');
  await expect(answer.getByRole('status').first()).toContainText(/^Status 200\s*Complete after /);
  await answer.getByText(/^Headers of the answer/).press('Enter');
  await expect(answer.getByText('text/event-stream')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'All deployments of support-router' }).click();
  await page.goBack();
  await page.getByRole('button', { name: 'Write a request' }).click();
  await expect(page.getByLabel('Path')).toHaveValue('/v1/chat/completions');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Answer', exact: true }).getByText('Cancelled')).toBeVisible();
});

test('on a phone the panel fits, and JSON is indented once it is whole', async ({ touch: page }) => {
  await toAgent(page);
  await page.getByRole('button', { name: 'Write a request' }).tap();
  await page.getByLabel('Fill in').selectOption('MCP: initialize');
  await page.getByLabel('Fill in').selectOption('Invocation: POST /invocations');
  await page.getByRole('button', { name: 'Send' }).tap();
  await expect(page.getByRole('region', { name: 'Body of the answer' })).toContainText('{\n  "result": "You said: Hello!');
  await expectNoSideScroll(page);
  await expectAccessible(page);
});

async function toAgent(page: Page) {
  await open(page, '/deployments?environment=preview');
  await page.getByText(/^\d+ of \d+ shown$/).waitFor();
  await page
    .getByRole('row', { name: /support-router.*Active/ })
    .getByRole('link')
    .first()
    .click();
}
