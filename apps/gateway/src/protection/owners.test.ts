import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { projectTokenKey, tokeniser } from '@paddock/pii';
import { eventsIn, recordsOf } from '../../test/audit.ts';
import { type Agent, echo, type Fixture, startAgent, startFixture, until } from '../../test/fixture.ts';
import { everywhere, own, protect } from '../../test/protection.ts';

const auditTokenKey = randomBytes(32);
const owners = { one: { team_id: 'team_1', project_id: 'prj_1' }, other: { team_id: 'team_2', project_id: 'prj_2' } };
type Label = keyof typeof owners;

let fixture: Fixture;
let agent: Agent;
before(async () => {
  // A busy machine may scan a body for longer than visitors would wait. Bodies over 200 characters go to the thread.
  fixture = await startFixture({ limits: { scanMs: 9_000, scanInlineLength: 200 }, audit: { auditTokenKey } });
  agent = await startAgent(echo());
  await fixture.route('one', agent);
  await fixture.route('other', agent, 'dep_other');
  await own(fixture, 'other', owners.other);
});
after(async () => {
  await fixture.close();
  await agent.close();
});

async function protectBoth(settings: Parameters<typeof protect>[2]): Promise<void> {
  await protect(fixture, 'one', settings, owners.one);
  await protect(fixture, 'other', settings, owners.other);
}

async function send(label: Label, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fixture.fetch(label, '/', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { received: JSON.parse(String(answer.json().body)) as Record<string, string>, id: answer.headers['x-request-id'] };
}

async function recordedBody(id: unknown) {
  const has = async () => (await eventsIn(fixture.database)).filter(({ metadata }) => metadata.request_id === id).length === 2;
  await until(has, 'both records have come');
  return recordsOf(await eventsIn(fixture.database), id).request.input_data.body;
}

for (const { title, padding } of [
  { title: 'a short body', padding: '' },
  { title: 'a body that is scanned in the thread', padding: 'word '.repeat(100) },
])
  test(`a value has one token in all traffic and records of a project, and another in another project: ${title}`, async () => {
    await protectBoth({ rules: { SSN: everywhere('tokenise') } });
    const tokens: string[] = [];
    for (const [label, { project_id }] of Object.entries(owners)) {
      const { received, id } = await send(label as Label, { ssn: '536-90-4399', padding });
      assert.equal(received.ssn, tokeniser(projectTokenKey(auditTokenKey, project_id))('SSN', '536-90-4399'));
      assert.deepEqual(await recordedBody(id), received);
      tokens.push(received.ssn);
    }
    assert.notEqual(tokens[0], tokens[1]);
  });

test('a value becomes a token of its project in records alone, where traffic is left as it is', async () => {
  await protectBoth({ rules: { SSN: { action: 'tokenise', traffic: 'none' } } });
  for (const [label, { project_id }] of Object.entries(owners)) {
    const { received, id } = await send(label as Label, { ssn: '536-90-4399' });
    assert.equal(received.ssn, '536-90-4399');
    const token = tokeniser(projectTokenKey(auditTokenKey, project_id))('SSN', '536-90-4399');
    assert.deepEqual(await recordedBody(id), { ssn: token });
  }
});

test('a value that was found in a trace masks nothing in traffic and records of another team or project that names the same trace', async () => {
  await protectBoth({ rules: { SSN: everywhere('mask') } });
  const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
  const bare = { note: '536904399 it is' };
  assert.deepEqual((await send('one', { ssn: '536-90-4399' }, { traceparent })).received, { ssn: '[SSN]' });
  const elsewhere = await send('other', bare, { traceparent });
  assert.deepEqual(elsewhere.received, bare);
  assert.deepEqual(await recordedBody(elsewhere.id), bare);
  const { received } = await send('one', bare, { traceparent });
  assert.deepEqual(received, { note: '[SSN] it is' }, 'its own project still knows the value');
});
