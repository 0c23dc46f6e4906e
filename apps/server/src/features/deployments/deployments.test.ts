import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { zip } from '../../../test/archives.ts';
import { deploy, type Platform, reaches, startPlatform, until } from '../../../test/platform.ts';
import { connect } from '../../db/connect.ts';

const echo = (text: string) => ({ 'server.js': `require('http').createServer((q, r) => r.end('${text}')).listen(process.env.PORT)` });
let shared: Promise<Platform> | undefined;
/** A platform shared by all tests that do not break it. */
const platform = () => (shared ??= startPlatform(undefined));

async function project(name: string) {
  const paddock = await platform();
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name });
  return { paddock, api, id, host: `${name}.localhost` };
}

test('a ZIP becomes a running agent at its address, with its build and its output in one log', async () => {
  const { paddock, api, id, host } = await project('hello');
  const made = await deploy(api, id, { 'server.js': `console.log('I am up'); ${echo('hello from the agent')['server.js']}` });
  assert.equal(made.status, 'queued');
  const active = await reaches(api, made.id, ['active']);
  assert.equal(active.url, `http://${host}:${paddock.gatewayPort}`);
  assert.equal((await paddock.visit(host)).body, 'hello from the agent');
  assert.equal((await paddock.visit(new URL(active.deployment_url!).host)).body, 'hello from the agent');
  const detail = await api.deployments.get({ id: made.id });
  assert.equal(detail.plan?.language, 'node');
  await until('its output is in the log', async () =>
    (await api.logs.list({ id: made.id })).logs.some((line) => line.source === 'agent' && line.message === 'I am up'),
  );
  const { logs } = await api.logs.list({ id: made.id });
  assert.deepEqual(
    logs.map((line) => line.number),
    logs.map((_, n) => n + 1),
    'numbered from 1 without gaps',
  );
});

test('variables reach the agent, what the platform sets wins, and a redeploy takes the new value', async () => {
  const { paddock, api, id, host } = await project('variables');
  await api.variables.set({ project_id: id, environment: 'production', variables: [{ key: 'GREETING', value: 'one' }] });
  const files = {
    'server.js': `require('http').createServer((q, r) => r.end([process.env.GREETING, process.env.PADDOCK_ENVIRONMENT, process.env.PADDOCK_DATABASE_URL].join())).listen(process.env.PORT)`,
  };
  const first = await deploy(api, id, files);
  await reaches(api, first.id, ['active']);
  assert.equal((await paddock.visit(host)).body, 'one,production,');
  await api.variables.set({ project_id: id, environment: 'production', variables: [{ key: 'GREETING', value: 'two' }] });
  const again = await api.deployments.redeploy({ id: first.id });
  await reaches(api, again.id, ['active']);
  await until('the new one answers', async () => (await paddock.visit(host)).body === 'two,production,');
});

test('through a swap and a rollback under load not one request fails', async (t) => {
  const { paddock, api, id, host } = await project('swap');
  const first = await deploy(api, id, echo('one'));
  await reaches(api, first.id, ['active']);
  const seen = new Map<string, number>();
  let done = false;
  t.after(() => {
    done = true;
  });
  const load = (async () => {
    while (!done) {
      const key = await paddock.visit(host).then(
        ({ status, body }) => `${status} ${body}`,
        (error: Error) => error.message,
      );
      seen.set(key, (seen.get(key) ?? 0) + 1);
      await sleep(2); // leaves the two cores to the deployments
    }
  })();
  const second = await deploy(api, id, echo('two'));
  await reaches(api, second.id, ['active']);
  await until('the new one answers', async () => (await paddock.visit(host)).body === 'two');
  const back = await api.deployments.rollback({ id: first.id });
  await reaches(api, back.id, ['active']);
  await until('the rolled back one answers', async () => (await paddock.visit(host)).body === 'one');
  done = true;
  await load;
  assert.deepEqual([...seen.keys()].sort(), ['200 one', '200 two']);
  assert.equal((await api.deployments.get({ id: second.id })).status, 'stopped');
  assert.equal((await api.deployments.get({ id: back.id })).source_deployment_id, first.id);
});

const failures: [name: string, files: Record<string, string>, message: RegExp][] = [
  [
    'an import error',
    { 'main.py': 'import flurb' },
    /^Start failed: .*exit code 1.*The module 'flurb' is missing: add it to the dependencies/s,
  ],
  ['exit code 1', { 'server.js': 'console.log("no key"); process.exit(1)' }, /^Start failed: .*exit code 1.*Last lines:\nno key/s],
  [
    'never listening',
    { 'server.js': 'setInterval(() => 1, 1000)', 'paddock.yaml': 'type: web\nstart_budget: 3\n' },
    /^Start failed: the agent did not listen on any port within 3 s\. Let it listen on \$PORT/,
  ],
  [
    'too much memory',
    { 'server.js': 'const a = []; for (;;) a.push(Buffer.alloc(1e7, 1))' },
    /^Start failed: the agent used more than its 512 MB of memory.*PADDOCK_AGENT_MEMORY_MB/,
  ],
  ['no start command', { 'notes.txt': 'hello' }, /^Build failed while finding out what it is: .*Looked for .*give a start command/],
  [
    'a bad manifest',
    { 'server.js': '1', 'paddock.yaml': 'start: node server.js\nprot: 3\n' },
    /^Build failed while finding out what it is: paddock\.yaml:2:1: unknown key "prot"/,
  ],
  [
    'an unsupported Python',
    { 'main.py': '1', 'paddock.yaml': 'python: 3.1.0\n' },
    /^Build failed while finding out what it is: .*Python 3\.1\.0.*Present: Python 3/,
  ],
];
test('each way of failing ends as failed with step, cause and next step, and the agent before it goes on answering', async () => {
  const { paddock, api, id, host } = await project('failing');
  const good = await deploy(api, id, echo('still here'));
  await reaches(api, good.id, ['active']);
  for (const [name, files, message] of failures) {
    const bad = await deploy(api, id, files);
    const failed = await reaches(api, bad.id, ['failed']);
    assert.match(failed.error_message ?? '', message, name);
    assert.equal((await paddock.visit(host)).body, 'still here', name);
    assert.equal((await api.deployments.get({ id: good.id })).status, 'active', name);
  }
});

test('a worker, a job and an agent that listens where it likes end as what they are', async () => {
  const { paddock, api, id } = await project('kinds');
  const job = await deploy(api, id, { 'main.py': 'print("the result is 42")' });
  assert.equal((await reaches(api, job.id, ['completed'])).agent_type, 'job');
  assert.ok((await api.logs.list({ id: job.id })).logs.some((line) => line.message === 'the result is 42'));

  const own = await deploy(api, id, { 'server.js': `require('http').createServer((q, r) => r.end('own port')).listen(3456, '127.0.0.1')` });
  await reaches(api, own.id, ['active']);
  assert.equal((await paddock.visit('kinds.localhost')).body, 'own port');

  const worker = await deploy(
    api,
    id,
    { 'worker.js': 'setInterval(() => console.log("tick"), 200)', Procfile: 'worker: node worker.js\n' },
    { environment: 'preview' },
  );
  const active = await reaches(api, worker.id, ['active']);
  assert.deepEqual([active.agent_type, active.url], ['worker', null]);
});

test('a crashing agent is restarted with a growing pause, shows it, and is given up after five crashes', async () => {
  const { paddock, api, id, host } = await project('crashing');
  const made = await deploy(api, id, {
    'server.js': `require('http').createServer((q, r) => { r.end('up'); if (q.url === '/crash') setTimeout(() => process.exit(7), 50) }).listen(process.env.PORT)`,
  });
  await reaches(api, made.id, ['active']);
  for (let crash = 1; crash <= 4; crash++) {
    await paddock.visit(host, '/crash');
    await until(`crash ${crash} is counted`, async () => (await api.deployments.get({ id: made.id })).restarts === crash);
    await until(`it answers again after crash ${crash}`, async () => (await paddock.visit(host)).body === 'up');
    assert.equal((await api.deployments.get({ id: made.id })).status, 'active');
  }
  await paddock.visit(host, '/crash');
  const failed = await reaches(api, made.id, ['failed']);
  assert.match(failed.error_message ?? '', /crashed 5 times in 10 minutes.*exited with code 7/s);
  const page = await paddock.visit(host, '/', { accept: 'text/html' });
  assert.deepEqual([page.status, page.type.split(';')[0]], [502, 'text/html']);
});

test('an agent that takes requests for localhost alone serves visitors at its address, and from the start on after a crash and a redeploy', async () => {
  const { paddock, api, id, host } = await project('local');
  const made = await deploy(api, id, {
    'server.js': `require('http').createServer((q, r) => {
      if (!q.headers.host.startsWith('localhost:')) return r.writeHead(403).end('Invalid Host header');
      r.end(q.headers['x-forwarded-host']);
      if (q.url === '/crash') setTimeout(() => process.exit(7), 50);
    }).listen(process.env.PORT)`,
  });
  await reaches(api, made.id, ['active']);
  const visit = async () => (await paddock.visit(host)).body;
  await until('a visitor is served', async () => (await visit()) === host);
  const { host_header } = await api.deployments.get({ id: made.id });
  assert.match(host_header ?? '', /^localhost:\d+$/);
  const said = (await api.logs.list({ id: made.id, search: 'refuses requests under' })).logs.map(({ message }) => message);
  assert.deepEqual([said.length, said[0]?.includes(`takes those for ${host_header}:`)], [1, true]);
  await paddock.visit(host, '/crash');
  await until('the crash is counted', async () => (await api.deployments.get({ id: made.id })).restarts === 1);
  const answersAgain = async () => {
    const seen = await visit();
    assert.notEqual(seen, 'Invalid Host header');
    return seen === host;
  };
  await until('it answers again', answersAgain);
  const next = await api.deployments.redeploy({ id: made.id });
  for (let status = ''; status !== 'active'; { status } = await api.deployments.get({ id: next.id }))
    await until('it answers', answersAgain);
  await until('the next one was asked, too', async () => (await api.deployments.get({ id: next.id })).host_header !== null);
  assert.ok(await answersAgain());
});

test('stop ends an active agent and only that, and its address says so', async () => {
  const { paddock, api, id, host } = await project('stopping');
  const made = await deploy(api, id, echo('here'));
  await reaches(api, made.id, ['active']);
  assert.equal((await api.deployments.stop({ id: made.id })).status, 'stopped');
  await until('the address says stopped', async () => (await paddock.visit(host)).status === 503);
  await assert.rejects(api.deployments.stop({ id: made.id }), { code: 'deployment_not_active' });
});

test('a queued or building deployment can be cancelled, a finished one cannot', async () => {
  const { api, id } = await project('cancelling');
  const slow = { 'package.json': '{"name":"x","version":"1.0.0","scripts":{"build":"sleep 60","start":"node server.js"}}', ...echo('x') };
  const made = await deploy(api, id, slow);
  await until('it builds', async () => (await api.deployments.get({ id: made.id })).status === 'building');
  await api.deployments.cancel({ id: made.id });
  await until('it is stopped', async () => (await api.deployments.get({ id: made.id })).status === 'stopped');
  await assert.rejects(api.deployments.cancel({ id: made.id }), { code: 'deployment_not_cancellable' });
});

test('a folder and a start command given with the archive win over what it says, also in a redeploy', async () => {
  const { paddock, api, id, host } = await project('monorepo');
  const file = zip({
    'paddock.yaml': 'start: node wrong.js\n',
    'wrong.js': 'process.exit(1)',
    'agents/one/index.js': 'process.exit(2)',
    'agents/one/other.js': `require('http').createServer((q, r) => r.end('the other')).listen(process.env.PORT)`,
  });
  const made = await api.deployments.create({ project_id: id, root: 'agents/one', start: 'node other.js', file, file_name: 'a.zip' });
  await reaches(api, made.id, ['active']);
  assert.equal((await paddock.visit(host)).body, 'the other');
  const again = await api.deployments.redeploy({ id: made.id });
  assert.deepEqual((await reaches(api, again.id, ['active'])).status, 'active');
  const outside = await api.deployments.create({ project_id: id, root: '../..', file, file_name: 'a.zip' });
  assert.match((await reaches(api, outside.id, ['failed'])).error_message ?? '', /has no folder/);
});

test('deleting a project ends its agents and removes its addresses, logs and code', async () => {
  const { paddock, api, id, host } = await project('deleting');
  const made = await deploy(api, id, echo('doomed'));
  await reaches(api, made.id, ['active']);
  await api.projects.delete({ id });
  await until('the address is gone', async () => (await paddock.visit(host)).status === 404);
  await assert.rejects(api.deployments.get({ id: made.id }), { code: 'deployment_not_found' });
  const sql = connect(paddock.databaseUrl, { max: 1 });
  try {
    await until('nothing is left', async () => {
      const [left] = await sql<{ n: number }[]>`
        select (
          select count(*)
          from deployments
          where project_id = ${id}
        ) + (
          select count(*)
          from log_lines
          where deployment_id = ${made.id}
        ) + (
          select count(*)
          from projects
          where id = ${id}
        ) as n`;
      return left!.n === 0;
    });
  } finally {
    await sql.end();
  }
});
