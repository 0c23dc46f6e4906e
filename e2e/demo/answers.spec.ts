import { expect, test } from './console.ts';
import { deployment, json, problem, project, signedIn, system } from './scripted.ts';
import { storedZip } from './stored-zip.ts';

// The console's reaction to the server's possible responses.

test('a list that cannot be loaded says so with the request id, and Retry brings it', async ({ page, site }) => {
  let works = false;
  const refuse = problem(500, 'internal', 'Something went wrong on the server. The request id helps the operator find the cause.');
  await signedIn(
    page,
    { address: `${site.url}/projects` },
    {
      'GET /projects': (route) => (works ? json({ projects: [project], next_cursor: null })(route) : refuse(route)),
    },
  );
  await expect(page.getByText('The projects could not be loaded. Nothing was changed.', { exact: true })).toBeVisible();
  await expect(page.getByText('Something went wrong on the server.')).toHaveCount(0);
  await expect(page.getByText('req_42')).toBeVisible();
  await expect(page.getByText('No projects yet.')).toHaveCount(0);
  works = true;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'one' })).toBeVisible();
  await expect(page.getByText('req_42')).toHaveCount(0);
});

test('banners tell of agents without a sandbox', async ({ page, site }) => {
  await signedIn(
    page,
    { address: `${site.url}/dashboard` },
    {
      'GET /system': json({ version: '0', isolated: false, runtime_problem: null, agent_domain: 'localhost' }),
    },
  );
  await expect(page.getByText('Agents run without a sandbox.')).toBeVisible();
});

test('banners tell of a machine that cannot run agents, and what to do', async ({ page, site }) => {
  const runtime_problem = { reason: 'bubblewrap is missing.', remedy: 'Run: apt install bubblewrap' };
  await signedIn(
    page,
    { address: `${site.url}/dashboard` },
    {
      'GET /system': json({ ...system, runtime_problem }),
    },
  );
  await expect(page.getByText('Agents cannot run on this machine.')).toBeVisible();
  await expect(page.getByText('Run: apt install bubblewrap')).toBeVisible();
});

test('banners tell of requests that are recorded without bodies, and what to do', async ({ page, site }) => {
  const recording_problem = { reason: "A gateway's disk is full since 2026-11-26 04:12 UTC.", remedy: 'The operator needs to free space.' };
  await signedIn(page, { address: `${site.url}/dashboard` }, { 'GET /system': json({ ...system, recording_problem }) });
  await expect(page.getByText('The audit trail is incomplete.')).toBeVisible();
  await expect(page.getByText('The operator needs to free space.')).toBeVisible();
});

test('the deploy form and the page of databases say what of managed mode this installation lacks, and the command that brings it', async ({
  page,
  site,
}) => {
  const redis = { reason: 'There is no redis-server.', remedy: 'Debian and Ubuntu: `apt-get install redis-server`.' };
  await signedIn(
    page,
    { address: `${site.url}/deployments?action=deploy&database=managed` },
    {
      'GET /system': json({ ...system, database_problems: { postgresql: null, redis } }),
    },
  );
  const dialog = page.getByRole('dialog', { name: 'Deploy agent' });
  await expect(dialog.getByText('Managed Redis is not available on this installation.')).toBeVisible();
  await expect(dialog.getByText('apt-get install redis-server', { exact: true })).toBeVisible();
  await expect(
    dialog.getByText('Deployments with managed databases are refused before the build, unless their environment already has them.'),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Databases' }).first().click();
  await expect(page.getByText('Managed Redis is not available on this installation.')).toBeVisible();
  await expect(page.getByText('apt-get install redis-server', { exact: true })).toBeVisible();
});

test('a refused session leads to the sign-in', async ({ page, site }) => {
  await signedIn(
    page,
    { address: `${site.url}/deployments` },
    { 'GET /deployments': problem(401, 'not_signed_in', 'Sign in to continue.') },
  );
  await page.waitForURL('**/login');
});

test('a change that the server tells of appears without a reload', async ({ page, site }) => {
  let stopped = false;
  let release: () => void = () => undefined;
  const changed = new Promise<void>((resolve) => {
    release = resolve;
  });
  await signedIn(
    page,
    { address: `${site.url}/deployments` },
    {
      'GET /deployments': (route) =>
        json({ deployments: [{ ...deployment, status: stopped ? 'stopped' : 'active' }], next_cursor: null, total: 1, active: 0 })(route),
      'GET /changes': async (route) => {
        const after = new URL(route.request().url()).searchParams.get('after');
        if (after === '1') await changed;
        if (after !== '2') await route.fulfill({ json: { version: after === '1' ? 2 : 1 } });
      },
    },
  );
  await expect(page.getByRole('cell', { name: 'Active' }).first()).toBeVisible();
  stopped = true;
  release();
  await expect(page.getByRole('cell', { name: 'Stopped' }).first()).toBeVisible();
});

test('the live log goes on after a break from the last line, without doubles, until the server ends it', async ({ context, site }) => {
  // The test uses a new page: a script for its sockets cannot be removed again.
  const page = await context.newPage();
  await page.goto(`${site.url}/favicon.svg`);
  const line = (number: number) => ({
    id: `log_${number}`,
    number,
    level: 'info',
    source: 'agent',
    message: `message ${number}`,
    created_at: '2026-11-20T10:00:07.000Z',
  });
  const opened: string[] = [];
  let tickets = 0;
  await page.routeWebSocket(/\/ws\/logs\//, (socket) => {
    const query = new URL(socket.url()).searchParams;
    opened.push(`${query.get('token')} after ${query.get('after')}`);
    if (opened.length === 1) {
      socket.send(JSON.stringify([line(3), line(4)]));
      socket.send(JSON.stringify([line(5)]));
      setTimeout(() => void socket.close({ code: 1012, reason: 'restart' }), 300);
    } else {
      socket.send(JSON.stringify([line(5), line(6)]));
      setTimeout(() => void socket.close({ code: 1000, reason: 'end' }), 300);
    }
  });
  await signedIn(
    page,
    { address: `${site.url}/deployments/dep_1` },
    {
      'GET /deployments/dep_1/logs': json({ logs: [line(1), line(2)], next_cursor: null }),
      'POST /deployments/dep_1/logs/ticket': (route) => {
        tickets += 1;
        return json({ ticket: `ticket-${tickets}`, expires_at: '2026-11-20T10:01:00.000Z' }, 201)(route);
      },
    },
  );
  await expect(page.getByText('Reconnecting, try 1 of 5')).toBeVisible();
  await expect(page.getByText('Ended', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Log lines' }).locator('[data-line]')).toHaveText(['1', '2', '3', '4', '5', '6']);
  expect(opened).toEqual(['ticket-1 after 2', 'ticket-2 after 5']);
});

test('a deployment with databases of one’s own and no address is refused before anything is sent; one address is enough', async ({
  page,
  site,
}) => {
  let sent = 0;
  await signedIn(
    page,
    { address: `${site.url}/deployments?action=deploy&project=prj_1` },
    {
      'GET /databases': json({ databases: [], total: 0, next_cursor: null }),
      'POST /deployments': async (route) => {
        sent += 1;
        await json(deployment, 201)(route);
      },
      'GET /deployments/dep_1/logs': json({ logs: [], next_cursor: null }),
    },
  );
  const dialog = page.getByRole('dialog', { name: 'Deploy agent' });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer: storedZip({ 'main.py': 'x' }) });
  await dialog.getByLabel('Database').selectOption('byo');
  await expect(dialog.getByText('Optional. One of the two is enough.')).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Deploy agent' }).click();
  await expect(dialog.getByText('Enter a PostgreSQL URL, a Redis URL, or both')).toBeVisible();
  expect(sent).toBe(0);
  await dialog.getByLabel('Redis URL').fill('redis://cache.example.com:6379');
  await page.mouse.move(0, 0);
  await dialog.getByRole('button', { name: 'Deploy agent' }).click();
  await expect.poll(() => sent).toBe(1);
});

test('a failed upload keeps the form; its retry repeats the key as long as nobody knows whether it was taken', async ({ page, site }) => {
  const keys: (string | undefined)[] = [];
  await signedIn(
    page,
    { address: `${site.url}/deployments?action=deploy&project=prj_1` },
    {
      'POST /deployments': async (route) => {
        keys.push(route.request().headers()['idempotency-key']);
        if (keys.length === 1) await route.abort();
        else if (keys.length === 2)
          await problem(409, 'database_mode_unavailable', 'Managed databases are not available on this installation.')(route);
        else await json(deployment, 201)(route);
      },
      'GET /deployments/dep_1/logs': json({ logs: [], next_cursor: null }),
    },
  );
  const dialog = page.getByRole('dialog', { name: 'Deploy agent' });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer: storedZip({ 'main.py': 'x' }) });
  await dialog.getByLabel('Database').selectOption('managed');
  await dialog.getByRole('button', { name: 'Deploy agent' }).click();
  await expect(dialog.getByText('Failed to create deployment')).toBeVisible();
  // The button has just appeared under the resting pointer, where a press is ignored.
  await page.mouse.move(0, 0);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByText('Managed databases are not available on this installation.')).toBeVisible();
  await page.mouse.move(0, 0);
  await dialog.getByLabel('Database').selectOption('none');
  await dialog.getByRole('button', { name: 'Deploy agent' }).click();
  await page.waitForURL('**/deployments/dep_1');
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[1]);
});
