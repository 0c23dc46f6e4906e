import { readdirSync, readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { hostileQueries } from '../../apps/console/test/hostile-callbacks.ts';
import { expect, expectAccessible, expectNoSideScroll, signedIn, test } from './console.ts';
import { place } from './place.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const authorize = (page: Page) => page.getByRole('button', { name: 'Authorize the command line' });
const keyIn = async ({ home }: Terminal) => {
  const config = JSON.parse(await readFile(join(home, '.config/paddock/config.json'), 'utf8')) as {
    servers: Record<string, { api_key: string }>;
  };
  return config.servers[place().origin]?.api_key ?? '';
};
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

/** Arguments of every process of this machine, as any user can read them. */
const allArguments = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return ''; // it has exited
      }
    })
    .join('\n');

signedIn(
  'a login by the browser: one click makes one key, which is in no address, history, log or process list',
  async ({ page, person, context }) => {
    const terminal = await openTerminal();
    const addresses: string[] = [];
    const created: string[] = [];
    context.on('request', (request) => {
      addresses.push(request.url());
      if (request.method() === 'POST' && request.url().endsWith('/api-keys')) created.push(request.url());
    });
    try {
      await terminal.type('paddock login --no-browser');
      const [, address = ''] = await terminal.shows(/(http:\/\/\S+\/login\?cli=true\S+)/);
      const callback = new URL(new URL(address).searchParams.get('callback') ?? '');
      expect(callback.hostname).toBe('127.0.0.1');

      // Foreign requests are refused: a wrong state, no state, another origin, another host, a read.
      const post = (body: string, headers: Record<string, string> = {}) =>
        fetch(`${callback.origin}/callback`, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        });
      const key = `pk_live_${'x'.repeat(40)}`;
      const state = callback.searchParams.get('state') ?? '';
      expect((await post(`api_key=${key}&state=wrong`)).status).toBe(400);
      expect((await post(`api_key=${key}`)).status).toBe(400);
      expect((await post(`api_key=${key}&state=${state}`, { origin: 'http://evil.example' })).status).toBe(403);
      expect((await post(JSON.stringify({ api_key: key, state }), { 'content-type': 'application/json' })).status).toBe(400);
      expect((await fetch(callback)).status).toBe(405);
      expect(state.length).toBeGreaterThanOrEqual(22);

      await page.goto(address);
      await expect(page.getByRole('heading', { name: 'CLI Authentication' })).toBeVisible();
      await expect(page.getByText(callback.origin, { exact: true })).toBeVisible();
      await expect(page.getByText(/^CLI Login - \d{4}-/)).toBeVisible();
      await expect(page.getByText(`${person.user.name} (${person.email})`)).toBeVisible();
      await expectAccessible(page);
      expect((await person.api.apiKeys.list()).api_keys).toEqual([]);
      await authorize(page).dblclick();
      await expect(page.getByRole('heading', { name: 'The command line has its key' })).toBeVisible();
      await terminal.shows(new RegExp(`Logged in to ${place().origin} as ${person.user.name}`));

      const secret = await keyIn(terminal);
      expect(secret).toMatch(/^pk_live_/);
      expect(created).toHaveLength(1);
      const { api_keys } = await person.api.apiKeys.list();
      expect(api_keys.map(({ name, is_test_key, scopes }) => [name.slice(0, 12), is_test_key, scopes.length])).toEqual([
        ['CLI Login - ', false, 8],
      ]);

      const folder = join(terminal.home, '.config/paddock');
      expect([await modeOf(folder), await modeOf(join(folder, 'config.json'))]).toEqual(['700', '600']);
      await terminal.type('paddock logs dep_0; paddock whoami');
      await terminal.shows(/Scopes +agents:read/);
      const session = await context.newCDPSession(page);
      const { entries } = await session.send('Page.getNavigationHistory');
      const seen = {
        addresses,
        history: entries.map(({ url }) => url),
        log: await readFile(place().log_file, 'utf8'),
        screen: await terminal.screen(),
      };
      expect(seen.log).toContain('/api/v1/api-keys');
      for (const [where, text] of Object.entries(seen)) expect(JSON.stringify(text).includes(secret), where).toBe(false);

      // While a command uses the key, the list of processes must not show it.
      await terminal.clear();
      await terminal.type('paddock keys list');
      await terminal.shows(/E-mail:/);
      expect(allArguments()).toMatch(/paddock/);
      expect(allArguments().includes(secret)).toBe(false);
      await terminal.press('C-c');

      await terminal.clear();
      await terminal.type('paddock logout; echo "code $?"');
      await terminal.shows(/Logged out[^]*code 0/);
      expect((await person.api.apiKeys.list()).api_keys.map(({ is_active }) => is_active)).toEqual([false]);
    } finally {
      await terminal.close();
    }
  },
);

test('somebody who is not signed in signs in on the way, and a callback on [::1] is served too', async ({ page, request }) => {
  const { createServer } = await import('node:http');
  const { newPerson } = await import('./api.ts');
  const person = await newPerson();
  let got = '';
  const listener = createServer((asked, answer) => {
    asked.setEncoding('utf8').on('data', (chunk: string) => (got += chunk));
    asked.on('end', () => answer.end('taken'));
  });
  await new Promise<void>((resolve) => listener.listen(0, '::1', resolve));
  const { port } = listener.address() as { port: number };
  try {
    await page.goto(`/login?${new URLSearchParams({ cli: 'true', callback: `http://[::1]:${port}/callback?state=s-1` })}`);
    await expect(page.getByRole('heading', { name: 'CLI Authentication' })).toBeVisible();
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await authorize(page).click();
    await expect(page.getByText('taken')).toBeVisible();
    const form = new URLSearchParams(got);
    expect(form.get('state')).toBe('s-1');
    const answer = await request.get('/api/v1/api-keys/validate', { headers: { authorization: `Bearer ${form.get('api_key')}` } });
    expect(await answer.json()).toMatchObject({ kind: 'api_key', user: { email: person.email } });
  } finally {
    listener.close();
    listener.closeAllConnections();
  }
});

signedIn('no hostile callback leads to a key', async ({ page, person }) => {
  let posts = 0;
  page.on('request', (request) => void (posts += Number(request.method() === 'POST')));
  expect(hostileQueries.length).toBeGreaterThanOrEqual(60);
  await page.goto(`/login${hostileQueries[0]}`);
  const dialog = page.getByRole('dialog', { name: 'Callback refused' });
  await expect(dialog.getByText('paddock login --api-key')).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'View Docs' })).toHaveAttribute('href', '/docs/cli');
  await expect(dialog.getByRole('button', { name: 'Try Again' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  // All queries run in one page, which is faster than a page for each. Between them is a query with a different result.
  const passed = await page.evaluate(async (queries) => {
    const told = async (query: string, text: string) => {
      history.pushState({}, '', `/login${query}`);
      dispatchEvent(new PopStateEvent('popstate'));
      for (let waited = 0; waited < 2000; waited += 5) {
        if (document.querySelector('main [role=alert]')?.textContent?.includes(text))
          return !document.body.textContent?.includes('Authorize');
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return false;
    };
    const through: string[] = [];
    for (const query of queries)
      if (!((await told('?cli=true', 'was opened without')) && (await told(query, 'not a valid local address')))) through.push(query);
    return through;
  }, hostileQueries);
  expect(passed).toEqual([]);
  expect(new URL(page.url()).origin).toBe(place().origin);
  expect(posts).toBe(0);
  expect((await person.api.apiKeys.list()).api_keys).toEqual([]);
});

signedIn('what goes wrong is told with a way on', async ({ page, person, tolerated }) => {
  tolerated.push(/net::ERR_FAILED/, /status of 500/);
  await page.goto('/login?cli=true');
  await expect(page.getByRole('dialog', { name: 'CLI Not Detected' })).toBeVisible();
  const search = `/login?${new URLSearchParams({ cli: 'true', callback: 'http://127.0.0.1:49999/callback?state=x' })}`;
  const titles: [number, string][] = [
    [403, 'Permission denied'],
    [500, 'Server error'],
    [404, 'Platform not reachable'],
    [0, 'Platform not reachable'],
    [429, 'Failed to create API key'],
  ];
  const problems: Record<number, string> = {
    401: 'not_signed_in',
    403: 'session_needed',
    404: 'route_not_found',
    429: 'too_many_requests',
    500: 'internal',
  };
  let status = 403;
  await page.route('**/api/v1/api-keys', (route) =>
    status === 0
      ? route.abort()
      : route.fulfill({
          status,
          contentType: 'application/problem+json',
          json: { code: problems[status], status, detail: `Answer ${status}` },
        }),
  );
  await page.goto(search);
  await authorize(page).click();
  for (const [next, title] of titles) {
    const dialog = page.getByRole('dialog', { name: title });
    if (status !== next) {
      status = next;
      // The button has just appeared under the resting pointer, where a press is ignored.
      await page.mouse.move(0, 0);
      await page.getByRole('button', { name: 'Try Again' }).click();
    }
    await expect(dialog.getByText('Technical details')).toBeVisible();
  }
  status = 401;
  await page.mouse.move(0, 0);
  await page.getByRole('button', { name: 'Try Again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Authentication failed' });
  await expect(dialog.getByText('Your session may have expired.')).toBeVisible();
  await page.mouse.move(0, 0);
  await dialog.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByRole('heading', { name: 'CLI Authentication' })).toBeVisible();
  await expect(page.getByLabel('Password')).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSideScroll(page);
  expect((await person.api.apiKeys.list()).api_keys).toEqual([]);
});

signedIn('the help leads to a guide, and the guide to a tool that the server gives', async ({ page, request, context }) => {
  await page.goto('/dashboard');
  await expect(page.getByText('paddock deploy', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Help' }).click();
  const opened = context.waitForEvent('page');
  await page.getByRole('menuitem', { name: 'Install the CLI' }).click();
  const guide = await opened;
  await expect(guide.getByRole('heading', { name: 'The command line', level: 1 })).toBeVisible();
  await expectAccessible(guide);
  for (const path of ['/docs/github-actions', '/docs/manifest']) expect((await request.get(path)).status(), path).toBe(200);
  const tool = await request.get('/docs/cli/paddock.mjs');
  expect(tool.headers()['content-disposition']).toContain('attachment');
  expect((await tool.text()).startsWith('#!/usr/bin/env node\n')).toBe(true);
});
