import { expect, open, test } from './console.ts';
import { json, problem, project, signedIn } from './scripted.ts';
import { storedZip } from './stored-zip.ts';

const archive = (name: string) => ({ name, mimeType: 'application/zip', buffer: storedZip({ 'main.py': 'x' }) });

test('the command of curl names the project that it deploys to, and a new project in the form is no project that is there', async ({
  demo: page,
}) => {
  await open(page, '/dashboard');
  await page.getByText('With curl alone').click();
  await expect(page.getByText(/curl -sS .*-F project_name=my-first-agent -F code=@agent\.zip/)).toBeVisible();
  await expect(page.getByText(/Deploys to the project my-first-agent, which is created if it does not exist/)).toBeVisible();
  await open(page, '/deployments?action=deploy');
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(archive('web-scout.zip'));
  await dialog.getByLabel('Project', { exact: true }).selectOption({ label: 'New project' });
  await expect(dialog.getByText('You already have a project with this name. Select it above, or enter another name.')).toBeVisible();
  await dialog.getByLabel('Name of the new project').fill('web-scout-2');
  await dialog.getByRole('button', { name: 'Deploy agent' }).click();
  await page.waitForURL('**/deployments/dep_*');
  await expect(page.getByRole('heading', { name: 'web-scout-2', level: 1 })).toBeVisible();
});

test('a first deployment that is refused makes no project before it', async ({ page, site }) => {
  const made: string[] = [];
  const sent: string[] = [];
  await signedIn(
    page,
    { address: `${site.url}/deployments?action=deploy` },
    {
      'GET /projects': json({ projects: [project], next_cursor: null }),
      'POST /projects': (route) => {
        made.push(route.request().url());
        return json(project)(route);
      },
      'POST /deployments': (route) => {
        sent.push(route.request().postDataBuffer()?.toString('latin1') ?? '');
        return problem(402, 'plan_limit_reached', 'Your Starter plan allows 1 project, and your team has 1.')(route);
      },
    },
  );
  const dialog = page.getByRole('dialog', { name: 'Deploy agent' });
  await dialog.locator('input[type=file]').setInputFiles(archive('another.zip'));
  await dialog.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'New project' });
  await dialog.getByRole('button', { name: 'Deploy agent' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Your Starter plan allows 1 project, and your team has 1.');
  expect(made).toEqual([]);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatch(/name="project_name"\r\n\r\nanother\r\n/);
});
