import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Agent, ask, echo, type Fixture, startAgent, startFixture, until } from '../../test/fixture.ts';
import { limits } from '../limits.ts';
import { createRouteRefresh } from './route-refresh.ts';

let fixture: Fixture;
let agent: Agent;
before(async () => {
  fixture = await startFixture();
  agent = await startAgent(echo());
});
after(async () => {
  await fixture.close();
  await agent.close();
});

test('the label in Host decides which agent answers, and the agent sees the path untouched', async () => {
  const other = await startAgent((_req, res) => res.end('other'));
  await fixture.route('chat', agent);
  await fixture.route('other--preview', other);
  const path = '//a/..;/%2f%00?x=%0d%0a&y=1';
  const answer = await fixture.fetch('chat', path);
  assert.equal(answer.status, 200);
  assert.equal(answer.json().url, path);
  assert.equal((await fixture.fetch('other--preview')).body, 'other');
  assert.equal((await ask(fixture.gateway.port, 'CHAT.LocalHost', '/', {})).status, 200);
  await other.close();
});

test('a route that is added, moved or deleted takes effect without a restart', async () => {
  await fixture.route('moving', 'starting');
  assert.equal((await fixture.fetch('moving')).status, 503);
  await fixture.route('moving', agent);
  assert.equal((await fixture.fetch('moving')).status, 200);
  await fixture.database.sql`delete from routes where label = 'moving'`;
  await until(async () => (await fixture.fetch('moving')).status === 404, 'the deleted route is gone');
});

test('an agent that serves already is reached at once, though the notice of it has not come', async () => {
  await fixture.route('early', 'starting');
  assert.equal((await fixture.fetch('early')).status, 503);
  // Ten concurrent requests read the database once; within the pause after a read the known route is used.
  assert.equal((await fixture.fetch('early')).status, 503);
  await new Promise((resolve) => setTimeout(resolve, limits.lookAgainMs + 100));
  await fixture.database.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`; // no trigger, so no notice
    await sql`update routes set state = 'active', target_host = '127.0.0.1', target_port = ${agent.port}, deployment_id = coalesce(deployment_id, 'dep_early') where label = 'early'`;
  });
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => fixture.fetch('early', `/${n}`, { headers: { 'x-n': `${n}` } })));
  const received = answers.map((one) => ({ status: one.status, ...one.json() }) as { status: number; url: string; headers: object });
  assert.deepEqual(
    received.map(({ status, url, headers }) => [status, url, Reflect.get(headers, 'x-n')]),
    answers.map((_, n) => [200, `/${n}`, `${n}`]),
  );
});

test('an agent that serves already is reached at once, though the gateway has not heard of it, or last heard that it had stopped', async () => {
  await fixture.route('was-stopped', 'stopped');
  await until(async () => (await fixture.fetch('was-stopped')).json().code === 'agent_stopped', 'the gateway knows that it stopped');
  await fixture.route('never-heard-model', agent);
  await new Promise((resolve) => setTimeout(resolve, limits.lookAgainMs + 100));
  await fixture.database.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`; // no trigger, so no notice
    await sql`update routes set label = 'never-heard' where label = 'never-heard-model'`;
    await sql`update routes set state = 'active', target_host = '127.0.0.1', target_port = ${agent.port}, deployment_id = coalesce(deployment_id, 'dep_was_stopped') where label = 'was-stopped'`;
  });
  for (const label of ['never-heard', 'was-stopped']) assert.equal((await fixture.fetch(label)).status, 200, label);
});

test('visitors who invent names make the gateway look for a few of them only', async () => {
  const asked: string[] = [];
  const { look } = createRouteRefresh({ pauseMs: 60_000, max: 2 }, async (label) => {
    asked.push(label);
    return undefined;
  });
  const found = ['one', 'two', 'three', 'two'].map((label) => look(label));
  assert.deepEqual(asked, ['one', 'two']);
  assert.equal(found[2], undefined);
  assert.equal(found[3], found[1], 'who asks for the same shares the answer');
  await Promise.all(found.filter((one) => one !== undefined));
});

test('each state of a route has its page, as HTML for browsers and as problem+json for programs', async () => {
  await fixture.route('starting', 'starting');
  await fixture.route('stopped', 'stopped');
  await fixture.route('crashed', 'crashed');
  const table = [
    ['nobody', 404, 'agent_not_found', 'No agent at this address'],
    ['starting', 503, 'agent_starting', 'The agent is starting'],
    ['stopped', 503, 'agent_stopped', 'The agent is stopped'],
    ['crashed', 502, 'agent_crashed', 'The agent has crashed'],
  ] as const;
  for (const [label, status, code, title] of table) {
    const problem = await fixture.fetch(label, '/', { headers: { accept: '*/*' } });
    assert.equal(problem.status, status);
    assert.equal(problem.headers['content-type'], 'application/problem+json');
    const { detail, request_id, ...rest } = problem.json();
    assert.deepEqual(rest, { type: 'about:blank', title, status, code });
    assert.ok(String(detail).length > 20);
    assert.equal(request_id, problem.headers['x-request-id']);

    const page = await fixture.fetch(label, '/', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    assert.equal(page.status, status);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(page.body, new RegExp(`<h1>${title}</h1>`));
    assert.match(page.body, /http:\/\/console\.test:4000/);
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-[\w+/=]+';/);
    assert.doesNotMatch(page.body, /<script/);
    assert.equal(page.body.includes('http-equiv="refresh"'), label === 'starting');
    assert.equal(page.headers['retry-after'], label === 'starting' ? '2' : undefined);
    assert.equal((await fixture.fetch(label, '/', { method: 'HEAD' })).body, '');
  }
});

test('a host outside the agent domain answers its health and nothing else', async () => {
  const { port } = fixture.gateway;
  for (const path of ['/healthz', '/readyz', '/livez']) {
    const health = await ask(port, '127.0.0.1', path, {});
    assert.deepEqual([health.status, health.body], [200, 'ok\n']);
  }
  for (const host of ['127.0.0.1', 'localhost', 'a.b.localhost', '-x.localhost', '[::1]'])
    assert.equal((await ask(port, host, '/', {})).status, 404, host);
});

test('a page never repeats a host as markup', async () => {
  const page = await fixture.raw(`GET / HTTP/1.1\r\nHost: <b>.localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n`);
  assert.match(page, /^HTTP\/1\.1 400 /);
  assert.doesNotMatch(page, /<b>/);
});

test('what an active policy of the team wants redacted is masked whatever the settings of a project allow, until it is archived', async () => {
  const { sql } = fixture.database;
  await fixture.route('ruled', agent);
  const actionNow = () => fixture.gateway.findRoute('ruled')?.protection.rules.Email.action;
  const becomes = (action: string) => until(() => actionNow() === action, `e-mail addresses are set to ${action}`);
  await sql`
    insert into data_protection (project_id, team_id, settings)
    values ('prj_1', 'team_1', '{"rules": {"Email": {"action": "allow", "traffic": "none"}}}')`;
  await becomes('allow');
  await sql`
    insert into policies (id, team_id, name, description, type, status, rules, redacts)
    values ('pol_1', 'team_1', 'Strict', '', 'data_privacy', 'active', '{Redact Email}', '{Email}')`;
  await becomes('mask');
  await sql`update policies set status = 'archived'`;
  await becomes('allow');
  await sql`delete from data_protection`;
});
