import { defaultDataProtection } from '@paddock/contract/data-protection';
import { ApiError } from '@paddock/contract/errors';
import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { offerDemo } from '../../../api/api.ts';
import { endSession, startSession } from '../../../api/session.ts';
import { Console } from '../../../app/Console.tsx';
import { consoleQueries } from '../../../app/query-client.ts';
import { consoleRouter } from '../../../app/router.tsx';
import { demoApi } from '../../../demo/demo-api.ts';
import { createDemoWorld } from '../../../demo/demo-world.ts';

const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada Lovelace', plan: 'starter', email_verified: true };
let world = createDemoWorld();
/** Spies on the calls for governance; a test may override a response. */
let governance = demoApi(world).governance;

beforeEach(() => {
  world = createDemoWorld();
  const api = demoApi(world);
  governance = { ...api.governance };
  for (const name of Object.keys(governance)) vi.spyOn(governance, name as keyof typeof governance);
  offerDemo(() => Promise.resolve({ ...api, governance }));
  startSession({ token: 'demo-token-test', user }, false);
});
afterEach(() => {
  endSession();
  vi.restoreAllMocks();
});

async function open(path = '/settings?tab=data-protection') {
  const router = consoleRouter(createMemoryHistory({ initialEntries: [path] }));
  await render(<Console router={router} queries={consoleQueries()} />);
  return { search: () => router.state.location.searchStr };
}
const idOf = (project: string) => world.projects.find(({ name }) => name === project)?.id ?? '';
const save = page.getByRole('button', { name: 'Save changes' });

test('a rule is changed and saved with all other settings, and the project has settings of its own from then on', async () => {
  await open();
  await expect.element(page.getByText('Using the defaults')).toBeVisible();
  await expect.element(save).toBeDisabled();
  await page.getByRole('combobox', { name: 'Action for Email' }).selectOptions('Block');
  // A block needs a place: the default is what the agent receives.
  await expect.element(page.getByRole('combobox', { name: 'Where it applies for Email' })).toHaveValue('requests');
  await page.getByRole('checkbox', { name: /^Redact log lines/ }).click();
  await save.click();
  await expect.element(page.getByText('Project-specific settings')).toBeVisible();
  await expect.element(save).toBeDisabled();
  expect(governance.setDataProtection).toHaveBeenCalledExactlyOnceWith({
    ...defaultDataProtection,
    id: idOf('nightly-eval'),
    redact_logs: true,
    rules: { ...defaultDataProtection.rules, Email: { action: 'block', traffic: 'requests' } },
  });
});

test('what somebody else saved meanwhile is kept', async () => {
  await open();
  await page.getByRole('combobox', { name: 'Action for Phone' }).selectOptions('Tokenise');
  await governance.setDataProtection({ ...defaultDataProtection, id: idOf('nightly-eval'), bodies: 'none' });
  await save.click();
  await expect.element(page.getByText('Saved. Takes effect within seconds.')).toBeVisible();
  const sent = vi.mocked(governance.setDataProtection).mock.lastCall?.[0];
  expect(sent).toMatchObject({ bodies: 'none' });
  expect(sent?.rules.Phone.action).toBe('tokenise');
});

test('a share that is no percentage is not sent, and the field says what it takes', async () => {
  await open();
  await page.getByRole('radio', { name: 'Some, redacted' }).click();
  const share = page.getByRole('textbox', { name: 'Share recorded with a body, in %' });
  await share.fill('0');
  await save.click();
  await expect.element(share).toHaveAccessibleDescription('Enter a whole number from 1 to 100.');
  await expect.element(share).toHaveFocus();
  expect(governance.setDataProtection).not.toHaveBeenCalled();
  await share.fill('25');
  await save.click();
  await expect.element(page.getByText('Saved. Takes effect within seconds.')).toBeVisible();
  expect(vi.mocked(governance.setDataProtection).mock.lastCall?.[0]).toMatchObject({ bodies: 'sampled', sample_percent: 25 });
});

test('a refusal is told, keeps what was chosen, and Discard changes goes back to what is in force', async () => {
  vi.mocked(governance.setDataProtection).mockRejectedValue(new ApiError('project_not_found', { detail: 'There is no such project.' }));
  await open();
  const action = page.getByRole('combobox', { name: 'Action for SSN' });
  await action.selectOptions('Allow');
  await save.click();
  await expect.element(page.getByText('There is no such project.')).toBeVisible();
  await expect.element(action).toHaveValue('allow');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect.element(action).toHaveValue('mask');
});

test('another project is kept in the address with settings of its own', async () => {
  const { search } = await open();
  const keeps = page.getByRole('checkbox', { name: /^Keep prompts and answers/ });
  await expect.element(keeps).not.toBeChecked();
  await page.getByRole('combobox', { name: 'Project' }).selectOptions('web-scout');
  await expect.element(keeps).toBeChecked();
  expect(search()).toBe(`?tab=data-protection&project=${idOf('web-scout')}`);
});
