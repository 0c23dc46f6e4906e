import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { auditEvent, auditedPerson, auditSteps } from '../../../../test/audit.ts';
import { askErasure } from '../../../../test/erasures.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { startApi } from '../../../../test/server.ts';

let world: Awaited<ReturnType<typeof startApi>>;
let steps: Awaited<ReturnType<typeof auditSteps>>;
before(async () => {
  world = await startApi({ after: atEnd });
  steps = await auditSteps(world);
});

/** A team whose audit trail has a body with this text, and another body. */
async function teamWith(text: string) {
  const { api, team_id } = await auditedPerson(world);
  const body = (note: string) => auditEvent(team_id, { input_data: { method: 'POST', body: { note } } });
  await steps.handIn([body(`it is about ${text}, he said`), body('nothing of the kind')]);
  await steps.sequence();
  return { api, team_id };
}
const turn = () => world.features.dataSubjects.jobs[0]!.run(AbortSignal.timeout(30_000));
type Api = Awaited<ReturnType<typeof teamWith>>['api'];

async function done(api: Api, kind: 'find' | 'erase', identifiers: string[]) {
  const { id } = kind === 'erase' ? await askErasure(api, identifiers, turn) : await api.dataSubjects.create({ kind, identifiers });
  await turn();
  await turn(); // ten requests per turn, and others wait as well
  const request = await api.dataSubjects.get({ id });
  return { ...request, records: request.places.find(({ place }) => place === 'records') };
}

test('an identifier is looked for as it stands, in any case, whatever it means to a pattern, and in the own team alone', async () => {
  for (const text of ['50%_off(a.b)+[c]', 'back\\slash "quoted"', 'Æthel.Ünal@example.com', 'a|bcd', "o'brien $1 \\1"]) {
    const { api } = await teamWith(text);
    await teamWith(text);
    assert.equal((await done(api, 'find', [text.toUpperCase() === text ? text : swapped(text)])).records?.found, 1, text);
    assert.equal((await done(api, 'find', [text.replace(/.$/, '~')])).records?.found, 0, text);
  }
  for (const text of ['50%_off(a.b)+[c]', 'Æthel.Ünal@example.com "quoted"']) {
    const { api } = await teamWith(text);
    await teamWith(text);
    const erased = await done(api, 'erase', [text]);
    assert.deepEqual([erased.status, erased.records?.erased], ['completed', 1], text);
    assert.equal((await done(api, 'find', [text])).records?.found, 0);
    const { logs } = await api.governance.auditLogs({});
    assert.equal(logs.filter(({ is_erased }) => is_erased).length, 1, 'only the record that had it');
    assert.equal((await api.governance.verifyAuditLogs({})).valid, true);
  }
  const swappedTeam = await teamWith('not mine');
  await done((await teamWith('something else')).api, 'erase', ['not mine']);
  assert.equal((await done(swappedTeam.api, 'find', ['not mine'])).records?.found, 1, 'another team’s records stay');
});

const swapped = (text: string) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());

test('who was asked about is kept by nobody once the request is done, and a request of another team is not to be had', async () => {
  const { api } = await teamWith('sealed.person@example.com');
  const { id, reference } = await api.dataSubjects.create({
    kind: 'find',
    identifiers: ['sealed.person@example.com'],
    reference: 'mail of Sealed.Person@example.com, 3 May',
  });
  assert.equal(reference, 'mail of [ERASED], 3 May');
  const stored = async () => {
    const [row] = await world.sql`
      select r.*, r::text as text
      from data_subject_requests r
      where id = ${id}`;
    return row!;
  };
  assert.doesNotMatch((await stored()).text as string, /sealed\.person/i);
  await turn();
  assert.equal((await stored()).sealed, null);
  await assert.rejects((await teamWith('another')).api.dataSubjects.get({ id }), { code: 'data_subject_request_not_found' });
});

test('a request that a server left is taken up by another, and at most ten wait at once', async () => {
  const { api, team_id } = await teamWith('left.behind@example.com');
  const { id } = await api.dataSubjects.create({ kind: 'find', identifiers: ['left.behind@example.com'] });
  await world.sql`
    update data_subject_requests
    set status = 'running', taken_until = now() + interval '1 hour'
    where id = ${id}`;
  await turn();
  assert.equal((await api.dataSubjects.get({ id })).status, 'running', 'somebody works on it');
  await world.sql`
    update data_subject_requests
    set taken_until = now() - interval '1 second'
    where id = ${id}`;
  await turn();
  assert.equal((await api.dataSubjects.get({ id })).status, 'completed');

  const many = await Promise.allSettled(Array.from({ length: 14 }, () => api.dataSubjects.create({ kind: 'find', identifiers: ['left'] })));
  assert.equal(many.filter(({ status }) => status === 'fulfilled').length, 10, team_id);
  await assert.rejects(api.dataSubjects.create({ kind: 'find', identifiers: ['left'] }), { code: 'data_subject_requests_waiting' });
});

test('a fact of the trail that names a person is told, and stays', async () => {
  const { api, team_id } = await auditedPerson(world);
  await steps.handIn([auditEvent(team_id, { action: 'GET /people/known.person' })]);
  await steps.sequence();
  const { places, certificate } = await done(api, 'erase', ['known.person']);
  const facts = places.find(({ place }) => place === 'facts');
  assert.deepEqual([facts?.found, facts?.erased], [1, 0]);
  assert.match(certificate ?? '', /"erased":0,"found":1,"left":1,"place":"facts"/);
});
