import type { Page } from '@playwright/test';
import { apiOf, newPerson, newProject, type Person, someEmail } from './api.ts';
import { expect, signedIn, test } from './console.ts';
import { mailTo } from './mail.ts';

const password = 'correct horse';

test.describe('signing up', () => {
  test('tells what is missing in the words of the product, and returns to the sign-in after 3 seconds', async ({ page }) => {
    await page.goto('/signup');
    const create = page.getByRole('button', { name: 'Create account' });
    await page.getByLabel('Full name').fill('Ada Lovelace');
    const email = page.getByLabel('E-mail');
    await email.fill('ada at example.com');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByLabel('Confirm password').fill('other');
    await create.click();
    expect(await email.evaluate((input: HTMLInputElement) => input.validity.typeMismatch)).toBe(true);
    await email.fill(someEmail());
    await create.click();
    await expect(page.getByText('Password must be at least 8 characters', { exact: true })).toBeVisible();
    await expect(page.getByText('Passwords do not match', { exact: true })).toBeVisible();
    await expect(page.getByText('You must accept the Terms of Service', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();

    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByLabel('Confirm password').fill(password);
    await page.getByRole('checkbox').check();
    await create.click();
    await expect(page.getByRole('heading', { name: 'Account Created!' })).toBeVisible();
    const shown = Date.now();
    expect(await page.getByRole('main').innerText()).toMatch(
      /^Account Created!\s+A verification e-mail was sent to .+\. Open the link .+\s+You will return to sign-in in 3 seconds/,
    );
    await page.waitForURL('**/login');
    expect(Date.now() - shown).toBeGreaterThan(2000);
  });

  test('an address that has an account looks like any other, and a password that is guessed first is refused', async ({ page }) => {
    const email = someEmail();
    await apiOf().accounts.signup({ email, password, name: 'Ada' });
    await page.goto('/signup');
    await page.getByLabel('Full name').fill('Ada');
    await page.getByLabel('E-mail').fill(email.toUpperCase());
    for (const word of ['iloveyou', password]) {
      await page.getByLabel('Password', { exact: true }).fill(word);
      await page.getByLabel('Confirm password').fill(word);
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Create account' }).click();
      if (word !== password) await expect(page.getByText('This password is among the most common ones').first()).toBeVisible();
    }
    await expect(page.getByRole('heading', { name: 'Account Created!' })).toBeVisible();
    expect(await mailTo(email, 'You have an account already')).toContain('nothing was created');
  });
});

test.describe('signing in', () => {
  let person: Person;
  test.beforeAll(async () => {
    person = await newPerson();
  });

  test('a wrong password and an unknown address get the same banner', async ({ page }) => {
    await page.goto('/login');
    for (const email of [person.email, someEmail()]) {
      await fill(page, email, 'wrong horse');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByRole('alert')).toHaveText('The e-mail address or the password is wrong.');
      await expect(page.getByLabel('E-mail')).toHaveValue(email);
    }
    await expect(page).toHaveURL(/\/login$/);
  });

  test('without an answer of the server the banner names the demo account', async ({ page, tolerated }) => {
    tolerated.push(/net::ERR_FAILED/);
    await page.route('**/api/v1/auth/login', (route) => route.abort());
    await page.goto('/login');
    await fill(page, person.email, person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toHaveText('Login failed. Try demo account: demo@paddock.dev / paddock-demo');
  });

  test('says so while it is under way, and cannot be sent twice', async ({ page }) => {
    let sent = 0;
    let go: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (go = resolve));
    await page.route('**/api/v1/auth/login', async (route) => {
      sent += 1;
      await until;
      await route.continue();
    });
    await page.goto('/login');
    await fill(page, person.email, person.password);
    await page.getByLabel('Password').press('Enter');
    await expect(page.getByRole('button', { name: 'Signing in...' })).toBeVisible();
    await page.getByLabel('Password').press('Enter');
    go();
    await page.waitForURL('**/dashboard');
    expect(sent).toBe(1);
  });

  test("with 'Remember me' the session outlives the tab", async ({ page, context }) => {
    await signIn(page, person, true);
    expect(await stored(page)).toEqual({ local: true, session: false });
    const other = await context.newPage();
    await other.goto('/');
    await expect(other).toHaveURL(/\/dashboard$/);
  });

  test("without 'Remember me' it ends with the tab, and lives on through a reload", async ({ page, context }) => {
    await signIn(page, person, false);
    expect(await stored(page)).toEqual({ local: false, session: true });
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
    const other = await context.newPage();
    await other.goto('/dashboard');
    await expect(other).toHaveURL(/\/login$/);
  });

  test('signing out forgets the session here and on the server', async ({ page }) => {
    await signIn(page, person, true);
    const token = await page.evaluate(() => localStorage.getItem('paddock_token') ?? '');
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
    expect(await stored(page)).toEqual({ local: false, session: false });
    await expect(apiOf(token).accounts.me()).rejects.toMatchObject({ code: 'not_signed_in' });
    await page.goto('/dashboard');
    await expect(page).toHaveURL(/\/login$/);
  });
});

test.describe('addresses', () => {
  test('lead a stranger to the sign-in', async ({ page }) => {
    for (const path of ['/', '/dashboard', '/projects', '/deployments?status=active', '/no/such/page']) {
      await page.goto(path);
      await expect(page, path).toHaveURL(/\/login$/);
    }
  });

  test('a page whose style or code got lost on the way loads itself again', async ({ page, tolerated }) => {
    tolerated.push(/net::ERR_FAILED/);
    for (const lost of ['**/assets/*.css', '**/assets/*.js']) {
      let times = 0;
      await page.route(lost, (route) => (times++ === 0 ? route.abort() : route.continue()));
      await page.goto('/login');
      await expect(page.getByRole('heading', { name: 'Sign in' })).toHaveCSS('font-size', '22px');
      expect(times, lost).toBeGreaterThan(1);
      await page.unroute(lost);
    }
  });

  signedIn('lead somebody who is signed in to the dashboard', async ({ page }) => {
    for (const path of ['/', '/no/such/page', '/login', '/signup']) {
      await page.goto(path);
      await expect(page, path).toHaveURL(/\/dashboard$/);
    }
  });

  signedIn('a session that ended elsewhere leads to the sign-in with the next thing one does', async ({ page, person }) => {
    await page.goto('/projects');
    await expect(page.getByText('No projects yet.')).toBeVisible();
    await person.api.accounts.logout();
    await page.getByRole('link', { name: 'Deployments', exact: true }).click();
    await expect(page).toHaveURL(/\/login$/);
    expect(await stored(page)).toEqual({ local: false, session: false });
  });

  signedIn('a stored session that is no longer one leads to the sign-in from every page', async ({ page, person }) => {
    const { id } = await newProject(person);
    await person.api.accounts.logout();
    for (const path of ['/dashboard', '/projects', `/projects/${id}/variables`, '/deployments', '/deployments/dep_0']) {
      await page.goto('/login');
      await page.evaluate(
        ([token, user]) => {
          localStorage.setItem('paddock_token', token as string);
          localStorage.setItem('paddock_user', user as string);
        },
        [person.token, JSON.stringify(person.user)],
      );
      await page.goto(path);
      await expect(page, path).toHaveURL(/\/login$/);
    }
  });
});

async function fill(page: Page, email: string, word: string) {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(word);
}

async function signIn(page: Page, { email, password: word }: Person, remember: boolean) {
  await page.goto('/login');
  await fill(page, email, word);
  await page.getByRole('checkbox', { name: 'Remember me' }).setChecked(remember);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/dashboard');
}

const stored = (page: Page) =>
  page.evaluate(() => ({
    local: localStorage.getItem('paddock_token') !== null,
    session: sessionStorage.getItem('paddock_token') !== null,
  }));
