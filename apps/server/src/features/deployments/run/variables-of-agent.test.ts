import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy, type Platform, reaches, startPlatform, until } from '../../../../test/platform.ts';

let shared: Promise<Platform> | undefined;
const platform = () => (shared ??= startPlatform(undefined));

async function project(name: string) {
  const paddock = await platform();
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name });
  const set = (values: Record<string, string>) =>
    api.variables.set({
      project_id: id,
      environment: 'production',
      variables: Object.entries(values).map(([key, value]) => ({ key, value })),
    });
  return { paddock, api, id, set };
}

const serving = `
import http.server
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
http.server.HTTPServer(("", int(os.environ["PORT"])), Answer).serve_forever()
`;
const reading = `import os
TOKEN = os.environ["DESK_TOKEN"]
KEY = os.getenv("SEARCH_KEY")
if not KEY:
    raise SystemExit("no key")
MODEL = os.getenv("MODEL", "small-1")
${serving}`;

test('one round is enough: the message of a failed start names every variable that is missing, and the next start succeeds', async () => {
  const { api, id, set } = await project('one-round');
  const files = { 'main.py': reading, '.env.example': 'DESK_TOKEN=\nSEARCH_KEY=\nDESK_URL=\nMODEL=\n' };
  const first = await deploy(api, id, files);
  const { error_message } = await reaches(api, first.id, ['failed']);
  const said = error_message?.split('\n\n')[0] ?? '';
  assert.match(said, /It seems to need the variable DESK_TOKEN: set it under Variables and redeploy\./);
  assert.match(said, /Its files also ask for SEARCH_KEY \(main\.py:3\), DESK_URL \(\.env\.example:3\), which are not set\.$/);
  const { plan } = await api.deployments.get({ id: first.id });
  assert.deepEqual(
    plan?.asked_variables?.map(({ name, required, secret, at, example }) => [name, required, secret, at, example]),
    [
      ['DESK_TOKEN', true, true, 'main.py:2', undefined],
      ['SEARCH_KEY', true, true, 'main.py:3', undefined],
      ['DESK_URL', true, false, '.env.example:3', undefined],
      ['MODEL', false, false, 'main.py:6', 'small-1'],
    ],
  );
  await set({ DESK_TOKEN: 'one', SEARCH_KEY: 'two', DESK_URL: 'three' });
  await reaches(api, (await deploy(api, id, files)).id, ['active']);
});

test('codes of errors in the output are not asked for, and a module that is missing comes before variables', async () => {
  const { api, id } = await project('codes');
  const codes = `import os, sys\nif not os.getenv("DESK_KEY"):\n    sys.exit("403 PERMISSION_DENIED: API_KEY_INVALID, the credential is missing; ARES_SUCCESS")\n`;
  const failed = await reaches(api, (await deploy(api, id, { 'main.py': codes })).id, ['failed']);
  const said = failed.error_message?.split('\n\n')[0] ?? '';
  assert.match(said, /It may miss a variable: DESK_KEY \(main\.py:2\) is not set/);
  assert.doesNotMatch(said, /PERMISSION_DENIED|API_KEY_INVALID|ARES_SUCCESS/);
  const module = await deploy(api, id, { 'main.py': `import os\nprint(os.getenv("DESK_KEY"), "DESK_KEY is not set")\nimport deskwood\n` });
  const message = (await reaches(api, module.id, ['failed'])).error_message?.split('\n\n')[0] ?? '';
  assert.match(message, /The module 'deskwood' is missing/);
  assert.doesNotMatch(message.replace(/ Its files also ask for .*/, ''), /DESK_KEY/);
});

test('a job that ends with 0 after errors, with a variable unset, is completed and says so', async () => {
  const { api, id, set } = await project('doubtful');
  const files = {
    'main.js': `if (!process.env.MAIL_KEY) console.error('Error: the desk answered 401'); else console.log('sent');`,
    'paddock.yaml': 'type: job\nstart: node main.js\n',
  };
  const doubtful = await reaches(api, (await deploy(api, id, files)).id, ['completed']);
  assert.match(
    doubtful.error_message ?? '',
    /^The agent ended with exit code 0, but its output tells of errors\. It may miss a variable: MAIL_KEY \(main\.js:1\) is not set.*Last lines:\nError: the desk answered 401$/s,
  );
  await set({ MAIL_KEY: 'one' });
  assert.equal((await reaches(api, (await deploy(api, id, files)).id, ['completed'])).error_message, null);
});

test('an agent that is not restarted any more asks for its variables', async () => {
  const { paddock, api, id } = await project('crashing');
  const files = {
    'main.js': `const key = process.env.DESK_KEY;
require('http').createServer((q, r) => {
  r.end('up');
  if (q.url === '/crash') setTimeout(() => { throw new Error('no desk' + key) }, 50);
}).listen(process.env.PORT);`,
    'paddock.yaml': 'start: node main.js\n',
  };
  const made = await deploy(api, id, files);
  await reaches(api, made.id, ['active']);
  for (let crash = 1; crash <= 5; crash++) {
    await until(`it answers before crash ${crash}`, async () => (await paddock.visit('crashing.localhost')).body === 'up');
    await paddock.visit('crashing.localhost', '/crash');
    if (crash < 5) await until(`crash ${crash} is counted`, async () => (await api.deployments.get({ id: made.id })).restarts === crash);
  }
  const failed = await reaches(api, made.id, ['failed']);
  assert.match(
    failed.error_message ?? '',
    /^The agent crashed 5 times in 10 minutes.*It may miss a variable: DESK_KEY \(main\.js:1\) is not set/s,
  );
});
