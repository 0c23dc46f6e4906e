import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSideScroll, open, test } from './console.ts';

test('an agent of the demo is asked from its page by keyboard alone, streams its answer, and the request is there again later', async ({
  demo: page,
}) => {
  await toAgent(page);
  await page.getByRole('button', { name: 'Write a request' }).press('Enter');
  const preset = page.getByLabel('Template');
  await expect(preset).toBeFocused();
  await preset.selectOption('Chat as OpenAI, streamed');
  await page.getByLabel('Body', { exact: true }).press('Control+Enter');
  const answer = page.getByRole('region', { name: 'Response', exact: true });
  await expect(answer.getByText('Receiving the response …')).toBeVisible();
  const body = page.getByRole('region', { name: 'Response body' });
  await expect(body).toContainText('"You "');
  await expect(body).toContainText('[DONE]');
  await expect(answer.getByRole('status').first()).toContainText(/^Status 200\s*Complete after /);
  await answer.getByText(/^Response headers/).press('Enter');
  await expect(answer.getByText('text/event-stream')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'All deployments of support-router' }).click();
  await page.goBack();
  await page.getByRole('button', { name: 'Write a request' }).click();
  await expect(page.getByLabel('Path')).toHaveValue('/v1/chat/completions');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Response', exact: true }).getByText('Cancelled')).toBeVisible();
});

test('on a phone the panel fits, and JSON is indented once it is whole', async ({ touch: page }) => {
  await toAgent(page);
  await page.getByRole('button', { name: 'Write a request' }).tap();
  await page.getByLabel('Template').selectOption('MCP: initialize');
  await page.getByLabel('Template').selectOption('Invocation: POST /invocations');
  await page.getByRole('button', { name: 'Send' }).tap();
  await expect(page.getByRole('region', { name: 'Response body' })).toContainText('{\n  "result": "You said: Hello!');
  await expectNoSideScroll(page);
  await expectAccessible(page);
});

test('what an agent speaks is shown, and each of it is asked in a form of its own: a chat, a message, a tool, its routes', async ({
  demo: page,
}) => {
  await toAgent(page, 'production', /web-scout.*Active/);
  await expect(page.getByText('OpenAI: 1 model, A2A: 1 skill, MCP: 2 tools')).toBeVisible();
  await page.getByRole('button', { name: 'Write a request' }).press('Enter');
  await expect(page.getByLabel('Model')).toBeFocused();
  const said = page.getByRole('region', { name: 'Response text' });
  const send = page.getByRole('button', { name: 'Send' });
  await send.click();
  await expect(page.getByText('Enter a message.')).toBeVisible();
  await page.getByLabel('Message').fill('Hi there');
  await page.getByLabel('Message').press('Control+Enter');
  await expect(said).toContainText('You said: Hi there. This agent is part of the demo.');
  await expect(page.getByLabel('Message')).toHaveValue('');
  await expect(page.getByRole('list', { name: 'Conversation so far' })).toHaveText('You: Hi there');
  await page.getByLabel('Message').fill('And now?');
  await send.click();
  await expect(said).toContainText('You said: And now?');
  await expect(page.getByRole('list', { name: 'Conversation so far' })).toContainText('Agent: You said: Hi there.');
  await expectShownAccessible(page);

  await page.getByRole('radio', { name: 'A2A' }).check();
  await expect(page.getByRole('list', { name: 'Skills' })).toContainText('Finds pages about a subject.');
  await page.getByLabel('Message').fill('Look up bees');
  await send.click();
  await expect(said).toContainText('You said: Look up bees.');
  await expectShownAccessible(page);

  await page.getByRole('radio', { name: 'MCP' }).check();
  await page.getByLabel('subject').fill('honey');
  await send.click();
  await expect(said).toContainText('You said: {"subject":"honey"}');
  await page.getByLabel('Tool').selectOption('compare');
  await page.getByLabel('Arguments as JSON').fill('{nonsense');
  await send.click();
  await expect(page.getByText('The arguments must be a JSON object.')).toBeVisible();
  await page.getByLabel('Tool').selectOption('find_pages');
  await expect(page.getByLabel('subject')).toHaveValue('honey');
  await expectShownAccessible(page);

  await page.getByRole('radio', { name: 'Request' }).check();
  await expect(page.getByLabel('Template')).toBeVisible();
  await toAgent(page);
  await page.getByRole('button', { name: 'Write a request' }).click();
  await expect(page.getByLabel('Template').locator('option:checked')).toHaveText('AgentCore: POST /invocations');
  await page.getByLabel('Template').selectOption('POST /chat');
  await send.click();
  await expect(page.getByRole('region', { name: 'Response body' })).toContainText('You said: Which orders are late?');
});

test('what opens it keeps its place under the finger while the rest of the page is on its way', async ({ touch: page }) => {
  const place = async () => (await page.getByRole('button', { name: 'Write a request' }).boundingBox())?.y;
  await toAgent(page, 'production', /web-scout.*Active/);
  await page.getByRole('button', { name: 'Write a request' }).waitFor();
  const before = await place();
  await page.getByRole('region', { name: 'Provenance' }).getByText('Digest').waitFor();
  expect(await place()).toBe(before);
});

test('on a phone each form fits', async ({ touch: page }) => {
  await toAgent(page, 'production', /web-scout.*Active/);
  await page.getByRole('button', { name: 'Write a request' }).tap();
  for (const way of ['Chat', 'A2A', 'MCP']) {
    await page.getByRole('radio', { name: way }).check();
    await expectNoSideScroll(page);
    await expectShownAccessible(page);
  }
});

async function toAgent(page: Page, environment = 'preview', name = /support-router.*Active/) {
  await open(page, `/deployments?environment=${environment}`);
  await page.getByText(/^\d+ of \d+ shown$/).waitFor();
  await page.getByRole('row', { name }).getByRole('link').first().click();
}

/** A control that is half below the page's head counts as too small. */
async function expectShownAccessible(page: Page) {
  await page.evaluate('scrollTo(0, 0)');
  await expectAccessible(page);
}
