import { newProject, someName } from './api.ts';
import { expect, signedIn as test } from './console.ts';

test('a project is created by the rules, with each message to the letter', async ({ page, person }) => {
  const { name: taken } = await newProject(person);
  await page.goto('/projects');
  await page.getByRole('button', { name: 'New Project' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Project' });
  const name = dialog.getByLabel('Name');
  const create = dialog.getByRole('button', { name: 'Create project' });
  await create.click();
  await expect(dialog.getByText('Project name cannot be empty', { exact: true })).toBeVisible();
  await expect(name).toBeFocused();
  await name.pressSequentially(' My Ägent_1! ');
  await expect(name).toHaveValue('mygent1');
  for (const edge of ['-agent', 'agent-']) {
    await name.fill(edge);
    await create.click();
    await expect(dialog.getByText('Project name cannot start or end with a hyphen', { exact: true })).toBeVisible();
  }
  await name.fill('my--agent');
  await create.click();
  await expect(dialog.getByText('Project name cannot have consecutive hyphens', { exact: true })).toBeVisible();
  await name.fill(taken);
  await create.click();
  await expect(dialog.getByText('You already have a project with this name.')).toBeVisible();

  const wanted = someName('tickets');
  await name.fill(wanted);
  await dialog.getByLabel('Description').fill('Sorts tickets');
  await name.press('Enter');
  await expect(dialog).toHaveCount(0);
  const card = page.getByRole('article', { name: wanted });
  await expect(card.getByText('Sorts tickets')).toBeVisible();
  await expect(card.getByText('0 deployments')).toBeVisible();
  await expect(card.getByText('Created')).toBeVisible();
});

test('a project is renamed, and deleted only when its name is typed', async ({ page, person }) => {
  const { name, id } = await newProject(person);
  await page.goto('/projects');
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Edit project' }).click();
  const renamed = someName('renamed');
  await page.getByRole('dialog').getByLabel('Name').fill(renamed);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('article', { name: renamed })).toBeVisible();
  expect((await person.api.projects.get({ id })).name).toBe(renamed);

  await page.getByRole('button', { name: `Actions for ${renamed}` }).click();
  await page.getByRole('menuitem', { name: 'Delete project' }).click();
  const confirm = page.getByRole('alertdialog', { name: `Delete project ${renamed}?` });
  const remove = confirm.getByRole('button', { name: 'Delete project' });
  await expect(remove).toBeDisabled();
  await confirm.getByRole('textbox').fill(name);
  await expect(remove).toBeDisabled();
  await confirm.getByRole('textbox').fill(renamed);
  await remove.click();
  await expect(page.getByText('No projects yet.')).toBeVisible();
  await expect(person.api.projects.get({ id })).rejects.toMatchObject({ code: 'project_not_found' });
});

test('the links of a card lead to its deployments, to deploying into it, and to its variables', async ({ page, person }) => {
  const { name, id } = await newProject(person);
  await page.goto('/projects');
  await page.getByRole('link', { name: `View Deployments of ${name}` }).click();
  await expect(page).toHaveURL(`/deployments?project=${id}`);
  await page.goBack();
  await page.getByRole('link', { name: `Deploy to ${name}` }).click();
  await expect(page).toHaveURL(`/deployments?project=${id}&action=deploy`);
  await expect(page.getByRole('dialog', { name: 'Deploy agent' }).getByLabel('Project', { exact: true })).toHaveValue(id);
  await page.goto('/projects');
  await page.getByRole('link', { name: `Variables of ${name}` }).click();
  await expect(page).toHaveURL(`/projects/${id}/variables`);
});

test('a list that cannot be loaded says so instead of looking empty, and is there again after Retry', async ({
  page,
  person,
  tolerated,
}) => {
  tolerated.push(/net::ERR_FAILED/);
  const { name } = await newProject(person);
  await page.route('**/api/v1/projects*', (route) => route.abort());
  await page.goto('/projects');
  const retry = page.getByRole('button', { name: 'Retry' });
  await retry.waitFor();
  await expect(page.getByText('No projects yet.')).toHaveCount(0);
  await page.unroute('**/api/v1/projects*');
  await retry.click();
  await expect(page.getByRole('article', { name })).toBeVisible();
});
