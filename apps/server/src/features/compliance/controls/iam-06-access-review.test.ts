import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { auditedPerson } from '../../../../test/audit.ts';
import { checked } from '../../../../test/compliance.ts';
import { foundBy, statusOf } from '../../../../test/controls.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { type Api, startApi } from '../../../../test/server.ts';
import { accessReviewControl } from './access-review.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

const keepAll = async (api: Api, id: string) => {
  const { items } = await api.accessReviews.items({ id, state: 'undecided' });
  await api.accessReviews.decide({ id, decision: 'keep', items: items.map((item) => item.id) });
};

test('IAM-06: without a completed review, and 181 days after the last one, the control fails; in between it passes', async () => {
  const { api, team_id } = await auditedPerson(world);
  const before = await checked(api, 'IAM-06');
  assert.deepEqual([before.status, before.findings], ['failed', ['No access review was completed yet.']]);
  const { id } = await api.accessReviews.start();
  assert.match((await checked(api, 'IAM-06')).findings.join(), /A review is open, with 1 undecided entry\.$/);
  await keepAll(api, id);
  await api.accessReviews.complete({ id });
  const after = await checked(api, 'IAM-06');
  assert.deepEqual(
    [after.status, after.resources[0]?.finding.split(':')[0]],
    ['passed', 'The last access review was completed 0 days ago'],
  );
  const accessReviews = world.features.accessReviews.exports;
  const later = (days: number) => accessReviewControl({ accessReviews, now: () => Date.now() + days * 86_400_000 });
  assert.equal(await statusOf(later(180), team_id), 'passed');
  assert.match((await foundBy(later(181), team_id))[0]?.finding ?? '', /completed 181 days ago; PCI DSS 7\.2\.4 allows 180 days/);
});

test('IAM-06: something that a review revoked and that works again is found', async () => {
  const { api } = await world.person();
  const { key_info } = await api.apiKeys.create({ name: 'undead', scopes: ['projects:read'] });
  const { id } = await api.accessReviews.start();
  await api.accessReviews.decide({
    id,
    decision: 'revoke',
    items: [(await api.accessReviews.items({ id })).items.find(({ name }) => name === 'undead')!.id],
  });
  await keepAll(api, id);
  await api.accessReviews.complete({ id });
  assert.equal((await checked(api, 'IAM-06')).status, 'passed');
  // The product cannot restore a revoked key; a manual change in the database can.
  await world.sql`update api_keys set revoked_at = null where id = ${key_info.id}`;
  const found = await checked(api, 'IAM-06');
  assert.deepEqual([found.status, found.ids], ['failed', [key_info.id]]);
  assert.match(found.findings.join(), /revoked this, and it is there all the same/);
});
