import { ApiError } from '@paddock/contract/errors';
import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { offerDemo } from '../../../api/api.ts';
import { endSession, startSession } from '../../../api/session.ts';
import { Console } from '../../../app/Console.tsx';
import { consoleQueries } from '../../../app/query-client.ts';
import { consoleRouter } from '../../../app/router.tsx';
import { demoApi } from '../../../demo/demo-api.ts';
import { createDemoWorld } from '../../../demo/demo-world.ts';

const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada Lovelace', plan: 'starter', email_verified: true };
const refused = 'The address 10.0.0.7 is refused. It is a private address.';
let world = createDemoWorld();
/** Spies on the calls for channels; a test may override a response. */
let channels = demoApi(world).channels;

beforeEach(() => {
  world = createDemoWorld();
  const api = demoApi(world);
  channels = { ...api.channels };
  for (const name of Object.keys(channels)) vi.spyOn(channels, name as keyof typeof channels);
  offerDemo(() => Promise.resolve({ ...api, channels }));
  startSession({ token: 'demo-token-test', user }, false);
});
afterEach(() => {
  endSession();
  vi.restoreAllMocks();
});

async function open(path = '/settings?tab=alerts') {
  const router = consoleRouter(createMemoryHistory({ initialEntries: [path] }));
  const queries = consoleQueries();
  await render(<Console router={router} queries={queries} />);
  return { queries, where: () => router.state.location.href };
}
const card = (name: string) => page.getByRole('listitem', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const notices = () => page.getByRole('region', { name: 'Notifications' });
async function choose(name: string, item: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}
/** Two presses in one frame. */
const pressTwice = (button: Locator) => {
  (button.element() as HTMLElement).click();
  (button.element() as HTMLElement).click();
};
async function fillIn({ name, url }: { name: string; url: string }) {
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Address' }).fill(url);
}

test('a new channel shows its signing secret once, and afterwards the secret is on no page and in no cache', async () => {
  const { queries, where } = await open();
  await page.getByRole('button', { name: 'New channel' }).click();
  expect(where()).toBe('/settings?tab=alerts&action=new');
  await fillIn({ name: 'Deploy bot', url: 'https://bot.example.com/hooks' });
  await page.getByRole('checkbox', { name: 'An alert opens' }).click();
  const create = page.getByRole('button', { name: 'Create channel' });
  pressTwice(create);
  const reveal = dialog('Channel created');
  const shown = reveal.getByLabelText('Signing secret');
  await expect.poll(() => shown.query()?.textContent).toMatch(/^whsec_demo/);
  const secret = shown.element().textContent ?? '';
  expect(channels.create).toHaveBeenCalledTimes(1);
  await page.getByRole('button', { name: 'Close' }).click();
  const question = page.getByRole('alertdialog', { name: 'Have you stored the secret?' });
  await expect.element(question).toBeVisible();
  await question.getByRole('button', { name: 'I have stored it' }).click();
  await expect.element(reveal).not.toBeInTheDocument();
  await expect.element(card('Deploy bot').getByText(/^An alert is resolved, A deployment is active/)).toBeVisible();
  expect(
    card('Deploy bot')
      .getByText(/An alert opens/)
      .query(),
  ).toBeNull();
  const kept = JSON.stringify([queries.getQueryCache().getAll(), queries.getMutationCache().getAll()].flat().map(({ state }) => state));
  expect(kept).toContain('Deploy bot');
  expect(kept).not.toContain(secret);
  expect(document.documentElement.outerHTML).not.toContain(secret);
});

test('an address that the server refuses is told at its field, and what was typed stays', async () => {
  vi.mocked(channels.create).mockRejectedValue(
    new ApiError('channel_address_refused', { detail: refused, errors: [{ path: 'url', message: refused }] }),
  );
  await open('/settings?tab=alerts&action=new');
  await fillIn({ name: 'Inside', url: 'http://10.0.0.7/hooks' });
  await page.getByRole('button', { name: 'Create channel' }).click();
  const address = page.getByRole('textbox', { name: 'Address' });
  await expect.element(address).toHaveAccessibleDescription(expect.stringContaining(refused));
  await expect.element(address).toHaveAttribute('aria-invalid', 'true');
  await expect.element(address).toHaveValue('http://10.0.0.7/hooks');
  expect(
    dialog('New channel')
      .getByRole('alert')
      .getByText(/refused/)
      .query(),
  ).toBeNull();
});

test('a channel cannot be created without any event', async () => {
  await open('/settings?tab=alerts&action=new');
  await fillIn({ name: 'Quiet', url: 'https://quiet.example.com' });
  const create = page.getByRole('button', { name: 'Create channel' });
  await expect.element(create).toBeEnabled();
  for (const box of page.getByRole('checkbox').all()) await box.click();
  await expect.element(page.getByText(/^Choose at least one event/)).toBeVisible();
  await expect.element(create).toBeDisabled();
});

test('a test tells that it was delivered, with the answer as text, and two presses send one', async () => {
  vi.mocked(channels.test).mockResolvedValue({ is_delivered: true, status: 202, duration_ms: 1234, answer: '<b>thanks</b>', error: null });
  await open();
  const send = page.getByRole('button', { name: 'Send a test to Release pipeline' });
  await expect.element(send).toBeVisible();
  pressTwice(send);
  const outcome = card('Release pipeline').getByRole('status');
  await expect.element(outcome.getByText('Test delivered')).toBeVisible();
  await expect.element(outcome.getByText('Status 202, after 1,234 ms')).toBeVisible();
  await expect.element(outcome.getByText('<b>thanks</b>')).toBeVisible();
  expect(channels.test).toHaveBeenCalledTimes(1);
});

test('a test that does not arrive says why, and that nothing answered', async () => {
  await open();
  await page.getByRole('button', { name: 'Send a test to Incident board' }).click();
  const outcome = card('Incident board').getByRole('status');
  await expect.element(outcome.getByText('Test not delivered')).toBeVisible();
  await expect.element(outcome.getByText('It did not answer in time.')).toBeVisible();
  await expect.element(outcome.getByText('No answer, after 10,000 ms')).toBeVisible();
});

test('a test that was refused is no outcome: the reason stands in the channel', async () => {
  vi.mocked(channels.test).mockRejectedValue(new ApiError('too_many_requests', { detail: 'Too many requests. Wait 40 seconds.' }));
  await open();
  await page.getByRole('button', { name: 'Send a test to Release pipeline' }).click();
  await expect
    .element(
      card('Release pipeline')
        .getByRole('alert')
        .getByText(/Wait 40 seconds/),
    )
    .toBeVisible();
});

test('the list tells what is on, failing, and off with its reason; a channel is switched on again', async () => {
  await open();
  await expect.element(card('Release pipeline').getByText('On', { exact: true })).toBeVisible();
  const board = card('Incident board');
  await expect.element(board.getByText('Failing', { exact: true })).toBeVisible();
  await expect.element(board.getByText('It did not answer in time.')).toBeVisible();
  const old = card('Old status page');
  await expect.element(old.getByText('Off', { exact: true }).first()).toBeVisible();
  await expect.element(old.getByText(/^Switched off by Paddock: It answered 410/)).toBeVisible();
  pressTwice(page.getByRole('button', { name: 'Switch on Old status page' }));
  await expect.element(page.getByRole('button', { name: 'Switch off Old status page' })).toBeVisible();
  expect(old.getByText(/^Switched off by Paddock/).query()).toBeNull();
  expect(channels.update).toHaveBeenCalledTimes(1);
});

test('deliveries are shown page by page, and one that failed is sent again, once', async () => {
  const [release] = world.channels;
  const [sample] = release?.deliveries ?? [];
  if (!release || !sample) throw new Error('The demo has no deliveries.');
  const failed = {
    ...sample,
    event: 'alert.opened',
    status: 'failed',
    attempts: 7,
    delivered_at: null,
    error: 'It answered 500.',
  } as const;
  release.deliveries = [failed, { ...sample, id: 'dlv_2' }, { ...sample, id: 'dlv_3' }];
  const { deliveries } = demoApi(world).channels;
  vi.mocked(channels.deliveries).mockImplementation((given) => deliveries({ ...given, limit: 2 }));
  await open();
  await page.getByRole('button', { name: 'Deliveries of Release pipeline' }).click();
  const drawer = dialog('Deliveries of Release pipeline');
  const rows = drawer.getByRole('listitem');
  await vi.waitFor(() => expect(rows.all()).toHaveLength(2));
  await drawer.getByRole('button', { name: 'Load more' }).click();
  await vi.waitFor(() => expect(rows.all()).toHaveLength(3));
  await expect.element(rows.first().getByText('It answered 500.')).toBeVisible();
  await expect.element(rows.first().getByText(/7 attempts/)).toBeVisible();
  const retry = drawer.getByRole('button', { name: /^Retry/ });
  expect(retry.all()).toHaveLength(1);
  pressTwice(retry);
  await expect.element(rows.first().getByText('Delivered', { exact: true })).toBeVisible();
  expect(retry.query()).toBeNull();
  expect(channels.retry).toHaveBeenCalledTimes(1);
});

test('what a channel that is off did not deliver cannot be sent again, and the drawer says so', async () => {
  await open();
  await page.getByRole('button', { name: 'Deliveries of Old status page' }).click();
  const drawer = dialog('Deliveries of Old status page');
  await expect.element(drawer.getByText('Failed', { exact: true })).toBeVisible();
  await expect.element(drawer.getByText(/^The channel is off/)).toBeVisible();
  expect(drawer.getByRole('button', { name: /^Retry/ }).query()).toBeNull();
});

test('the address of a Slack channel stays unless another one is typed', async () => {
  await open();
  await expect.element(card('#agents').getByText('https://hooks.slack.com/…x4Qz')).toBeVisible();
  await choose('#agents', 'Edit');
  await expect.element(page.getByRole('textbox', { name: 'Address' })).toHaveValue('');
  await expect.element(page.getByText('Leave empty to keep https://hooks.slack.com/…x4Qz.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('#alerts');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect.element(card('#alerts')).toBeVisible();
  const { id } = world.channels.find(({ channel }) => channel.name === '#alerts')?.channel ?? {};
  expect(vi.mocked(channels.update).mock.calls.map(([given]) => given)).toEqual([{ id, name: '#alerts' }]);
});

test('a secret is replaced after a question, and the new one is shown once; Slack has none', async () => {
  await open();
  await page.getByRole('button', { name: 'Actions for #agents' }).click();
  await expect.element(page.getByRole('menuitem', { name: 'Edit' })).toBeVisible();
  expect(page.getByRole('menuitem', { name: 'Rotate secret' }).query()).toBeNull();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await choose('Release pipeline', 'Rotate secret');
  const question = page.getByRole('alertdialog', { name: 'Rotate the secret of Release pipeline?' });
  await expect.element(question.getByText(/For 24 hours, each message is signed with both/)).toBeVisible();
  await question.getByRole('button', { name: 'Rotate secret' }).click();
  const reveal = dialog('Secret rotated');
  await expect.poll(() => reveal.getByLabelText('Signing secret').query()?.textContent).toMatch(/^whsec_demo/);
  await reveal.getByRole('button', { name: 'I have stored it' }).click();
  await expect.element(reveal).not.toBeInTheDocument();
  expect(document.documentElement.outerHTML).not.toContain('whsec_');
});

test('a channel is deleted after a question', async () => {
  await open();
  await choose('Old status page', 'Delete');
  await page.getByRole('button', { name: 'Delete channel' }).click();
  await expect.element(notices().getByText('Channel deleted')).toBeVisible();
  await expect.element(card('Old status page')).not.toBeInTheDocument();
  await expect.element(card('Release pipeline')).toBeVisible();
});

test('without a channel the tab says what channels are for, and leads to the guide', async () => {
  world.channels.length = 0;
  await open();
  await expect.element(page.getByText(/^No channels yet/)).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Guide to webhooks and Slack' })).toHaveAttribute('href', '/docs/webhooks');
  await page.getByRole('button', { name: 'New channel' }).click();
  await expect.element(dialog('New channel')).toBeVisible();
});

test('a list that cannot be loaded is no empty list, and is asked for again', async () => {
  const { list } = demoApi(world).channels;
  // This failure is not retried automatically.
  vi.mocked(channels.list).mockRejectedValue(new ApiError('session_needed', { detail: 'Not for you.' }));
  await open();
  await expect.element(page.getByRole('alert').getByText('Failed to load channels: Not for you.')).toBeVisible();
  expect(page.getByText(/^No channels yet/).query()).toBeNull();
  vi.mocked(channels.list).mockImplementation(list);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(card('Release pipeline')).toBeVisible();
});
