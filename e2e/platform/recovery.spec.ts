import { apiOf, someEmail } from './api.ts';
import { expect, test } from './console.ts';
import { linkOf } from './mail.ts';

test('a forgotten password is set by a mailed link whose token is in no request line, Referer or address bar', async ({ page }) => {
  const seen: string[] = [];
  page.on('request', (request) => void seen.push(request.url(), request.headers().referer ?? ''));
  const email = someEmail();
  await apiOf().accounts.signup({ email, password: 'correct horse', name: 'Ada Lovelace' });
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByLabel('E-mail').fill('demo@paddock.dev');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('The demo account does not need a link.')).toBeVisible();
  await page.getByLabel('E-mail').fill(email.toUpperCase());
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();

  const link = await linkOf(email, 'Set a new password');
  await page.goto(link);
  await expect(page).toHaveURL(/\/reset-password$/);
  const [word, again, set] = [
    page.getByLabel('New password'),
    page.getByLabel('Confirm password'),
    page.getByRole('button', { name: 'Set new password' }),
  ];
  await word.fill('paddock2026');
  await again.fill('paddock2026');
  await set.click();
  await expect(page.getByText("Password cannot be made of the product's name.").first()).toBeVisible();
  await word.fill('a quite new password');
  await again.fill('something else');
  await set.click();
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await again.fill('a quite new password');
  await set.click();
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('a quite new password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/dashboard');

  // Second use: the person is signed in, the link is used up, and the session remains.
  await page.goto(link);
  await word.fill('a third password');
  await again.fill('a third password');
  await set.click();
  await expect(page.getByRole('alert')).toHaveText(
    'This link was already used, has expired, or was replaced by a newer one. Request a new one.',
  );
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  const token = link.split('token=')[1]!;
  expect(seen.filter((text) => text.includes(token))).toEqual([]);
});

test('a new account is verified by a mailed link after a click, also for who is signed in', async ({ page }) => {
  const email = someEmail();
  await apiOf().accounts.signup({ email, password: 'correct horse', name: 'Ada Lovelace' });
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/dashboard');
  const shown = () => page.evaluate<{ email_verified: boolean }>("JSON.parse(sessionStorage.getItem('paddock_user'))");
  expect((await shown()).email_verified).toBe(false);

  const link = await linkOf(email, 'Verify your e-mail address');
  await page.goto(link);
  await expect(page).toHaveURL(/\/verify-email$/);
  await page.getByRole('button', { name: 'Verify e-mail address' }).click();
  await expect(page.getByText(`${email} is verified.`)).toBeVisible();
  expect((await shown()).email_verified).toBe(true);
  await page.getByRole('link', { name: 'Open dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  expect((await shown()).email_verified).toBe(true);

  await page.goto(link);
  await page.getByRole('button', { name: 'Verify e-mail address' }).click();
  await expect(page.getByRole('alert')).toContainText('This link was already used');
});

test('the terms and the privacy policy open from the sign-in and beside the sign-up', async ({ page, context }) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page.getByRole('heading', { name: 'No warranty' })).toBeVisible();
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Ada');
  const opened = context.waitForEvent('page');
  await page.getByRole('main').getByRole('link', { name: 'Privacy Policy' }).click();
  await expect((await opened).getByRole('heading', { name: 'In your browser' })).toBeVisible();
  await expect(page.getByLabel('Full name')).toHaveValue('Ada');
  await expect(page.getByRole('checkbox')).not.toBeChecked();
});
