import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { defaultDataProtection, type PiiType } from '@paddock/contract';
import { foundBy, runControl, statusOf } from '../../../../../test/controls.ts';
import { deploy, type Platform, reaches, startPlatform, until } from '../../../../../test/platform.ts';
import { atEnd } from '../../../../../test/postgres.ts';
import type { Api } from '../../../../../test/server.ts';
import { teamOf } from '../../../../../test/team-of.ts';
import { connect, type Sql } from '../../../../db/connect.ts';
import { agentMonitorControl } from './mon-03-agent-monitors.ts';
import { redactionControl } from './pii-01-redaction.ts';
import { storedTextControl } from './pii-02-stored-texts.ts';
import { logRedactionControl } from './pii-04-log-redaction.ts';

const card = '4012 8888 8888 1881';

/** Writes the requested text to its log and its response. */
const agent = `
require('node:http').createServer((request, response) => {
  const said = new URL(request.url, 'http://agent').searchParams.get('say');
  if (said) console.log(said);
  response.end(said ?? 'up');
}).listen(process.env.PORT);
`;

let paddock: Platform;
let sql: Sql;
before(async () => {
  paddock = await startPlatform(undefined);
  sql = connect(paddock.databaseUrl, { max: 2, name: 'controls' });
  atEnd(() => sql.end());
});

/** A team with an agent that serves. */
async function serving(name: string) {
  const { api } = await paddock.person();
  const { id: project_id } = await api.projects.create({ name });
  const [{ team_id, subdomain }] = await sql<[{ team_id: string; subdomain: string }]>`
    select team_id, subdomain
    from projects
    where id = ${project_id}`;
  const { id } = await deploy(api, project_id, { 'server.js': agent });
  await reaches(api, id, ['active']);
  /** Returns once the line is stored. */
  async function say(words: string) {
    await paddock.visit(`${subdomain}.localhost`, `/?say=${encodeURIComponent(words)}`);
    await until('the line is stored', async () => (await api.logs.list({ id, search: words })).logs.length > 0);
  }
  return { api, project_id, team_id, id, say };
}

const protect = (api: Api, id: string, more: Partial<typeof defaultDataProtection> = {}) =>
  api.governance.setDataProtection({ id, ...defaultDataProtection, redact_logs: true, ...more });
const allowing = (type: PiiType) => ({ ...defaultDataProtection.rules, [type]: { action: 'allow', traffic: 'none' } as const });

test('a project with a live agent whose types or lines are not redacted is found by a control of each, and passes once they are', async () => {
  const { api, project_id, team_id } = await serving('redacted');
  const control = redactionControl({ sql });
  const logs = logRedactionControl({ sql });
  assert.equal(await statusOf(control, team_id), 'passed', 'lines are no matter of it');
  const [lines] = await foundBy(logs, team_id);
  assert.deepEqual([lines?.type, lines?.id, lines?.name], ['project', project_id, 'redacted']);
  assert.equal(lines?.finding, 'Log lines of this project are stored as the agent printed them.');
  assert.equal(lines?.fix?.path, `/settings?tab=data-protection&project=${project_id}`);
  await protect(api, project_id, { rules: allowing('Phone') });
  assert.equal((await foundBy(control, team_id))[0]?.finding, 'This project may store Phone unmasked in bodies, spans and log lines.');
  assert.equal(await statusOf(logs, team_id), 'passed');
  await protect(api, project_id);
  assert.equal(await statusOf(control, team_id), 'passed');
});

test('a card number in a stored line and in a recorded body is found without a digit of it, and is not once both are redacted', async () => {
  const { api, project_id, team_id, say } = await serving('cards');
  const control = storedTextControl({ sql });
  await say('nothing to see, order 12345');
  assert.equal(await statusOf(control, team_id), 'passed');

  await say(`card ${card}`);
  const outcome = await runControl(control, team_id);
  const [found] = outcome.resources;
  assert.deepEqual([found?.status, found?.type, found?.id, found?.name], ['failed', 'project', project_id, 'cards']);
  assert.match(found?.finding ?? '', /^1 stored text by chance \(log lines\) holds a card number as it is\.$/);
  assert.ok(!/4012|8888|1881/.test(JSON.stringify(outcome)));
  assert.match(JSON.stringify(found?.evidence), /"source":"log","place":"\d+","deployment_id":"dep_/);

  // The project allows card numbers in bodies, which no project may keep.
  await protect(api, project_id, { rules: allowing('Credit Card') });
  await until('the gateway heeds it, and the trail has the answer', async () => {
    await paddock.visit('cards.localhost', `/?say=${encodeURIComponent(`card ${card}`)}`);
    return (await foundBy(control, team_id)).some(({ finding }) => finding.includes('payloads of the audit trail'));
  });

  await protect(api, project_id);
  await api.projects.delete({ id: project_id });
  await until(
    'the lines of the project are gone',
    async () => (await sql`select 1 from log_lines where team_id = ${team_id}`).length === 0,
  );
  // Removes payloads as an erasure does.
  await sql.begin(async (tx) => {
    await tx`select set_config('paddock.erasing', 'erasure', true)`;
    await tx`delete from audit_payloads where team_id = ${team_id}`;
  });
  const redacted = await api.projects.create({ name: 'masked-cards' });
  await protect(api, redacted.id);
  const { id } = await deploy(api, redacted.id, { 'server.js': agent });
  await reaches(api, id, ['active']);
  await paddock.visit('masked-cards.localhost', `/?say=${encodeURIComponent(`card ${card}`)}`);
  await until('the masked line is stored', async () => (await api.logs.list({ id, search: 'CREDIT_CARD' })).logs.length === 1);
  assert.equal(await statusOf(control, team_id), 'passed');
});

test('a team without an agent that serves has nothing to look at', async () => {
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name: 'empty' });
  const team_id = await teamOf(sql, { project_id: id });
  const { resources } = await runControl(redactionControl({ sql }), team_id);
  assert.deepEqual(resources, []);
  assert.equal(await statusOf(logRedactionControl({ sql }), team_id), 'not_applicable');
});

test('an agent that nobody looks at, whose rules are off, and a full disk are found, and pass once mended', async () => {
  const { api, project_id, team_id, id } = await serving('watched');
  const { dataDir } = paddock;
  const disk = { blocks: 100, bavail: 50 };
  const control = agentMonitorControl({ sql, dataDir, disk: async () => disk });
  await until(
    'its node has looked at the agent',
    async () => (await sql`select 1 from usage_minutes where deployment_id = ${id}`).length > 0,
  );
  assert.equal(await statusOf(control, team_id), 'passed');
  assert.equal((await runControl(agentMonitorControl({ sql, dataDir }), team_id)).resources.length, 2, 'the real disk can be read');

  await api.alertRules.update({ id: project_id, rule: 'agent_down', is_on: false });
  const [off] = await foundBy(control, team_id);
  assert.deepEqual(
    [off?.finding, off?.fix?.path],
    ['Alert rules of this agent are off: Agent down.', `/settings?tab=alerts&project=${project_id}`],
  );
  await api.alertRules.reset({ id: project_id, rule: 'agent_down' });
  assert.equal(await statusOf(control, team_id), 'passed');

  disk.bavail = 15;
  assert.equal((await foundBy(control, team_id))[0]?.finding, '15 % of the disk is free. It should be more than 20 %.');
  disk.bavail = 19.7;
  assert.equal((await foundBy(control, team_id))[0]?.finding, '19 % of the disk is free. It should be more than 20 %.');
  disk.bavail = 50;
  const gone = agentMonitorControl({
    sql,
    dataDir,
    disk: async () => Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' })),
  });
  assert.equal((await foundBy(gone, team_id, 'unverified'))[0]?.finding, 'The free space cannot be read (ENOENT).');

  await sql`update usage_minutes set at = at - interval '10 minutes' where deployment_id = ${id}`;
  const [quiet] = await foundBy(control, team_id);
  assert.match(
    quiet?.finding ?? '',
    /^The last figures of this agent are from 1\d minutes ago; they should be no older than five minutes\.$/,
  );
  assert.equal(quiet?.fix?.path, `/deployments/${id}`);
  await until('its node looked again', async () => (await foundBy(control, team_id)).length === 0);
});
