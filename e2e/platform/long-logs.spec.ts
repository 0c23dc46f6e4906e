import { printingAgent } from './agents.ts';
import { ask, deploy, newProject, reaches, served } from './api.ts';
import { expect, logLines, signedIn as test } from './console.ts';

test('in a log of more than 5,500 lines the one error far back is counted, found and linked, and live lines are filtered by the same rule', async ({
  page,
  person,
}) => {
  const { id, url } = await newProject(person, 'long-log');
  const made = await deploy(person, id, printingAgent);
  await reaches(person, made.id, 'active');
  await served(url);
  const print = async (lines: readonly string[]) => expect((await ask(url, '/', JSON.stringify(lines))).text).toBe('printed');
  await print(['ERROR: the Needle of this log']);
  for (let n = 0; n < 5_500; n += 500) await print(Array.from({ length: 500 }, (_, k) => `tick ${n + k + 1}`));
  await expect.poll(async () => (await person.api.logs.counts({ id: made.id })).total).toBeGreaterThan(5_500);

  await page.goto(`/deployments/${made.id}`);
  const lines = logLines(page);
  const levels = page.getByRole('group', { name: 'Levels' });
  const found = page.getByRole('search').getByRole('status');
  await expect(lines.getByText('tick 5500', { exact: true })).toBeVisible();
  await expect(levels.getByRole('button', { name: 'Error 1', exact: true })).toBeVisible();
  await expect(levels.getByRole('button', { name: /^Info 5,5\d\d$/ })).toBeVisible();

  const searched = async (words: string, count: string | RegExp) => {
    await page.getByRole('searchbox', { name: 'Search the log' }).fill(words);
    await expect(found).toHaveText(count);
  };
  await searched('NEEDLE', '1');
  await expect(lines.locator('[data-line]')).toHaveCount(1);
  await expect(lines.locator('mark')).toHaveText('Needle');
  await expect(page).toHaveURL(/\?search=NEEDLE$/);
  await print(['another NEEDLE', 'and a line without']);
  await expect(found).toHaveText('2');
  await expect(lines.locator('[data-line]')).toHaveCount(2);
  await page.reload();
  await expect(found).toHaveText('2');
  await levels.getByRole('button', { name: 'Error 1', exact: true }).click();
  await expect(found).toHaveText('1');
  await expect(page).toHaveURL(/\?search=NEEDLE&level=error$/);

  await lines.locator('[data-line]').click();
  await page.getByRole('button', { name: 'Show lines around it' }).click();
  await expect(lines.getByText('tick 1', { exact: true })).toBeVisible();
  await expect(lines.locator('mark')).toHaveCount(0);

  await searched('tick', /5,500$/);
  await searched('nobody says this', 'None');
  await expect(lines.getByText(/^None of the 5,5\d\d lines of this log contains “nobody says this”\.$/)).toBeVisible();
});
