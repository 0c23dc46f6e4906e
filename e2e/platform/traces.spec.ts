import { tracedAgent } from './agents.ts';
import { ask, deploy, newProject, reaches, served } from './api.ts';
import { expect, logLines, signedIn as test } from './console.ts';

test('a request shows as a trace with the call of a model that the agent sent, what it cost, and its log line', async ({
  page,
  person,
}) => {
  const { id, url } = await newProject(person, 'traced');
  const made = await deploy(person, id, tracedAgent);
  await reaches(person, made.id, 'active');
  await served(url);
  expect((await ask(url, '/chat', 'hello')).text).toBe('done');

  await page.goto(`/deployments/${made.id}?tab=traces&find=chat`);
  const row = page.getByRole('row', { name: /POST \/chat/ });
  await expect(async () => {
    await page.reload();
    await expect(row.getByText('1K in, 100 out')).toBeVisible();
  }).toPass();
  // 1,000 tokens for $0.25 a million, and 100 for $2: $0.00045.
  await expect(row.getByText('< $0.01')).toBeVisible();
  await row.getByRole('link', { name: 'POST /chat' }).click();
  const grid = page.getByRole('treegrid', { name: 'Spans' });
  await expect(grid.getByRole('row', { name: /Request POST \/chat/ })).toHaveAttribute('aria-level', '1');
  const call = grid.getByRole('row', { name: /Model chat gpt-5-mini/ });
  await expect(call).toHaveAttribute('aria-level', '2');
  await call.click();
  const details = page.getByRole('dialog', { name: 'chat gpt-5-mini' });
  await expect(details.getByText('$0.00045')).toBeVisible();
  await expect(details.getByText('Prompts and answers are not stored: 1 attribute')).toBeVisible();
  await expect(details.getByText('the secret of a prompt')).toHaveCount(0);
  await page.keyboard.press('Escape');

  const trace = new URL(page.url()).searchParams.get('trace') ?? '';
  await page.getByRole('link', { name: 'Log lines of this trace' }).click();
  await expect(logLines(page).getByText('the platform answered 200')).toBeInViewport();
  await logLines(page).getByRole('link', { name: trace }).click();
  await expect(grid).toBeVisible();
});
