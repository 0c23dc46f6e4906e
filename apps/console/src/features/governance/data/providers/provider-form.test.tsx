import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { offerDemo } from '../../../../api/api.ts';
import { endSession, startSession } from '../../../../api/session.ts';
import { Console } from '../../../../app/Console.tsx';
import { consoleQueries } from '../../../../app/query-client.ts';
import { consoleRouter } from '../../../../app/router.tsx';
import { demoApi } from '../../../../demo/demo-api.ts';
import { createDemoWorld } from '../../../../demo/demo-world.ts';

const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada Lovelace', plan: 'starter', email_verified: true };
let modelProviders = demoApi().modelProviders;

beforeEach(() => {
  const api = demoApi(createDemoWorld());
  modelProviders = { ...api.modelProviders };
  vi.spyOn(modelProviders, 'set');
  offerDemo(() => Promise.resolve({ ...api, modelProviders }));
  startSession({ token: 'demo-token-test', user }, false);
});
afterEach(() => {
  endSession();
  vi.restoreAllMocks();
});

test('a provider is added with the agreement that somebody chose, and with none that nobody chose', async () => {
  const router = consoleRouter(createMemoryHistory({ initialEntries: ['/governance?tab=data-governance'] }));
  await render(<Console router={router} queries={consoleQueries()} />);
  await page.getByRole('button', { name: 'Add mistral_ai' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add provider' }).click();
  await expect.element(dialog.getByText('Choose the agreement that you have, or None.')).toBeVisible();
  expect(modelProviders.set).not.toHaveBeenCalled();
  await dialog.getByLabelText('Agreement').selectOptions('none');
  await dialog.getByRole('button', { name: 'Add provider' }).click();
  await expect
    .poll(() => vi.mocked(modelProviders.set).mock.lastCall?.[0].providers.at(-1))
    .toMatchObject({ provider: 'mistral_ai', agreement: 'none' });
});
