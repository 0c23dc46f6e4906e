import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { unzipSync } from 'fflate';
import { Secret, TOTP } from 'otpauth';
import { auditedPerson, auditSteps } from '../../../../test/audit.ts';
import { codeOf, type OAuthWorld, somebody, startOAuthWorld } from '../../../../test/oauth-world.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { type Api, apiOf } from '../../../../test/server.ts';

let world: OAuthWorld;
before(async () => {
  world = await startOAuthWorld({ after: atEnd });
});

const itemsOf = async (api: Api, id: string, state: 'all' | 'undecided' = 'all') => (await api.accessReviews.items({ id, state })).items;
const itemOf = async (api: Api, id: string, name: string) => (await itemsOf(api, id)).find((item) => item.name === name)!;
const keepAll = async (api: Api, id: string) => {
  const items = (await itemsOf(api, id, 'undecided')).map((item) => item.id);
  if (items.length > 0) await api.accessReviews.decide({ id, decision: 'keep', items });
};
const newKey = async (api: Api, name: string) => api.apiKeys.create({ name, scopes: ['governance:read', 'projects:read'] });

test('a review lists people, what they sign in with and live keys, each with what it may do and when it was used', async () => {
  const { api, name, email } = await person();
  await world.link(api, 'github', somebody({ email: 'ada@code.example.com' }));
  const { secret } = await api.twoFactor.setUp({ password: 'correct horse battery' });
  await api.twoFactor.confirm({ code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() });
  const used = await newKey(api, 'used');
  await apiOf(world.origin, used.api_key).projects.list();
  await newKey(api, 'unused');
  const ended = await newKey(api, 'ended');
  await api.apiKeys.revoke({ id: ended.key_info.id });

  const review = await api.accessReviews.start();
  assert.deepEqual({ ...review, id: '', started_at: '' }, { ...fresh, started_by: name, entries: 4, undecided: 4 });
  const [own, github, unused, wasUsed, ...others] = await itemsOf(api, review.id);
  assert.deepEqual(others, []);
  assert.deepEqual([own?.kind, own?.name, own?.held_by, own?.grants], ['person', name, null, ['owner']]);
  assert.equal(own?.detail, `${email}. Signs in with a password, GitHub. Two-factor sign-in is on. 1 open session.`);
  assert.match(own?.last_used_at ?? '', /^\d{4}-/);
  assert.match(own?.cannot_revoke ?? '', /You cannot remove yourself/);
  assert.deepEqual([github?.kind, github?.name, github?.held_by, github?.cannot_revoke], ['identity', 'GitHub', name, null]);
  assert.match(github?.detail ?? '', /^ada@code\.example\.com at GitHub\. Linked on /);
  assert.deepEqual([unused?.kind, unused?.name, unused?.last_used_at], ['api_key', 'unused', null]);
  assert.deepEqual([wasUsed?.name, wasUsed?.grants, wasUsed?.held_by], ['used', ['projects:read', 'governance:read'], name]);
  assert.match(wasUsed?.detail ?? '', /^pk_live_\S+…\S{4}\. Made on .* Never expires\. Last used from 127\.0\.0\.1\.$/);
  assert.ok(wasUsed?.last_used_at);
});

test('what is revoked ends at once, what is kept works on, and both are in the completed review', async () => {
  const { api, name } = await person();
  await world.link(api, 'google', somebody());
  const [kept, revoked] = [await newKey(api, 'kept'), await newKey(api, 'revoked')];
  const { id } = await api.accessReviews.start();
  const [own, google, key] = [await itemOf(api, id, name), await itemOf(api, id, 'Google'), await itemOf(api, id, 'revoked')];
  const done = await api.accessReviews.decide({ id, decision: 'revoke', items: [google.id, key.id] });
  assert.deepEqual(done.refused, []);
  assert.deepEqual(
    done.items.map(({ name: of, decision, decided_by, is_gone }) => [of, decision, decided_by, is_gone]),
    [
      ['Google', 'revoke', name, true],
      ['revoked', 'revoke', name, true],
    ],
  );
  assert.equal(await codeOf(apiOf(world.origin, revoked.api_key).projects.list()), 'not_signed_in');
  assert.deepEqual((await api.oauth.identities()).identities, []);
  assert.deepEqual((await apiOf(world.origin, kept.api_key).projects.list()).projects, []);

  await assert.rejects(api.accessReviews.complete({ id }), { code: 'access_review_undecided', message: /^2 entries are not decided yet/ });
  await api.accessReviews.decide({ id, decision: 'keep', items: [own.id] });
  await assert.rejects(api.accessReviews.complete({ id }), { message: /^1 entry is not decided yet/ });
  await keepAll(api, id);
  const complete = await api.accessReviews.complete({ id });
  assert.deepEqual(
    [complete.completed_by, complete.entries, complete.undecided, complete.kept, complete.revoked, complete.gone],
    [name, 4, 0, 2, 2, 0],
  );
  const { reviews, due_at } = await api.accessReviews.list();
  assert.deepEqual(reviews, [complete]);
  assert.equal(Date.parse(due_at ?? ''), Date.parse(complete.completed_at ?? '') + 180 * 86_400_000);
  assert.equal(await codeOf(api.accessReviews.decide({ id, decision: 'revoke', items: [own.id] })), 'access_review_completed');
  assert.deepEqual(await api.accessReviews.complete({ id }), complete, 'a repeated press changes nothing');
  assert.deepEqual(await api.accessReviews.get({ id }), complete);
});

test('what may not be revoked stays undecided, says why, and does not keep the others from being revoked', async () => {
  const { token } = await world.enter('gitlab', somebody({ name: 'Grace' }));
  const api = world.as(token);
  const key = await newKey(api, 'ci');
  const { id } = await api.accessReviews.start();
  const all = await itemsOf(api, id);
  const done = await api.accessReviews.decide({ id, decision: 'revoke', items: all.map((item) => item.id) });
  assert.deepEqual(
    done.refused.map(({ name, reason }) => [name, reason.split('.')[0]]),
    [
      ['Grace', 'You cannot remove yourself'],
      ['GitLab', 'This is the only way to sign in to your account'],
    ],
  );
  assert.equal(done.review.undecided, 2);
  assert.equal(await codeOf(apiOf(world.origin, key.api_key).projects.list()), 'not_signed_in');
  assert.equal((await api.oauth.identities()).identities.length, 1);
});

test('what ended meanwhile needs no decision; what came since is asked for; a rotated key is the same entry', async () => {
  const { api } = await person();
  const [gone, rotated] = [await newKey(api, 'gone'), await newKey(api, 'rotated')];
  const { id } = await api.accessReviews.start();
  await api.apiKeys.revoke({ id: gone.key_info.id });
  const next = await api.apiKeys.rotate({ id: rotated.key_info.id });
  await keepAll(api, id);
  assert.deepEqual([(await itemOf(api, id, 'gone')).is_gone, (await itemOf(api, id, 'rotated')).is_gone], [true, false]);
  await newKey(api, 'late');
  await assert.rejects(api.accessReviews.complete({ id }), { code: 'access_review_undecided' });
  assert.deepEqual(
    (await itemsOf(api, id, 'undecided')).map(({ name }) => name),
    ['late'],
  );
  await api.accessReviews.decide({ id, decision: 'revoke', items: [(await itemOf(api, id, 'rotated')).id] });
  assert.equal(await codeOf(apiOf(world.origin, next.api_key).projects.list()), 'not_signed_in', 'the key in its place ends');
  const late = await itemOf(api, id, 'late');
  const keep = await api.accessReviews.decide({ id, decision: 'keep', items: [late.id, (await itemOf(api, id, 'rotated')).id] });
  assert.deepEqual(
    keep.refused.map(({ reason }) => reason),
    ['It is revoked already.'],
  );
  const complete = await api.accessReviews.complete({ id });
  assert.deepEqual([complete.kept, complete.revoked, complete.gone], [2, 1, 1]);
  const ofGone = await itemOf(api, id, 'gone');
  assert.deepEqual([ofGone.decision, ofGone.decided_by], ['gone', null]);
});

test('two who start, decide and complete at once make one review, one decision and one record of each', async () => {
  const { api, token, team_id } = await auditedPerson(world);
  const again = apiOf(world.origin, token);
  await newKey(api, 'both');
  const [one, other] = await Promise.all([api.accessReviews.start(), again.accessReviews.start()]);
  assert.equal(one.id, other.id);
  const { id } = one;
  const { id: key } = await itemOf(api, id, 'both');
  await Promise.all([api, again].map((each) => each.accessReviews.decide({ id, decision: 'revoke', items: [key] })));
  await keepAll(api, id);
  const [first, second] = await Promise.all([api.accessReviews.complete({ id }), again.accessReviews.complete({ id })]);
  assert.deepEqual(first, second);
  const steps = await auditSteps(world);
  await steps.sequence();
  const { logs } = await api.governance.auditLogs({ limit: 50 });
  const actions = logs.map(({ action }) => action).filter((action) => /^access-review|^api-key\.revoke/.test(action));
  assert.deepEqual(actions.toSorted(), [
    'access-review.complete',
    'access-review.decide',
    'access-review.decide',
    'access-review.start',
    'api-key.revoke',
  ]);
  assert.deepEqual(
    logs.filter(({ action }) => action === 'api-key.revoke').map(({ targets }) => targets[0]?.name),
    ['both'],
    `of ${team_id}`,
  );
});

test('a hundred keys are read page by page and decided in a few calls; an unknown entry changes nothing', async () => {
  const { api } = await person();
  for (let n = 0; n < 100; n++) await newKey(api, `key ${n}`);
  const { id, entries } = await api.accessReviews.start();
  assert.equal(entries, 101);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Api['accessReviews']['items']>> = await api.accessReviews.items({
      id,
      limit: 40,
      ...(cursor === null ? {} : { cursor }),
    });
    seen.push(...page.items.map((item) => item.id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  assert.equal(new Set(seen).size, 101);
  await assert.rejects(api.accessReviews.items({ id, cursor: 'ari_none' }), { code: 'cursor_invalid' });
  await assert.rejects(api.accessReviews.decide({ id, decision: 'revoke', items: [seen[1]!, 'ari_none'] }), {
    code: 'access_review_item_not_found',
  });
  assert.equal((await api.accessReviews.get({ id })).undecided, 101);
  await api.accessReviews.decide({ id, decision: 'revoke', items: seen.slice(1) });
  assert.equal((await api.apiKeys.list({ limit: 500 })).api_keys.filter(({ is_active }) => is_active).length, 0);
  assert.deepEqual(
    (await itemsOf(api, id, 'undecided')).map((item) => item.id),
    [seen[0]],
  );
});

test('a key reads reviews, and neither decides nor completes one', async () => {
  const { api } = await person();
  const { id } = await api.accessReviews.start();
  const byKey = apiOf(world.origin, (await newKey(api, 'reader')).api_key);
  const [item] = await itemsOf(byKey, id);
  assert.equal((await byKey.accessReviews.list()).reviews.length, 1);
  const { start, decide, complete } = byKey.accessReviews;
  assert.equal(await codeOf(start()), 'session_needed');
  assert.equal(await codeOf(decide({ id, decision: 'keep', items: [item!.id] })), 'session_needed');
  assert.equal(await codeOf(complete({ id })), 'session_needed');
});

test('the evidence for an auditor has completed reviews with every decision, and open ones not', async () => {
  const { api, token, name } = await person();
  const { id } = await api.accessReviews.start();
  const files = async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const url = `${world.origin}/api/v1/governance/compliance/soc2/evidence`;
    return unzipSync(new Uint8Array(await (await fetch(url, { method: 'POST', headers, body: '{}' })).arrayBuffer()));
  };
  assert.ok(!Object.keys(await files()).includes('access-reviews.json'));
  await keepAll(api, id);
  const complete = await api.accessReviews.complete({ id });
  const [{ items, ...review }] = JSON.parse(new TextDecoder().decode((await files())['access-reviews.json']));
  assert.deepEqual(review, complete);
  assert.deepEqual([items[0].name, items[0].decision, items[0].decided_by], [name, 'keep', name]);
});

const fresh = {
  id: '',
  started_at: '',
  completed_at: null,
  completed_by: null,
  kept: 0,
  revoked: 0,
  gone: 0,
};

async function person() {
  const { api, email, token } = await world.person();
  const { user } = await api.apiKeys.validate();
  return { api, email, token, name: user.name };
}
