import { deploy, newProject, reaches, served } from './api.ts';
import { expect, expectAccessible, signedIn } from './console.ts';

/** An agent that streams half of its response, and the rest on command. It reports its requests and the callers that disconnected. */
const waitingAgent = {
  'server.js': `
const { createServer } = require('node:http');
let go = () => {};
createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  if (request.url === '/') return response.end('ready');
  if (request.url === '/go') return response.end(String(go()));
  if (request.url === '/page') {
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'planted=1' });
    return response.end('<script>document.title = "planted"</script>' + JSON.stringify(request.headers));
  }
  if (body === '') return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.on('close', () => response.writableFinished || console.log('the visitor of ' + request.url + ' left'));
  response.write('data: heard ' + JSON.parse(body).message + '\\n\\n');
  go = () => response.end('data: that is all\\n\\n');
}).listen(process.env.PORT, () => console.log('waiting agent listens'));
`,
};

signedIn(
  'an agent is asked from its page: the answer streams, can be cancelled, acts on nothing and is counted',
  async ({ page, person }) => {
    const { id: project_id } = await newProject(person, 'tried');
    const { id } = await deploy(person, project_id, waitingAgent);
    const { deployment_url } = await reaches(person, id, 'active');
    await served(deployment_url!);
    await page.goto(`/deployments/${id}`);
    await page.getByRole('button', { name: 'Write a request' }).click();
    const body = page.getByRole('region', { name: 'Response body' });
    const status = page.getByRole('region', { name: 'Response', exact: true }).getByRole('status').first();

    await page.getByLabel('Template').selectOption('Chat: POST /chat');
    await page.getByLabel('Body', { exact: true }).fill('{"message": "Grüß dich"}');
    await page.getByLabel('Body', { exact: true }).press('Control+Enter');
    await expect(body).toHaveText('data: heard Grüß dich\n\n');
    await expect(status).toHaveText(/^Status 200\s*Receiving the response …$/);
    const { api } = person;
    for await (const _ of await api.deployments.try({ id, path: '/go' }));
    await expect(body).toHaveText('data: heard Grüß dich\n\ndata: that is all\n\n');
    await expect(status).toHaveText(/^Status 200\s*Complete after /);
    // A control that is half below the page's head counts as too small.
    await page.evaluate('scrollTo(0, 0)');
    await expectAccessible(page);

    await page.getByLabel('Path').fill('/cancelled');
    await page.getByLabel('Body', { exact: true }).fill('{"message": "farewell"}');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(body).toContainText('heard farewell');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect(status).toHaveText(/Cancelled$/);
    await expect(page.getByRole('region', { name: 'Log lines' }).getByText('the visitor of /cancelled left')).toBeVisible();

    await page.getByLabel('Method').selectOption('GET');
    await page.getByLabel('Path').fill('/page');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(body).toContainText('<script>document.title = "planted"</script>');
    await expect(body).not.toContainText(person.token);
    await expect(page).not.toHaveTitle('planted');
    expect(await page.context().cookies()).toEqual([]);

    const count = async () => (await api.metrics.agent({ id, time_range: '1h' })).requests_total;
    await expect.poll(count).toBeGreaterThanOrEqual(4);
  },
);
