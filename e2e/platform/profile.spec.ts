import { Secret, TOTP } from 'otpauth';
import { apiOf } from './api.ts';
import { expect, expectAccessible, expectNoSideScroll, signedIn, test } from './console.ts';

/** The code that the authenticator app shows; with `steps` of a later half minute, for a code that was already used. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({ timestamp: Date.now() + steps * 30_000 });

signedIn('a person switches two-factor sign-in on, signs in with it, changes the password and ends a session', async ({ page, person }) => {
  const { email, password } = person;
  await page.goto('/settings');
  await expect(page.getByText('Not verified')).toBeVisible();
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByLabel('Your password').fill('wrong');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('The current password is wrong.')).toBeVisible();
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  const secret = await page.getByRole('region', { name: 'Secret for your authenticator app' }).innerText();
  await page.getByLabel('Code from the app').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Switch on' }).click();
  const listed = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(listed).toHaveCount(10);
  const codes = await listed.allInnerTexts();
  await page.getByLabel('I have stored the recovery codes').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('10 recovery codes left.')).toBeVisible();

  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('checkbox', { name: 'Remember me' }).check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  const code = page.getByLabel('Code', { exact: true });
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  await expectAccessible(page);
  // The typed text is still there.
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('E-mail')).toHaveValue(email);
  await expect(page.getByRole('checkbox', { name: 'Remember me' })).toBeChecked();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await code.fill(codeOf(secret, 9));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('The code is wrong or was already used.')).toBeVisible();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Use the authenticator app' }).click();
  await code.fill(codeOf(secret, 1));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/dashboard');
  expect(await page.evaluate(() => localStorage.getItem('paddock_token') !== null)).toBe(true);

  const another = async (word: string, recovery: string | undefined) => {
    const { token } = await apiOf().accounts.login({ email, password: word, code: recovery ?? '' });
    return apiOf(token);
  };
  const [ended, forgotten] = [await another(password, codes[1]), await another(password, codes[2])];
  await page.getByRole('link', { name: 'Settings' }).first().click();
  const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
  await expect(rows).toHaveCount(4); // and the head; the first session has ended
  await expectNoSideScroll(page);
  const { sessions } = await ended.profile.sessions();
  const ip = sessions.find(({ is_current }) => is_current)?.ip ?? '';
  await page.getByRole('button', { name: `End the session of node at ${ip}` }).click();
  await expect(rows).toHaveCount(3);
  await expect(ended.accounts.me()).rejects.toMatchObject({ code: 'not_signed_in' });

  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password', { exact: true }).fill('a better horse');
  await page.getByLabel('Confirm new password').fill('a better horse');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(rows).toHaveCount(2);
  await expect(forgotten.accounts.me()).rejects.toMatchObject({ code: 'not_signed_in' });
  await expect(page.getByLabel('Current password')).toHaveValue('');
});

test('a link to a new address that is no longer one says so, and its token leaves the address bar', async ({ page }) => {
  await page.goto('/confirm-email#token=used-long-ago');
  await expect(page).toHaveURL(/\/confirm-email$/);
  await page.getByRole('button', { name: 'Change e-mail address' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'This link was already used, has expired, or was replaced by a newer one. Request a new one.',
  );
  await expectAccessible(page);
});
