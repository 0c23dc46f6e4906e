import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { endSession, forgetFormer, readSession, startSession } from '../api/session.ts';
import { Console } from './Console.tsx';
import { consoleQueries } from './query-client.ts';
import { consoleRouter, followSession } from './router.tsx';

const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada Lovelace', plan: 'starter', email_verified: false };
const server = vi.spyOn(window, 'fetch');
let stop = () => {};

const json = (status: number, body: unknown) =>
  Promise.resolve(
    Response.json(body, { status, headers: { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' } }),
  );

async function open(path: string) {
  const router = consoleRouter(createMemoryHistory({ initialEntries: [path] }));
  const queries = consoleQueries();
  stop = followSession(router, queries);
  await render(<Console router={router} queries={queries} />);
  return () => router.state.location.pathname;
}
const signIn = async (email: string, password: string) => {
  await page.getByLabelText('E-mail').fill(email);
  await page.getByLabelText('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

beforeEach(() => {
  sessionStorage.clear();
  endSession();
  forgetFormer();
  server.mockReset();
  // The person is loaded; every other call fails, and the page must survive that.
  server.mockImplementation((url) =>
    String(url instanceof Request ? url.url : url).endsWith('/auth/me')
      ? json(200, user)
      : json(503, { code: 'unavailable', detail: 'Not now.', status: 503 }),
  );
});
afterEach(() => stop());

test('whoever is not signed in is led to the sign-in, from any address', async () => {
  const where = await open('/no/such/page');
  await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(where()).toBe('/login');
});

test('unknown addresses lead a signed-in person to the dashboard', async () => {
  startSession({ token: 'tok', user }, false);
  const where = await open('/no/such/page');
  await expect.element(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  expect(where()).toBe('/dashboard');
  expect(document.title).toBe('Dashboard · Paddock');
});

test('the demo credentials never reach the server', async () => {
  const where = await open('/login');
  await signIn('Demo@paddock.dev', 'paddock-demo');
  await expect.element(page.getByText('Demo data')).toBeVisible();
  expect(where()).toBe('/dashboard');
  expect(readSession()?.token).toMatch(/^demo-token-/);
  const sent = server.mock.calls.map(([url, init]) => JSON.stringify([url, init])).join();
  expect(sent).not.toContain('/auth/login');
  expect(sent).not.toContain('demo');
});

test('the demo is one press away, and needs no server', async () => {
  server.mockRejectedValue(new TypeError('Failed to fetch'));
  const where = await open('/login');
  await page.getByRole('button', { name: 'Explore the demo' }).click();
  await expect.element(page.getByText('Demo data')).toBeVisible();
  expect(where()).toBe('/dashboard');
});

test("a refused sign-in shows the server's own sentence and keeps the form", async () => {
  server.mockImplementation(() => json(401, { code: 'credentials_wrong', detail: 'Not this one.', status: 401 }));
  await open('/login');
  await signIn('ada@example.org', 'wrong');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Not this one.');
  await expect.element(page.getByLabelText('E-mail')).toHaveValue('ada@example.org');
});

test('a server that cannot be reached leads to the hint at the demo account', async () => {
  server.mockRejectedValue(new TypeError('Failed to fetch'));
  await open('/login');
  await signIn('ada@example.org', 'right');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Login failed. Try demo account: demo@paddock.dev / paddock-demo');
});

test('a 401 from any call ends the session and leads to the sign-in', async () => {
  server.mockImplementation(() => json(401, { code: 'not_signed_in', detail: 'Sign in to continue.', status: 401 }));
  startSession({ token: 'outlived', user }, true);
  const where = await open('/projects');
  await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(where()).toBe('/login');
  expect(localStorage.getItem('paddock_token')).toBeNull();
});

test('a server that is away does not end the session', async () => {
  server.mockRejectedValue(new TypeError('Failed to fetch'));
  startSession({ token: 'tok', user }, false);
  await open('/projects');
  await expect.element(page.getByText('Ada Lovelace')).toBeVisible();
  await vi.waitFor(() => expect(server.mock.calls.length).toBeGreaterThan(2));
  expect(readSession()?.token).toBe('tok');
});

test('logging out tells the server and leads to the sign-in', async () => {
  startSession({ token: 'tok', user }, false);
  const where = await open('/dashboard');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(where()).toBe('/login');
  expect(server.mock.calls.map(([url]) => url)).toContain('/api/v1/auth/logout');
  expect(readSession()).toBeNull();
});

const signsIn = (person: typeof user) =>
  server.mockImplementation((url) => {
    const path = String(url instanceof Request ? url.url : url);
    if (path.endsWith('/auth/login')) return json(200, { token: 'new', user: person });
    return path.endsWith('/auth/me') ? json(200, person) : json(503, { code: 'unavailable', detail: 'Not now.', status: 503 });
  });

test('a session that ended elsewhere is said to have ended, and signing in again leads back to the page with its query', async () => {
  server.mockImplementation(() => json(401, { code: 'not_signed_in', detail: 'Sign in to continue.', status: 401 }));
  startSession({ token: 'outlived', user }, true);
  const where = await open('/databases?engine=redis');
  await expect.element(page.getByText('Your session has ended. Sign in to go on where you were.')).toBeVisible();
  await expect.element(page.getByLabelText('E-mail')).toHaveValue(user.email);
  signsIn(user);
  await page.getByLabelText('Password').fill('right');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.element(page.getByRole('heading', { name: 'Databases' })).toBeVisible();
  expect(where()).toBe('/databases');
});

const ends = () => server.mockImplementation(() => json(401, { code: 'not_signed_in', detail: 'Sign in to continue.', status: 401 }));
const name = () => page.getByRole('dialog').getByLabelText('Name');

test('what was typed when the session ended is there again for the same person, and for nobody else', async () => {
  startSession({ token: 'tok', user }, true);
  await open('/projects?action=new');
  await name().fill('desk-of-ada');
  ends();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Create/ })
    .click();
  await expect.element(page.getByText('Your session has ended. Sign in to go on where you were.')).toBeVisible();
  signsIn(user);
  await page.getByLabelText('Password').fill('right');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.element(name()).toHaveValue('desk-of-ada');

  ends();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Create/ })
    .click();
  await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  signsIn({ ...user, id: 'usr_2', email: 'bob@example.org' });
  await signIn('bob@example.org', 'right');
  await expect.element(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  expect(document.body.textContent).not.toContain('desk-of-ada');
});

test('another person who signs in after a session that ended is not led to its page', async () => {
  server.mockImplementation(() => json(401, { code: 'not_signed_in', detail: 'Sign in to continue.', status: 401 }));
  startSession({ token: 'outlived', user }, true);
  const where = await open('/databases');
  await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  signsIn({ ...user, id: 'usr_2', email: 'bob@example.org' });
  await signIn('bob@example.org', 'right');
  await expect.element(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  expect(where()).toBe('/dashboard');
});

test('a link that is opened signed out leads to its page after signing in, and to the dashboard after signing out', async () => {
  const where = await open('/projects?search=desk');
  signsIn(user);
  await signIn(user.email, 'right');
  await expect.element(page.getByRole('heading', { name: 'Projects' })).toBeVisible();
  expect(where()).toBe('/projects');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect.element(page.getByText('Your session has ended')).not.toBeInTheDocument();
  await signIn(user.email, 'right');
  await expect.element(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
});

test('a server that does not answer is said to be away until it answers again', async () => {
  server.mockRejectedValue(new TypeError('Failed to fetch'));
  startSession({ token: 'tok', user }, false);
  await open('/projects');
  await expect.element(page.getByText('Paddock does not answer.')).toBeVisible();
  server.mockImplementation((url) =>
    String(url instanceof Request ? url.url : url).includes('/changes') ? json(200, { version: 4 }) : json(200, user),
  );
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect.element(page.getByText('Paddock does not answer.')).not.toBeInTheDocument();
});
