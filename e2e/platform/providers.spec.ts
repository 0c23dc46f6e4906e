import { createServer } from 'node:http';
import type { Page } from '@playwright/test';
import { Events, OAuth2Server } from 'oauth2-mock-server';
import { Secret, TOTP } from 'otpauth';
import { apiOf, newPerson, someEmail } from './api.ts';
import { expect, signedIn, test } from './console.ts';
import { place } from './place.ts';

type Claims = { sub: string; email: string; name: string; email_verified: boolean };

const key = new OAuth2Server().issuer.keys.generate('RS256');

/** A real OAuth server at the address that the platform expects. It signs everybody in as the same person until told otherwise. */
async function startProvider(port: number, claims: Claims) {
  const { issuer, service } = new OAuth2Server();
  await issuer.keys.add({ ...(await key) });
  issuer.url = `http://127.0.0.1:${port}`;
  service.on(Events.BeforeTokenSigning, ({ payload }: { payload: object }) => void Object.assign(payload, claims));
  const server = createServer(service.requestHandler);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    events: service,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
type Provider = Awaited<ReturnType<typeof startProvider>>;

const [googlePort = 0, gitlabPort = 0] = process.env.PADDOCK_E2E_PLACE ? place().identity_ports : [];
const ada: Claims = { sub: 'ada', email: someEmail(), name: 'Ada Lovelace', email_verified: true };
let google: Provider;
test.beforeAll(async () => {
  google = await startProvider(googlePort, ada);
});
test.afterAll(() => google.stop());

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const main = (page: Page) => page.getByRole('main');

test('somebody signs up with Google from the sign-in page, signs out, and signs in again to the same account', async ({ page }) => {
  await page.goto('/login');
  await press(page, 'Google');
  await page.waitForURL('**/dashboard');
  await expect(page.getByText(ada.email)).toBeVisible();
  const first = await page.evaluate(() => ({
    token: sessionStorage.getItem('paddock_token'),
    user: sessionStorage.getItem('paddock_user'),
  }));
  expect(await apiOf(first.token ?? '').accounts.me()).toMatchObject({ email: ada.email, name: 'Ada Lovelace', email_verified: true });
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('paddock_oauth')))).toEqual([]);

  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await page.getByRole('checkbox', { name: 'Remember me' }).check();
  await press(page, 'Google');
  await page.waitForURL('**/dashboard');
  const again = await page.evaluate(() => localStorage.getItem('paddock_user'));
  expect(JSON.parse(again ?? '{}')).toEqual(JSON.parse(first.user ?? '{}'));
});

test('who signs in with Google for the command line comes back to its page, and one click hands the key over', async ({ page }) => {
  let got = '';
  const tool = createServer((asked, answer) => {
    asked.setEncoding('utf8').on('data', (chunk: string) => (got += chunk));
    asked.on('end', () => answer.end('taken'));
  });
  await new Promise<void>((resolve) => tool.listen(0, '127.0.0.1', resolve));
  const { port } = tool.address() as { port: number };
  try {
    await page.goto(`/login?${new URLSearchParams({ cli: 'true', callback: `http://127.0.0.1:${port}/callback?state=x` })}`);
    await press(page, 'Google');
    await press(page, 'Authorize the command line');
    await expect(page.getByText('taken')).toBeVisible();
    expect(new URLSearchParams(got).get('api_key')).toMatch(/^pk_live_/);
  } finally {
    tool.close();
    tool.closeAllConnections();
  }
});

test('a refusal at the provider is told, and leads back to the sign-in as it was opened after 3 seconds', async ({ page }) => {
  google.events.once(Events.BeforeAuthorizeRedirect, ({ url }: { url: URL }) => {
    url.searchParams.delete('code');
    url.searchParams.set('error', 'access_denied');
  });
  const forTheTool = '/login?cli=true&callback=http%3A%2F%2F127.0.0.1%3A49152%2Fcallback';
  await page.goto(forTheTool);
  await press(page, 'Google');
  await expect(page.getByRole('heading', { name: 'Authentication Failed' })).toBeVisible();
  const shown = Date.now();
  await expect(page.getByRole('alert')).toHaveText('OAuth failed: access_denied');
  await page.waitForURL((url) => url.pathname + url.search === forTheTool);
  expect(Date.now() - shown).toBeGreaterThan(2000);
});

test('an answer that this browser did not ask for is refused, and its code does not stay in the address', async ({ page }) => {
  const cases: [string, string][] = [
    ['/auth/callback', 'Missing OAuth parameters'],
    ['/auth/callback/google?code=1e5&state=12', 'Invalid OAuth state (CSRF protection)'],
    ['/auth/callback?provider=google&code=a&state=b', 'Invalid OAuth state (CSRF protection)'],
    ['/auth/callback/evil?code=a&state=b', 'Unknown OAuth provider'],
    ['/auth/callback/google?error=%3Cimg%20src%3Dx%3E', 'OAuth failed: <img src=x>'],
  ];
  for (const [path, message] of cases) {
    await page.goto(path);
    await expect(page.getByRole('alert'), path).toHaveText(message);
    expect(new URL(page.url()).search, path).toBe('');
    expect(await page.evaluate(() => document.querySelectorAll('main img').length)).toBe(0);
  }
});

test('one that is not configured says how to configure it; one that is away says that', async ({ page, tolerated }) => {
  tolerated.push(/status of 502/);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Slack' }).click();
  await expect(main(page).getByRole('status')).toContainText('PADDOCK_OAUTH_SLACK_CLIENT_ID and PADDOCK_OAUTH_SLACK_CLIENT_SECRET');
  await press(page, 'GitLab'); // nothing listens there
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveText(
    'GitLab is not responding correctly. Try again in a moment, or sign in another way.',
  );
  await expect(page).toHaveURL(/\/login$/);
});

test('an address that has an account is not handed to whoever signs in with it elsewhere', async ({ page }) => {
  const owner = await newPerson();
  const gitlab = await startProvider(gitlabPort, { sub: 'eve', email: owner.email, name: 'Eve', email_verified: true });
  await page.goto('/login');
  await press(page, 'GitLab');
  await expect(page.getByRole('heading', { name: 'Authentication Failed' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveText(
    'An account with this e-mail address already exists. Sign in with its password first, then link GitLab in the settings.',
  );
  gitlab.stop();
});

signedIn('somebody links GitLab in the settings, signs in by it, and unlinks it', async ({ page, person }) => {
  const gitlab = await startProvider(gitlabPort, { sub: 'linked', email: someEmail(), name: 'Ada at GitLab', email_verified: false });
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Link GitLab' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link GitLab' });
  for (const [password, shown] of [
    ['wrong horse', dialog.getByText('The current password is wrong.')],
    [person.password, page.getByText('GitLab linked')],
  ] as const) {
    await dialog.getByLabel('Your password').fill(password);
    await dialog.getByRole('button', { name: 'Continue to GitLab' }).click();
    await expect(shown).toBeVisible();
  }
  await expect(page).toHaveURL(/\/settings$/);
  await expect(page.getByRole('button', { name: 'Unlink GitLab' })).toBeVisible();

  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await press(page, 'GitLab');
  await page.waitForURL('**/dashboard');
  await expect(page.getByText(person.email)).toBeVisible();
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Unlink GitLab' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink GitLab' }).click();
  await expect(page.getByRole('button', { name: 'Link GitLab' })).toBeVisible();
  gitlab.stop();
});

test('an account with two-factor sign-in is asked for its code after the provider', async ({ page }) => {
  const gitlab = await startProvider(gitlabPort, { sub: 'protected', email: someEmail(), name: 'Ada', email_verified: true });
  await page.goto('/login');
  await press(page, 'GitLab');
  await page.waitForURL('**/dashboard');
  const api = apiOf((await page.evaluate(() => sessionStorage.getItem('paddock_token'))) ?? '');
  const { secret } = await api.twoFactor.setUp({});
  const { recovery_codes } = await api.twoFactor.confirm({ code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() });
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');

  await press(page, 'GitLab');
  await expect(page.getByRole('heading', { name: 'Two-factor sign-in' })).toBeVisible();
  await page.getByLabel('Code').fill('not-a-code');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toHaveText('The code is wrong or was already used.');
  await page.getByLabel('Code').fill(recovery_codes[0] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/dashboard');
  gitlab.stop();
});
