import { storedZip } from '../demo/stored-zip.ts';
import { printingAgent } from './agents.ts';
import { apiOf, ask, deploy, newPerson, newProject, type Person, reaches, served, someEmail } from './api.ts';
import { enter, expect, logLines, stateOf, test } from './console.ts';
import { place } from './place.ts';

const markup = (n: number) => `<img src="/api/v1/hostile" onerror="alert(${n})"><script>alert(${n})</script>`;

/** A person whose every text is an attack. */
async function hostilePerson(): Promise<Person> {
  const [email, password] = [someEmail(), 'correct horse'];
  await apiOf().accounts.signup({ email, password, name: markup(1) });
  const { token, user } = await apiOf().accounts.login({ email, password });
  return { api: apiOf(token), token, user, email, password };
}

test('names, descriptions, file names, errors and plans that hold markup are shown as text on every page', async ({ browser }) => {
  const person = await hostilePerson();
  const { id } = await newProject(person, 'hostile');
  await person.api.projects.update({ id, description: `${markup(2)} javascript:alert(2)` });
  const files = {
    'package.json': JSON.stringify({ name: markup(3), scripts: { start: 'node server.js' } }),
    'server.js': `console.error(${JSON.stringify(`Error: ${markup(4)}`)}); process.exit(3); require('node:http').createServer().listen(process.env.PORT);`,
  };
  const made = await person.api.deployments.create({
    project_id: id,
    file: new Blob([new Uint8Array(storedZip(files))]),
    file_name: '<img src=x onerror=alert(5)>.zip',
  });
  await expect.poll(async () => (await person.api.deployments.get({ id: made.id })).status).toBe('failed');
  const failed = await person.api.deployments.get({ id: made.id });

  const context = await browser.newContext({ storageState: stateOf(person), baseURL: place().origin });
  const page = await context.newPage();
  const dialogs: string[] = [];
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => asked.push(request.url()));
  for (const [path, text] of [
    ['/dashboard', person.user.name],
    ['/projects', markup(2)],
    [`/projects/${id}`, markup(2)],
    ['/deployments', failed.project_name],
    [`/deployments/${made.id}`, failed.source_name],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect
      .poll(async () => (await page.locator('body').textContent())?.includes(text.slice(0, 20)), { message: `${path} shows ${text}` })
      .toBe(true);
    await expect(page.locator('img[src*="hostile"], body script:not([src]), a[href^="javascript:" i]')).toHaveCount(0);
  }
  await expect(page.getByText(markup(4)).first()).toBeVisible();
  expect(dialogs).toEqual([]);
  expect(
    asked.filter((url) => url.includes('hostile"') || url.includes('/api/v1/hostile') || !/^(http|ws):\/\/127\.0\.0\.1:/.test(url)),
  ).toEqual([]);
  await context.close();
});

test('a line of the log can neither pretend to be another one nor change one before it', async ({ browser }) => {
  const person = await newPerson();
  const { id, url } = await newProject(person, 'forger');
  const made = await deploy(person, id, printingAgent);
  await reaches(person, made.id, 'active');
  const forged = [
    'deploy failed',
    '\u001b[1A\u001b[2Kdeploy ok',
    'first half\r2026-11-20T00:00:00.000Z ERROR second half',
    '{"msg":"one\\n2026-11-20 level=error two"}',
    'before\u2028after\u2029end\u0085next',
    '\u001b]52;c;ZXZpbA==\u0007nothing copied',
    '\u001b[31',
    ';1mno colour carries over',
    '\u001bP+q544e\u001b\\device\u001b[6n asked',
    'the last of them',
  ];
  await served(url);
  expect((await ask(url, '/', JSON.stringify(forged))).text).toBe('printed');
  const context = await browser.newContext({ storageState: stateOf(person), baseURL: place().origin });
  const page = await context.newPage();
  await page.goto(`/deployments/${made.id}`);
  const lines = logLines(page);
  await expect(lines.getByText('the last of them', { exact: true })).toBeVisible();
  for (const text of ['deploy failed', 'deploy ok', 'nothing copied']) await expect(lines.getByText(text, { exact: true })).toBeVisible();
  const { logs } = await person.api.logs.list({ id: made.id, limit: 500 });
  const agents = logs.filter((line) => line.source === 'agent').slice(-forged.length);
  expect(agents.map((line) => line.message)).toEqual(forged);
  expect(await lines.evaluate((box) => /[\u001b\u0007]/.test(box.textContent ?? ''))).toBe(false);
  const plain = lines.getByText(';1mno colour carries over', { exact: true });
  expect(await plain.evaluate((span) => getComputedStyle(span).color)).toBe(
    await lines.getByText('deploy failed', { exact: true }).evaluate((span) => getComputedStyle(span).color),
  );
  await context.close();
});

const thief = `
const page = '<!doctype html><html lang="en"><title>thief</title><link rel="icon" href="data:,"><h1>thief</h1>';
require('node:http').createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.setHeader('set-cookie', ['wide=1; Domain=localhost; Path=/', 'parent=1; Domain=.localhost', 'own=1; Path=/']);
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-credentials', 'true');
  response.end(page);
}).listen(process.env.PORT);
`;

test("an agent's page at its own address reads nothing of the console, sets it no cookie, frames it not and takes over no part of it", async ({
  page,
  context,
  tolerated,
}) => {
  tolerated.push(
    /CORS|WebSocket connection|frame|Failed to load resource|net::ERR_|ServiceWorker|Content Security Policy|X-Frame-Options/i,
  );
  const person = await newPerson();
  const { id, url } = await newProject(person, 'thief');
  const made = await deploy(person, id, { 'server.js': thief });
  await reaches(person, made.id, 'active');
  const console = `http://localhost:${place().port}`;
  await enter(page, person, console);
  await page.goto(`${url.replace(/:\d+\/?$/, '')}:${place().gatewayPort}/`);
  await expect(page.getByRole('heading', { name: 'thief' })).toBeVisible();
  const taken = await page.evaluate(async (origin) => {
    const outcome = (work: Promise<unknown>) =>
      work.then(
        () => 'worked',
        () => 'refused',
      );
    document.cookie = 'script=1; domain=localhost; path=/';
    const frame = document.createElement('iframe');
    frame.src = origin;
    document.body.append(frame);
    await new Promise((resolve) => {
      frame.addEventListener('load', resolve);
      setTimeout(resolve, 3_000);
    });
    let inside = 'refused';
    try {
      inside = frame.contentWindow?.localStorage.getItem('paddock_token') ?? 'refused';
    } catch {
      inside = 'refused';
    }
    return {
      stored: localStorage.getItem('paddock_token'),
      inside,
      answer: await outcome(fetch(`${origin}/api/v1/auth/me`, { credentials: 'include' })),
      preflight: await outcome(
        fetch(`${origin}/api/v1/projects`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
      ),
      worker: await outcome(navigator.serviceWorker.register(`${origin}/assets/worker.js`, { scope: `${origin}/` })),
      socket: await outcome(
        new Promise((resolve, reject) => {
          const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws/logs/dep_x`);
          socket.addEventListener('open', resolve);
          socket.addEventListener('error', reject);
        }),
      ),
    };
  }, console);
  expect(taken).toEqual({ stored: null, inside: 'refused', answer: 'refused', preflight: 'refused', worker: 'refused', socket: 'refused' });
  const names = async (at: string) => (await context.cookies(at)).map(({ name }) => name).sort((a, b) => a.localeCompare(b));
  expect(await names(console)).toEqual([]);
  expect(await names(page.url())).toContain('own');
  expect(await names(page.url().replace('thief', 'neighbour'))).toEqual([]);
});
