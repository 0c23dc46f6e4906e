import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contract } from '@paddock/contract';
import { pressErase } from '../../test/erasures.ts';
import { atEnd } from '../../test/postgres.ts';
import { type PressedWorld, pressedWorld } from '../../test/pressed.ts';
import { type Api, apiOf } from '../../test/server.ts';

const pressed = 6;
const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
type Key = { idempotency_key: string };
/** Prepares a case; returns how to make the call and how to count its effect: any number of presses adds one. */
type Case = (
  w: PressedWorld,
) => Promise<{ press: (api: Api, key: Key) => Promise<unknown>; count: () => Promise<number>; shownOnce?: true }>;

const cases: Record<string, Case> = {
  '/projects': async ({ rows }) => ({
    press: (api, key) => api.projects.create({ name: 'another' }, key),
    count: () => rows('projects'),
  }),
  '/deployments': async ({ rows, upload }) => ({
    press: (api, key) => api.deployments.create(upload(), key),
    count: () => rows('deployments'),
  }),
  '/deployments/sample': async ({ rows, project_id }) => ({
    press: (api, key) => api.deployments.sample({ project_id, sample: 'job' }, key),
    count: () => rows('deployments'),
  }),
  '/deployments/:id/redeploy': async ({ rows, active }) => {
    const id = await active();
    return { press: (api, key) => api.deployments.redeploy({ id }, key), count: () => rows('deployments') };
  },
  '/deployments/:id/rollback': async ({ rows, active }) => {
    const id = await active();
    return { press: (api, key) => api.deployments.rollback({ id }, key), count: () => rows('deployments') };
  },
  '/deployments/:id/stop': async ({ sql, active }) => {
    const id = await active();
    const count = async () => (await sql<[{ fence: number }]>`select fence::int as fence from deployments where id = ${id}`)[0].fence;
    return { press: (api, key) => api.deployments.stop({ id }, key), count };
  },
  '/deployments/:id/restart': async ({ sql, active }) => {
    const id = await active();
    const count = async () => (await sql<[{ fence: number }]>`select fence::int as fence from deployments where id = ${id}`)[0].fence;
    return { press: (api, key) => api.deployments.restart({ id }, key), count };
  },
  '/deployments/:id/cancel': async ({ sql, api: own, upload }) => {
    const { id } = await own.deployments.create(upload());
    const count = async () => (await sql<[{ fence: number }]>`select fence::int as fence from deployments where id = ${id}`)[0].fence;
    return { press: (api, key) => api.deployments.cancel({ id }, key), count };
  },
  '/databases/:id/rotate-password': async ({ sql, rows, database }) => {
    const id = await database();
    // Simulates the node that has the database.
    await sql`create function done() returns trigger language plpgsql as 'begin new.status := ''done''; return new; end'`;
    await sql`create trigger done before insert on database_tasks for each row execute function done()`;
    return { press: (api, key) => api.databases.rotatePassword({ id }, key), count: () => rows('database_tasks') };
  },
  '/databases/:id/backups': async ({ rows, database }) => {
    const id = await database();
    return { press: (api, key) => api.databases.createBackup({ id }, key), count: () => rows('database_backups') };
  },
  '/databases/:id/backups/:backup_id/restore': async ({ sql, rows, api: own, database }) => {
    const id = await database();
    const backup = await own.databases.createBackup({ id });
    await sql`update database_backups set status = 'available', finished_at = now(), size_bytes = 1`;
    await sql`update database_tasks set status = 'done'`;
    const press = (api: Api, key: Key) => api.databases.restore({ id, backup_id: backup.id, into: 'new' }, key);
    return { press, count: () => rows('databases') };
  },
  '/api-keys': async ({ rows }) => ({
    press: (api, key) => api.apiKeys.create({ name: 'pressed', scopes: ['agents:read'] }, key),
    count: () => rows('api_keys'),
    shownOnce: true,
  }),
  '/api-keys/:id/rotate': async ({ rows, api: own }) => {
    const { key_info } = await own.apiKeys.create({ name: 'pressed', scopes: ['agents:read'] });
    return { press: (api, key) => api.apiKeys.rotate({ id: key_info.id }, key), count: () => rows('api_keys'), shownOnce: true };
  },
  '/governance/data-subject-requests': async ({ rows }) => ({
    press: (api, key) => api.dataSubjects.create({ kind: 'find', identifiers: ['ada@example.com'] }, key),
    count: () => rows('data_subject_requests'),
  }),
  '/governance/data-subject-requests/:id/erase': pressErase,
  '/billing/subscription': async ({ rows }) => ({
    press: (api, key) => api.billing.subscribe({ plan: 'pro', payment_method_id: 'pm_card_visa' }, key),
    count: () => rows('billing_documents'),
  }),
  '/governance/access-reviews': async ({ rows }) => ({
    press: (api, key) => api.accessReviews.start({}, key),
    count: () => rows('access_reviews'),
  }),
  '/governance/controls/:control/waivers': async ({ rows }) => ({
    press: (api, key) => {
      const waiver = { control: 'KEY-02', owner: 'Ada', reason: 'It is replaced next month', expires_at: tomorrow } as const;
      return api.compliance.createWaiver(waiver, key);
    },
    count: () => rows('compliance_waivers'),
  }),
  '/governance/policies': async ({ rows }) => ({
    press: (api, key) => api.policies.create({ name: 'pressed', rules: ['Be kind'] }, key),
    count: () => rows('policies'),
  }),
  // An address that needs no DNS lookup; nothing is sent to it.
  '/channels': async ({ rows }) => ({
    press: (api, key) => api.channels.create({ name: 'pressed', type: 'webhook', url: 'https://93.184.216.34/hook' }, key),
    count: () => rows('channels'),
    shownOnce: true,
  }),
};

/** Calls that are idempotent without a key, or whose response holds a secret and is never stored. */
const sameTwice = [
  ...['/billing/subscription/resume', '/billing/payment-method/page', '/billing/payment/confirm'],
  ...['/governance/access-reviews/:id/decisions', '/governance/access-reviews/:id/complete'],
  ...['/auth/signup', '/auth/login', '/auth/logout', '/auth/forgot-password', '/auth/reset-password', '/auth/verify-email'],
  ...['/auth/verify-email/resend', '/auth/email', '/auth/email/confirm', '/auth/sessions/end-others', '/auth/delete-account'],
  ...['/auth/two-factor', '/auth/two-factor/confirm', '/auth/two-factor/recovery-codes', '/auth/two-factor/disable'],
  ...['/oauth/:provider/callback', '/oauth/:provider/link', '/oauth/:provider/link/callback', '/deployments/:id/logs/ticket'],
  ...['/projects/:project_id/variables', '/databases', '/databases/check', '/databases/:id/start', '/databases/:id/stop'],
  ...['/metrics/alerts/:id/resolve', '/metrics/alerts/:id/snooze'],
  // Reads, and trials that store nothing.
  ...['/governance/audit-logs/export', '/governance/audit-logs/verify', '/governance/pii-detection/scan', '/governance/policies/dry-run'],
  // A check in progress is not started again.
  ...['/governance/compliance/:framework/check', '/governance/compliance/:framework/evidence'],
  ...['/channels/:id/test', '/channels/:id/secret', '/channels/:id/deliveries/:delivery_id/retry'],
];

/** The effect of a request to an agent is unknown: it is never repeated, and no key makes it idempotent. */
const neverRepeated = ['/deployments/:id/try'];

/** A response as text, independent of the order of its fields. */
const inOrder = (answer: unknown) =>
  JSON.stringify(answer, (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b)))
      : value,
  );

test('every POST is pressed twice here, or is the same when done twice', () => {
  const posts = Object.values(contract).flatMap((group) => Object.values(group).filter(({ method }) => method === 'POST'));
  assert.deepEqual(new Set(posts.map(({ path }) => path)), new Set([...Object.keys(cases), ...sameTwice, ...neverRepeated]));
});

/** The installation shared by all cases: each counts only its own effect. */
let shared: Promise<PressedWorld> | undefined;

for (const [path, prepare] of Object.entries(cases))
  test(`POST ${path} with one Idempotency-Key, ${pressed} times at once over two servers, is done once and all hear the same`, async () => {
    const w = await (shared ??= pressedWorld({ after: atEnd }));
    const { press, count, shownOnce } = await prepare(w);
    const once = (await count()) + 1;
    const key = { idempotency_key: `one press of ${path}` };
    const apis = Array.from({ length: pressed }, (_, n) => apiOf(w.servers[n % 2]!, w.token));
    const settled = await Promise.allSettled(apis.map((api) => press(api, key)));
    assert.equal(await count(), once);
    const refused = settled.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));
    const answers = new Set(settled.flatMap((one) => (one.status === 'fulfilled' ? [inOrder(one.value)] : [])));
    assert.deepEqual(refused, shownOnce ? Array(pressed - 1).fill('secret_shown_once') : []);
    assert.equal(answers.size, 1);
    await press(apis[1]!, key).catch((error: { code: string }) => assert.ok(shownOnce && error.code === 'secret_shown_once'));
    assert.equal(await count(), once, 'a later retry of the same press');
  });

test('a press that comes while the same one is worked on waits and hears its answer, on this server and on another', async (t) => {
  const { sql, servers, token, rows } = await pressedWorld(t);
  await sql`create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(2); return new; end'`;
  await sql`create trigger slow before insert on projects for each row execute function slow()`;
  const create = (n: number) => apiOf(servers[n % 2]!, token).projects.create({ name: 'slow' }, { idempotency_key: 'k' });
  const answers = await Promise.all([0, 1, 2].map(create));
  assert.deepEqual(new Set(answers.map(({ id }) => id)).size, 1);
  assert.equal(await rows('projects'), 2);
});

test('who repeats a request whose first try takes longer than they may wait is told when to come again', async (t) => {
  const { sql, servers, token, rows } = await pressedWorld(t);
  await sql`create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(9); return new; end'`;
  await sql`create trigger slow before insert on projects for each row execute function slow()`;
  const create = (server: string) =>
    fetch(`${server}/api/v1/projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: '{"name":"slow"}',
    });
  const answers = await Promise.all([create(servers[0]!), create(servers[1]!)]);
  const [done, told] = answers.toSorted((a, b) => a.status - b.status);
  assert.deepEqual([done!.status, told!.status], [201, 409]);
  assert.equal(((await told!.json()) as { code: string }).code, 'request_in_progress');
  assert.ok(Number(told!.headers.get('retry-after')) >= 1);
  const again = await create(servers[1]!);
  assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, 'true']);
  assert.equal(await rows('projects'), 2);
});

test('a press that was refused may be repeated with its key, by those who waited for it too', async (t) => {
  const { sql, servers, token, active, rows } = await pressedWorld(t);
  const id = await active();
  const blobs = await sql<{ source_blob: string }[]>`update deployments set source_blob = 'gone' where id = ${id} returning source_blob`;
  assert.equal(blobs.length, 1);
  const key = { idempotency_key: 'k' };
  const tries = await Promise.allSettled(
    Array.from({ length: pressed }, (_, n) => apiOf(servers[n % 2]!, token).deployments.redeploy({ id }, key)),
  );
  for (const one of tries) assert.equal(one.status === 'rejected' && (one.reason as { code: string }).code, 'source_gone');
  assert.equal(await rows('deployments'), 1);
});

test('a rotation that takes longer than its caller waits is found again by the same key, and made once', async (t) => {
  const { sql, api, rows, database } = await pressedWorld(t);
  const id = await database();
  const rotate = () => api.databases.rotatePassword({ id }, { idempotency_key: 'k' });
  await assert.rejects(rotate(), { code: 'unavailable', message: /not changed yet/ });
  const repeated = rotate();
  await sql`update database_tasks set status = 'done'`;
  assert.equal((await repeated).id, id);
  assert.equal(await rows('database_tasks'), 1);
});

test('repeats that wait are few per key and per team, so that those of one team take no place of another', async (t) => {
  const { sql, servers, token, rows } = await pressedWorld(t);
  const free = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = sql.begin(async (tx) => {
    await tx`lock table projects in share mode`; // creating waits, reading does not
    held.resolve();
    await free.promise;
  });
  await held.promise;
  try {
    const press = (name: string) =>
      apiOf(servers[1]!, token)
        .projects.create({ name }, { idempotency_key: name })
        .then(
          () => 'done',
          (error: { code: string }) => error.code,
        );
    // The first request and six repeats, of which three may wait.
    const same = Array.from({ length: 7 }, () => press('same'));
    for (let n = 0; n < 3; n++) assert.equal(await nextOf(same), 'request_in_progress');
    // Nine more repeats with other keys would wait: with the three, two too many for the team.
    const others = ['b', 'c', 'd'].flatMap((name) => Array.from({ length: 4 }, () => press(name)));
    for (let n = 0; n < 2; n++) assert.equal(await nextOf(others), 'request_in_progress');
    free.resolve();
    await holding;
    assert.deepEqual(await Promise.all([...same, ...others]), Array(14).fill('done'));
    assert.equal(await rows('projects'), 5);
  } finally {
    free.resolve();
  }
});

/** The first response to arrive; its promise is removed from the list. */
async function nextOf(answers: Promise<string>[]): Promise<string> {
  const [answer, at] = await Promise.race(answers.map(async (one, n) => [await one, n] as const));
  void answers.splice(at, 1);
  return answer;
}

test('who waits for the first press only reads, at pauses that grow', async (t) => {
  const { sql, servers, token } = await pressedWorld(t);
  await sql`create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(4); return new; end'`;
  await sql`create trigger slow before insert on projects for each row execute function slow()`;
  await sql`create sequence writes`;
  await sql`create function tell() returns trigger language plpgsql as 'begin perform nextval(''writes''); return null; end'`;
  await sql`create trigger tell before insert or update on idempotency_keys for each statement execute function tell()`;
  const create = () => apiOf(servers[0]!, token).projects.create({ name: 'slow' }, { idempotency_key: 'k' });
  const [first, second] = await Promise.all([create(), create()]);
  assert.equal(first.id, second.id);
  const [{ n }] = await sql<[{ n: number }]>`select last_value::int as n from writes`;
  assert.ok(n <= 3, `${n} writes: each of the two has tried to be the first, and the answer was noted`);
});
